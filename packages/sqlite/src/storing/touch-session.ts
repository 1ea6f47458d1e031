/** Acknowledging or renewing an activity marks its session as active (docs/reference/provider-contract.md §11). */
import type { Transaction } from "../commit/transaction.ts";

const TOUCH = "UPDATE sessions SET last_activity_at = ? WHERE session_id = ? AND locked_until > ?";

export function touchSession(tx: Transaction, sessionId: string | null): void {
  if (sessionId !== null) tx.db.run(TOUCH, tx.nowMs, sessionId, tx.nowMs);
}
