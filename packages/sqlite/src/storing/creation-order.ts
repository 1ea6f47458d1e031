/**
 * Lists of instances go by key, newest first, and need no index of their own for it.
 *
 * I1  The key of an instance is given with its start. A row that was there before, because another message came
 *     first, gets a new key with the start.
 * I2  A key changes only where no caller can hold it: the instance is not locked, has no turn, no history and no
 *     activity. All that is left under the old key is its messages and their ids.
 */
import type { Transaction } from "../commit/transaction.ts";
import { moveMessageIds } from "./message-ids.ts";

/** Nothing changes where the instance has begun, its start is queued, or its key is the highest one. */
const MOVE = `UPDATE instances SET instance_key = (SELECT max(instance_key) + 1 FROM instances)
  WHERE instance_key = ?1 AND orchestration_name IS NULL AND lock_token IS NULL AND history_tag IS NULL
    AND instance_key < (SELECT max(instance_key) FROM instances)
    AND NOT EXISTS (SELECT 1 FROM orchestrator_queue WHERE instance_key = ?1 AND begins = 1)
    AND NOT EXISTS (SELECT 1 FROM history WHERE instance_key = ?1)
    AND NOT EXISTS (SELECT 1 FROM worker_queue WHERE instance_key = ?1)
  RETURNING instance_key`;

const MOVE_MESSAGES = "UPDATE orchestrator_queue SET instance_key = ? WHERE instance_key = ?";

/** For a start that is about to be queued. Returns the key from now on. */
export function moveToNewest(tx: Transaction, instanceKey: number): number {
  const moved = tx.db.get<{ instance_key: number }>(MOVE, instanceKey);
  if (moved === undefined) return instanceKey;
  tx.db.run(MOVE_MESSAGES, moved.instance_key, instanceKey);
  moveMessageIds(tx, instanceKey, moved.instance_key);
  return moved.instance_key;
}
