/**
 * Sets queue rows that cannot be decoded aside with the reason, so that they are neither lost nor block later rows.
 */
import { messageOf } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { fromText, toText } from "../rows/codec.ts";

const MOVE = {
  orchestrator_queue: `INSERT INTO dead_letters (queue, instance_id, work_item, reason, moved_at)
    SELECT 'orchestrator_queue', instance_id, work_item, ?2, ?3
    FROM orchestrator_queue JOIN instances USING (instance_key) WHERE id = ?1 RETURNING instance_id`,
  worker_queue: `INSERT INTO dead_letters (queue, instance_id, work_item, reason, moved_at)
    SELECT 'worker_queue', instance_id, work_item, ?2, ?3
    FROM worker_queue JOIN instances USING (instance_key) WHERE id = ?1 RETURNING instance_id`,
} as const;

const DELETE = {
  orchestrator_queue: "DELETE FROM orchestrator_queue WHERE id = ?",
  worker_queue: "DELETE FROM worker_queue WHERE id = ?",
} as const;

export function setAside(tx: Transaction, queue: keyof typeof MOVE, id: number, error: unknown): void {
  const reason = messageOf(error);
  const row = tx.db.get<{ instance_id: string }>(MOVE[queue], id, toText(reason), tx.nowMs);
  tx.db.run(DELETE[queue], id);
  tx.effects.warnings.push({
    message: `A row of ${queue} cannot be decoded and was moved to dead_letters: ${reason}`,
    instanceId: fromText(row?.instance_id ?? ""),
  });
}
