/**
 * Puts a message into an instance's queue. An unknown instance gets a row that anchors its messages; it exists
 * only once an acknowledgement has named it (docs/reference/provider-contract.md §2, §10).
 */
import {
  type EnqueueOptions,
  type OrchestratorItem,
  ProviderError,
  saturatedNumber,
  targetInstance,
  type WorkItem,
} from "@duroxide-ts/core";
import { later, toDurationMs, toMessageId } from "@duroxide-ts/core/stores";
import { encodeWorkItem, toOptionalText, toText } from "../codec.ts";
import { moveToNewest } from "../creation-order.ts";
import { rememberMessage } from "../message-ids.ts";
import type { Transaction, WriteOperation } from "../transaction.ts";
import { insertMessage, type Message } from "../turn/message-row.ts";

/** While an instance is locked, its due time is the end of the lock and new messages do not change it. */
const MAKE_DUE = `INSERT INTO instances (instance_id, due_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)
  ON CONFLICT (instance_id) DO UPDATE SET due_at = CASE
    WHEN due_at IS NULL OR (lock_token IS NULL AND excluded.due_at < due_at) THEN excluded.due_at
    ELSE due_at END
  RETURNING instance_key, due_at, created_at`;

interface DueInstance {
  readonly instance_key: number;
  readonly due_at: number;
  readonly created_at: number;
}

const OPERATION = "enqueueForOrchestrator";

export function enqueueForOrchestrator(
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): WriteOperation<void> {
  const messageId = toMessageId(OPERATION, options);
  const message = toMessage(OPERATION, item);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  return (tx) => {
    const visibleAtMs = later(tx.nowMs, hiddenForMs);
    if (messageId === undefined) addMessage(tx, message, { visibleAtMs, fromClient: true });
    else addMessageOnce(tx, message, visibleAtMs, toText(messageId));
  };
}

function addMessageOnce(tx: Transaction, message: Message, visibleAtMs: number, messageId: string): void {
  const remembered = rememberMessage(tx, message.instanceId, messageId);
  if (remembered === "known") return;
  addMessage(tx, message, { visibleAtMs, fromClient: true });
  if (remembered === "no-instance") rememberMessage(tx, message.instanceId, messageId);
}

export function toMessage(operation: string, item: OrchestratorItem): Message {
  return {
    instanceId: messageTarget(operation, item),
    workItem: encodeWorkItem(operation, item),
    fireAtMs: item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : undefined,
    parentId: item.kind === "StartOrchestration" ? toOptionalText(item.parent_instance) : null,
    begins: item.kind === "StartOrchestration" || item.kind === "ContinueAsNew",
  };
}

interface Arriving {
  readonly visibleAtMs: number;
  readonly fromClient?: boolean;
}

/** For a message to any instance. */
export function addMessage(tx: Transaction, message: Message, arriving: Arriving): void {
  const { visibleAtMs, fromClient = false } = arriving;
  const key = makeDue(tx, message, visibleAtMs);
  if (visibleAtMs > tx.nowMs) addMessageOf(tx, key, message, visibleAtMs);
  else tx.effects.queue.add(key, { message, orderAtMs: message.fireAtMs ?? tx.nowMs, fromClient });
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
 * Back to the head of the queue, before all that is or comes there, and before what an earlier execution returned:
 * its place is a time before every time.
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

/** For an instance whose due time the caller sets afterwards, or has set. */
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

/** The instance in whose queue the item belongs, as a column value. */
function messageTarget(operation: string, item: WorkItem): string {
  if (item.kind !== "ActivityExecute") return toText(targetInstance(item));
  throw new ProviderError({
    code: "invalid-input",
    operation,
    message: "an ActivityExecute belongs in the worker queue; use enqueueForWorker",
  });
}
