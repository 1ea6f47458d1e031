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

/** While an instance is locked, its due time is the end of the lock and new messages do not change it. */
const MAKE_DUE = `INSERT INTO instances (instance_id, due_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)
  ON CONFLICT (instance_id) DO UPDATE SET due_at = CASE
    WHEN due_at IS NULL OR (lock_token IS NULL AND excluded.due_at < due_at) THEN excluded.due_at
    ELSE due_at END
  RETURNING instance_key, due_at, created_at`;

const ADD_MESSAGE = `INSERT INTO orchestrator_queue (instance_key, visible_at, order_at, begins, work_item,
  parent_instance_id) VALUES (?, ?, ?, ?, ?, ?)`;

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
    if (messageId === undefined) tx.effects.arrivals.add(addMessage(tx, message, visibleAtMs));
    else addMessageOnce(tx, message, visibleAtMs, toText(messageId));
  };
}

function addMessageOnce(tx: Transaction, message: Message, visibleAtMs: number, messageId: string): void {
  const remembered = rememberMessage(tx, message.instanceId, messageId);
  if (remembered === "known") return;
  tx.effects.arrivals.add(addMessage(tx, message, visibleAtMs));
  if (remembered === "no-instance") rememberMessage(tx, message.instanceId, messageId);
}

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

export function toMessage(operation: string, item: OrchestratorItem): Message {
  return {
    instanceId: messageTarget(operation, item),
    workItem: encodeWorkItem(operation, item),
    fireAtMs: item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : undefined,
    parentId: item.kind === "StartOrchestration" ? toOptionalText(item.parent_instance) : null,
    begins: item.kind === "StartOrchestration" || item.kind === "ContinueAsNew",
  };
}

/** For a message to any instance. Returns the id of its row. */
export function addMessage(tx: Transaction, message: Message, visibleAtMs: number): number {
  const { instanceId } = message;
  const { dueInstances, orchestrations } = tx.effects;
  const dueKey = message.begins || visibleAtMs > tx.nowMs ? undefined : dueInstances.get(instanceId);
  if (dueKey !== undefined) {
    orchestrations.add(tx.nowMs);
    return addMessageOf(tx, dueKey, message, visibleAtMs);
  }
  const row = tx.db.get<DueInstance>(MAKE_DUE, instanceId, visibleAtMs, tx.nowMs);
  if (row === undefined) throw new Error("an upsert returned no row");
  orchestrations.add(row.due_at);
  const wasThere = row.created_at < tx.nowMs;
  const key = message.begins && wasThere ? moveToNewest(tx, row.instance_key) : row.instance_key;
  if (row.due_at <= tx.nowMs) dueInstances.set(instanceId, key);
  return addMessageOf(tx, key, message, visibleAtMs);
}

/**
 * Back to the head of the queue, before all that is or comes there, and before what an earlier execution returned:
 * its place is a time before every time.
 */
export function returnMessage(
  tx: Transaction,
  instanceKey: number,
  { workItem }: Message,
  executionId: number,
): void {
  tx.db.insert(ADD_MESSAGE, instanceKey, -executionId, -executionId, 0, workItem, null);
}

/** For an instance whose due time the caller sets afterwards. */
export function addMessageOf(
  tx: Transaction,
  instanceKey: number,
  { workItem, fireAtMs = tx.nowMs, begins, parentId }: Message,
  visibleAtMs: number,
): number {
  return tx.db.insert(ADD_MESSAGE, instanceKey, visibleAtMs, fireAtMs, begins ? 1 : 0, workItem, parentId);
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
