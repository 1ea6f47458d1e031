/**
 * Puts a message into an instance's queue; never creates the instance. The row has one id however often the request
 * is repeated, and messages whose number matters have a receipt beside them, so a lost answer leaves one message
 * (hazard W65). A message that the caller names has a receipt under that name, so that a second call stores nothing.
 */
import {
  type EnqueueOptions,
  later,
  type OrchestratorItem,
  toDurationMs,
  toMessageId,
} from "@duroxide-ts/core/stores";
import { isForgotten, namedReceiptBody, receiptBody } from "../outbox/receipt.ts";
import type { BatchOperation } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { messageReceiptDocumentId } from "../schema/ids.ts";
import { messageBody, type NewRow } from "../schema/rows.ts";
import { sent } from "../store/sent.ts";
import type { Store } from "../store/store.ts";
import { toMessage } from "../turn/turn.ts";

const OPERATION = "enqueueForOrchestrator";

const PATIENCE_MS = 10_000;

export async function enqueueForOrchestrator(
  store: Store,
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): Promise<void> {
  const { instanceId } = toMessage(OPERATION, item);
  const messageId = toMessageId(OPERATION, options);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  const { clock, random } = store;
  const nowMs = clock.now();
  const row: NewRow<OrchestratorItem> = {
    id: random.uuid(),
    instanceId,
    item,
    visibleAtMs: later(nowMs, hiddenForMs),
    enqueuedAtMs: nowMs,
    sequence: store.nextSequence(),
    ...(messageId !== undefined && { messageId }),
  };
  const call = store.requests.call(OPERATION, PATIENCE_MS);
  const outcome = await store.requests.batch(call, instanceId, operationsFor(row));
  if (outcome.ok) sent(store, row, "now");
  // After a lost answer it may be there, and taken already.
  else if (outcome.repeated || messageId === undefined) sent(store, row, "before");
  else await sendAgain(store, call, row, messageId);
}

/** The name was used before. Where that is long ago, it means another message. */
async function sendAgain(
  store: Store,
  call: Call,
  row: NewRow<OrchestratorItem>,
  messageId: string,
): Promise<void> {
  const { instanceId } = row;
  const id = messageReceiptDocumentId(messageId);
  const receipt = await store.requests.read(call, instanceId, id);
  if (receipt === undefined || !isForgotten(receipt, row.enqueuedAtMs)) return;
  const outcome = await store.requests.batch(call, instanceId, [
    { kind: "create", body: messageBody(row) },
    {
      kind: "replace",
      id,
      body: namedReceiptBody(messageId, instanceId, row.enqueuedAtMs),
      ifMatch: receipt._etag,
    },
  ]);
  sent(store, row, outcome.ok ? "now" : "before");
}

/** Starts, completions and cancellations change nothing when they come twice; events and queue messages do. */
function operationsFor(row: NewRow<OrchestratorItem>): readonly BatchOperation[] {
  const { id, instanceId, item, messageId } = row;
  const message: BatchOperation = { kind: "create", body: messageBody(row) };
  const isCounted = item.kind === "ExternalRaised" || item.kind === "QueueMessage";
  if (messageId === undefined && !isCounted) return [message];
  const receipt =
    messageId === undefined
      ? receiptBody(id, instanceId, instanceId)
      : namedReceiptBody(messageId, instanceId, row.enqueuedAtMs);
  return [message, { kind: "create", body: receipt }];
}
