/** Removes expired sessions that no activity refers to (docs/reference/provider-contract.md §11). */
import type { WriteOperation } from "../commit/transaction.ts";

/** Locked activities count too, so that this clean-up never deletes the session of a claimed activity. */
const DELETE = `DELETE FROM sessions WHERE locked_until < ? AND NOT EXISTS (
  SELECT 1 FROM worker_queue AS w WHERE w.session_id = sessions.session_id)`;

export function cleanupOrphanedSessions(): WriteOperation<number> {
  return (tx) => tx.db.run(DELETE, tx.nowMs);
}
