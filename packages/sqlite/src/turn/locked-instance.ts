/** Finds the locked instance of a commit. */
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import type { LockToken } from "../rows/lock-token.ts";

/** A lock is valid while its token matches and its end is in the future. */
const FIND_LOCKED = `SELECT instance_key, instance_id, orchestration_name, orchestration_version,
    execution_id, last_event_id, status, completed_at, pinned_version, kv_layers, blocked_since
  FROM instances WHERE instance_key = ? AND lock_token = ? AND due_at > ?`;

export function findLockedInstance(tx: Transaction, operation: string, token: LockToken): LockedInstance {
  const held = tx.effects.queue.findHeld(token);
  if (held !== undefined) return held;
  const instance = tx.db.get<LockedInstance>(FIND_LOCKED, token.key, token.secret, tx.nowMs);
  if (instance === undefined) throw ProviderError.lockLost(operation);
  return instance;
}
