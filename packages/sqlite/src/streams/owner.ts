/** The instance of a running activity that writes. */
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { toText } from "../rows/codec.ts";
import { parseLockToken } from "../rows/lock-token.ts";

/** The row is the writer's until another fetch takes it, also where its lock has expired. */
const OWNER = `SELECT i.instance_key, i.instance_id FROM worker_queue AS w
  JOIN instances AS i ON i.instance_key = w.instance_key WHERE w.id = ? AND w.lock_token = ?`;

export interface Owner {
  readonly instance_key: number;
  readonly instance_id: string;
}

/** Returns a look-up that throws `lock-lost` for a writer that has not the activity, or one of another instance. */
export function ownerOf(operation: string, instanceId: string, lockToken: string): (db: Database) => Owner {
  const token = parseLockToken(operation, lockToken);
  const id = toText(instanceId);
  return (db) => {
    const owner = db.get<Owner>(OWNER, token.key, token.secret);
    if (owner !== undefined && owner.instance_id === id) return owner;
    throw ProviderError.lockLost(operation);
  };
}
