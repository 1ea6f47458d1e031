/** Extends a valid activity lock, never backwards (docs/reference/provider-contract.md §8.2, §10). */
import { later, ProviderError, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { parseLockToken } from "../rows/lock-token.ts";
import { touchSession } from "../storing/touch-session.ts";

const OPERATION = "renewWorkItemLock";

const EXTEND = `UPDATE worker_queue SET due_at = max(due_at, ?), attempt_count = max(0, attempt_count - ?),
    ran_alone = ran_alone + ?
  WHERE id = ? AND lock_token = ? AND due_at > ? RETURNING session_id`;

export function renewWorkItemLock(
  lockToken: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): WriteOperation<void> {
  const { key, secret } = parseLockToken(OPERATION, lockToken);
  const extension = toDurationMs(OPERATION, "extendMs", extendMs);
  return (tx) => {
    const row = tx.db.get<{ session_id: string | null }>(
      EXTEND,
      later(tx.nowMs, extension),
      ignoreAttempt ? 1 : 0,
      alone ? 1 : 0,
      key,
      secret,
      tx.nowMs,
    );
    if (row === undefined) throw ProviderError.lockLost(OPERATION);
    touchSession(tx, row.session_id);
    tx.effects.activities.add(later(tx.nowMs, extension));
  };
}
