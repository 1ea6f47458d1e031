/** A message as a row of the queue. */
import type { Database } from "../database.ts";

/** A message ready to be inserted. */
export interface Message {
  readonly instanceId: string;
  readonly workItem: string;
  /** Of a timer. */
  readonly fireAtMs: number | undefined;
  /** An execution begins with it. */
  readonly begins: boolean;
  /** Of the start of a child. */
  readonly parentId: string | null;
}

/** Where a message stands in the queue of its instance. */
export interface Place {
  readonly instanceKey: number;
  readonly visibleAtMs: number;
  readonly orderAtMs: number;
  /** The secret of the lock under which it was handed out once already. */
  readonly tag: string | null;
}

const INSERT = `INSERT INTO orchestrator_queue (instance_key, visible_at, order_at, begins, work_item,
  parent_instance_id, lock_token, attempt_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function insertMessage(db: Database, { workItem, begins, parentId }: Message, place: Place): void {
  const { instanceKey, visibleAtMs, orderAtMs, tag } = place;
  const attempts = tag === null ? 0 : 1;
  db.run(INSERT, instanceKey, visibleAtMs, orderAtMs, begins ? 1 : 0, workItem, parentId, tag, attempts);
}
