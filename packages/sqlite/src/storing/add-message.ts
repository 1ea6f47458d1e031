/**
 * Adds messages to the queues of instances. An unknown instance gets a row that anchors its messages; it exists only
 * once a commit has stored its name (docs/reference/provider-contract.md §2, §10).
 */
import type { Transaction } from "../commit/transaction.ts";
import { insertMessage, type Message } from "../rows/message-row.ts";
import { moveToNewest } from "./creation-order.ts";

/** While an instance is locked, its due time is the end of the lock and new messages do not change it. */
const MAKE_DUE = `INSERT INTO instances (instance_id, due_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)
  ON CONFLICT (instance_id) DO UPDATE SET due_at = CASE
    WHEN due_at IS NULL OR (lock_token IS NULL AND excluded.due_at < due_at) THEN excluded.due_at
    ELSE due_at END
  RETURNING instance_key, due_at, created_at`;

const BEGIN = `INSERT INTO instances (instance_id, due_at, created_at, updated_at) VALUES (?1, ?2, ?2, ?2)
  ON CONFLICT (instance_id) DO NOTHING RETURNING instance_key`;

interface DueInstance {
  readonly instance_key: number;
  readonly due_at: number;
  readonly created_at: number;
}

interface Arriving {
  readonly visibleAtMs: number;
  readonly fromClient?: boolean;
}

/** Adds a message to any instance. */
export function addMessage(tx: Transaction, message: Message, arriving: Arriving): void {
  const { visibleAtMs, fromClient = false } = arriving;
  const key = makeDue(tx, message, visibleAtMs);
  if (visibleAtMs > tx.nowMs) addMessageOf(tx, key, message, visibleAtMs);
  else tx.effects.queue.add(key, { message, orderAtMs: message.fireAtMs ?? tx.nowMs, fromClient });
}

/** Adds the start of an instance that has no row; false if it has one, and then adds nothing. */
export function addFirstMessage(tx: Transaction, message: Message): boolean {
  const { dueInstances, orchestrations, queue, statuses } = tx.effects;
  const row = tx.db.get<Pick<DueInstance, "instance_key">>(BEGIN, message.instanceId, tx.nowMs);
  if (row === undefined) return false;
  orchestrations.add(tx.nowMs);
  dueInstances.set(message.instanceId, row.instance_key);
  statuses.set(message.instanceId, null);
  queue.add(row.instance_key, { message, orderAtMs: tx.nowMs, fromClient: true });
  return true;
}

/** Returns the key of the instance. */
function makeDue(tx: Transaction, { instanceId, begins }: Message, visibleAtMs: number): number {
  const { dueInstances, orchestrations, queue } = tx.effects;
  const known = begins || visibleAtMs > tx.nowMs ? undefined : dueInstances.get(instanceId);
  if (known !== undefined) {
    orchestrations.add(tx.nowMs);
    return known;
  }
  const row = tx.db.get<DueInstance>(MAKE_DUE, instanceId, visibleAtMs, tx.nowMs);
  if (row === undefined) throw new Error("an upsert returned no row");
  orchestrations.add(row.due_at);
  let key = row.instance_key;
  if (begins && row.created_at < tx.nowMs) {
    queue.write(tx.db, key);
    key = moveToNewest(tx, key);
  }
  if (row.due_at <= tx.nowMs) dueInstances.set(instanceId, key);
  return key;
}

/**
 * Returns a message to the head of the queue, before all present and later rows, and before messages that an earlier
 * execution returned: its order time is negative.
 */
export function returnMessage(
  tx: Transaction,
  instanceKey: number,
  message: Message,
  executionId: number,
): void {
  const atMs = -executionId;
  insertMessage(tx.db, message, { instanceKey, visibleAtMs: atMs, orderAtMs: atMs, tag: null });
}

/** Does not change the due time of the instance, because the caller sets it. */
export function addMessageOf(
  tx: Transaction,
  instanceKey: number,
  message: Message,
  visibleAtMs: number,
): void {
  tx.effects.queue.write(tx.db, instanceKey);
  const orderAtMs = message.fireAtMs ?? tx.nowMs;
  insertMessage(tx.db, message, { instanceKey, visibleAtMs, orderAtMs, tag: null });
}
