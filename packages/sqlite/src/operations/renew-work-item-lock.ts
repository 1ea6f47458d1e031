/** Extends a valid activity lock, never backwards (docs/reference/provider-contract.md §10). */
import { ProviderError } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseLockToken } from "../lock-token.ts";
import type { WriteOperation } from "../transaction.ts";
import { touchSession } from "./touch-session.ts";

const OPERATION = "renewWorkItemLock";

const EXTEND = `UPDATE worker_queue SET due_at = max(due_at, ?)
  WHERE id = ? AND lock_token = ? AND due_at > ? RETURNING session_id`;

export function renewWorkItemLock(lockToken: string, extendMs: number): WriteOperation<void> {
  const { key, secret } = parseLockToken(OPERATION, lockToken);
  const extension = toDurationMs(OPERATION, "extendMs", extendMs);
  return (tx) => {
    const row = tx.db.get<{ session_id: string | null }>(
      EXTEND,
      later(tx.nowMs, extension),
      key,
      secret,
      tx.nowMs,
    );
    if (row === undefined) throw ProviderError.lockLost(OPERATION);
    touchSession(tx, row.session_id);
    tx.effects.activities.add(later(tx.nowMs, extension));
  };
}
