/**
 * Puts a message into an instance's queue; never creates the instance. The row has one id however often the request
 * is repeated, and messages whose number matters have a receipt beside them, so a lost answer leaves one message
 * (hazard W65). A message that the caller names has a receipt under that name, so that a second call stores nothing.
 */
import type { EnqueueOptions, OrchestratorItem } from "@duroxide-ts/core";
import { invalidInput, later, toDurationMs } from "@duroxide-ts/core/stores";
import { namedReceiptBody, receiptBody } from "../outbox/receipt.ts";
import type { BatchOperation } from "../requests/batch.ts";
import { messageBody, type NewRow } from "../schema/rows.ts";
import { sent } from "../store/sent.ts";
import type { Store } from "../store/store.ts";
import { toMessage } from "../turn/turn.ts";

const OPERATION = "enqueueForOrchestrator";

const PATIENCE_MS = 10_000;

const LONGEST_ID = 200;

export async function enqueueForOrchestrator(
  store: Store,
  item: OrchestratorItem,
  delayMs?: number,
  { messageId }: EnqueueOptions = {},
): Promise<void> {
  const { instanceId } = toMessage(OPERATION, item);
  if (messageId !== undefined) checkMessageId(messageId);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  const { requests, clock, random } = store;
  const row = {
    id: random.uuid(),
    instanceId,
    item,
    visibleAtMs: later(clock.now(), hiddenForMs),
    enqueuedAtMs: clock.now(),
    sequence: store.nextSequence(),
  };
  const operations = operationsFor(row, messageId);
  const outcome = await requests.batch(requests.call(OPERATION, PATIENCE_MS), instanceId, operations);
  // A message that was there before may be taken already; there is something to look for only after a lost answer.
  if (outcome.ok || outcome.repeated || messageId === undefined)
    sent(store, row, outcome.ok ? "now" : "before");
}

function checkMessageId(messageId: unknown): void {
  if (typeof messageId === "string" && messageId.length >= 1 && messageId.length <= LONGEST_ID) return;
  throw invalidInput(OPERATION, `a messageId is a text of 1 to ${LONGEST_ID} characters`);
}

/** Starts, completions and cancellations change nothing when they come twice; events and queue messages do. */
function operationsFor(
  row: NewRow<OrchestratorItem>,
  messageId: string | undefined,
): readonly BatchOperation[] {
  const message: BatchOperation = { kind: "create", body: messageBody(row) };
  if (messageId !== undefined) {
    return [message, { kind: "create", body: namedReceiptBody(messageId, row.instanceId) }];
  }
  const { kind } = row.item;
  if (kind !== "ExternalRaised" && kind !== "QueueMessage") return [message];
  return [message, { kind: "create", body: receiptBody(row.id, row.instanceId, row.instanceId) }];
}
