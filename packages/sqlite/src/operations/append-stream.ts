/** Adds values of a running activity to a stream of its instance (docs/reference/provider-contract.md §13.1). */
import {
  type AppendOutcome,
  checkAppend,
  hasEnded,
  ProviderError,
  type StreamAppend,
} from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { parseLockToken } from "../rows/lock-token.ts";
import { addTo, streamOf } from "../streams/stream-rows.ts";

const OPERATION = "appendStream";

/** The row is the writer's until another fetch takes it, also where its lock has expired. */
const OWNER = `SELECT i.instance_key, i.instance_id, i.status FROM worker_queue AS w
  JOIN instances AS i ON i.instance_key = w.instance_key WHERE w.id = ? AND w.lock_token = ?`;

interface OwnerRow {
  readonly instance_key: number;
  readonly instance_id: string;
  readonly status: string;
}

export function appendStream(append: StreamAppend): WriteOperation<AppendOutcome> {
  checkAppend(OPERATION, append);
  const { stream, instanceId, writer } = append;
  const token = parseLockToken(OPERATION, writer.lockToken);
  // Copied, because the caller may change its object before the operation runs.
  const addition = { ...append, values: [...append.values] };
  return (tx) => {
    const owner = tx.db.get<OwnerRow>(OWNER, token.key, token.secret);
    if (owner === undefined || owner.instance_id !== toText(instanceId))
      throw ProviderError.lockLost(OPERATION);
    if (hasEnded(owner.status)) return "closed";
    const row = streamOf(tx.db, owner.instance_key, toText(stream));
    if (row.closed === 1) return "closed";
    addTo(tx, row, addition);
    tx.effects.touchStream(instanceId, stream);
    return "stored";
  };
}
