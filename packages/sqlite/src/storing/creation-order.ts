/**
 * Keeps keys of instances in the order of their starts, so that lists, newest first, need no further index.
 *
 * - creation-order.I1: The start assigns the key of an instance. If the row exists before, because another message
 *   arrived first, the start assigns a new key.
 * - creation-order.I2: A key changes only if no caller can have it: the instance is not locked and has no turn, no
 *   history and no activity. Only its messages and their ids refer to the old key.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { moveMessageIds } from "./message-ids.ts";

/** Changes nothing if the instance has begun, its start is queued, or its key is the highest one. */
const MOVE = `UPDATE instances SET instance_key = (SELECT max(instance_key) + 1 FROM instances)
  WHERE instance_key = ?1 AND orchestration_name IS NULL AND lock_token IS NULL AND history_tag IS NULL
    AND instance_key < (SELECT max(instance_key) FROM instances)
    AND NOT EXISTS (SELECT 1 FROM orchestrator_queue WHERE instance_key = ?1 AND begins = 1)
    AND NOT EXISTS (SELECT 1 FROM history WHERE instance_key = ?1)
    AND NOT EXISTS (SELECT 1 FROM worker_queue WHERE instance_key = ?1)
  RETURNING instance_key`;

const MOVE_MESSAGES = "UPDATE orchestrator_queue SET instance_key = ? WHERE instance_key = ?";

/** Called before a start is queued. Returns the new key. */
export function moveToNewest(tx: Transaction, instanceKey: number): number {
  const moved = tx.db.get<{ instance_key: number }>(MOVE, instanceKey);
  if (moved === undefined) return instanceKey;
  invariant(moved.instance_key > instanceKey, "creation-order.I1");
  tx.db.run(MOVE_MESSAGES, moved.instance_key, instanceKey);
  moveMessageIds(tx, instanceKey, moved.instance_key);
  return moved.instance_key;
}
