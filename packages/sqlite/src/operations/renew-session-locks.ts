/** Extends the unexpired, active sessions of some owners (docs/reference/provider-contract.md §11). */
import { later, type RenewSessionsOptions, toDurationMs } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";

const OPERATION = "renewSessionLocks";

/** An expired session is never extended, because another owner may have found it free. */
const EXTEND = `UPDATE sessions SET locked_until = max(locked_until, ?), holder = ?
  WHERE owner_id = ? AND locked_until > ? AND last_activity_at > ?`;

export function renewSessionLocks(options: RenewSessionsOptions): WriteOperation<number> {
  const extension = toDurationMs(OPERATION, "extendMs", options.extendMs);
  const idleTimeoutMs = toDurationMs(OPERATION, "idleTimeoutMs", options.idleTimeoutMs);
  const ownerIds = [...new Set(options.ownerIds.map(toText))];
  return (tx) => {
    const until = later(tx.nowMs, extension);
    const activeSince = tx.nowMs - idleTimeoutMs;
    return ownerIds.reduce(
      (count, ownerId) => count + tx.db.run(EXTEND, until, tx.holder, ownerId, tx.nowMs, activeSince),
      0,
    );
  };
}
