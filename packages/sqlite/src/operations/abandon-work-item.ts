/**
 * Gives an activity back, at once or after a delay (docs/reference/provider-contract.md §10). An expired token
 * is accepted as long as nobody has taken the activity again.
 */
import { type AbandonOptions, ProviderError } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseLockToken } from "../lock-token.ts";
import type { WriteOperation } from "../transaction.ts";

const OPERATION = "abandonWorkItem";

const UNLOCK = `UPDATE worker_queue SET lock_token = NULL, due_at = ?,
    attempt_count = max(0, attempt_count - ?)
  WHERE id = ? AND lock_token = ?`;

/** `worker_queue.due_at` of an activity that may be taken. */
const READY = 0;

export function abandonWorkItem(lockToken: string, options: AbandonOptions = {}): WriteOperation<void> {
  const { key, secret } = parseLockToken(OPERATION, lockToken);
  const delayMs = toDurationMs(OPERATION, "delayMs", options.delayMs ?? 0);
  const undoneAttempts = options.ignoreAttempt === true ? 1 : 0;
  return (tx) => {
    const dueAtMs = delayMs === 0 ? READY : later(tx.nowMs, delayMs);
    if (tx.db.run(UNLOCK, dueAtMs, undoneAttempts, key, secret) === 0)
      throw ProviderError.lockLost(OPERATION);
    tx.effects.activities.add(later(tx.nowMs, delayMs));
  };
}
