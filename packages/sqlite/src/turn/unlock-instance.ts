/**
 * Ends a lock without a turn: the instance falls due when its oldest message is visible. Returned messages have a
 * negative time, which does not count, so that they do not put the instance before others.
 */
import type { Transaction } from "../commit/transaction.ts";

const UNLOCK = `UPDATE instances SET lock_token = NULL,
    due_at = (SELECT iif(min(visible_at) < 0, ?2, min(visible_at)) FROM orchestrator_queue
      WHERE instance_key = ?1)
  WHERE instance_key = ?1 RETURNING due_at`;

export function unlockInstance(tx: Transaction, instanceKey: number): void {
  tx.effects.queue.write(tx.db, instanceKey);
  const row = tx.db.get<{ due_at: number | null }>(UNLOCK, instanceKey, tx.nowMs);
  if (typeof row?.due_at === "number") tx.effects.orchestrations.add(row.due_at);
}
