/**
 * Adds a message to the queue of an instance; never creates the instance. Retries of the request use one row id, and
 * messages that must not be doubled have a receipt, so that a lost answer leaves one message (hazard W65). A message with
 * a `messageId` has a receipt under that id, so that a second call stores nothing.
 */
import {
  checkItem,
  type EnqueueOptions,
  later,
  type OrchestratorItem,
  toDurationMs,
  toMessageId,
} from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import { newRow } from "../commit/new-row.ts";
import { toMessage } from "../commit/prepared-turn.ts";
import { startWithTurn } from "../commit/start-with-turn.ts";
import { messageReceiptDocumentId } from "../documents/ids.ts";
import { namedReceiptBody, receiptBody } from "../documents/receipt.ts";
import { messageBody, type NewRow, newMessageRow } from "../documents/rows.ts";
import { expiredReceipt } from "../leases/expired-receipt.ts";
import { noteSent } from "../memory/note-sent.ts";
import { type Parts, Work } from "../memory/parts.ts";
import type { UnconfirmedWrite } from "../memory/unconfirmed-writes.ts";
import { SEND_PATIENCE_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";

const OPERATION = "enqueueForOrchestrator";

export async function enqueueForOrchestrator(
  parts: Parts,
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): Promise<void> {
  checkItem(OPERATION, item);
  const { instanceId } = toMessage(OPERATION, item);
  const messageId = toMessageId(OPERATION, item, options);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  const nowMs = parts.clock.now();
  const row: NewRow<OrchestratorItem> = {
    ...newRow(parts, instanceId, item, { nowMs, visibleAtMs: later(nowMs, hiddenForMs) }),
    ...(messageId !== undefined && { messageId }),
  };
  if (messageId === undefined && (await startWithTurn(parts, OPERATION, row))) return;
  const work = new Work(parts, OPERATION, SEND_PATIENCE_MS);
  // A start also locks the first turn, if a fetch of this process waits for it.
  using claim =
    item.kind === "StartOrchestration"
      ? TurnClaim.forMessage(parts, instanceId, newMessageRow(row))
      : undefined;
  using sending = parts.memory.instances.sending(instanceId);
  const { outcome, locked } = await batchWithClaim(work, instanceId, operationsFor(row), claim);
  // After a lost answer it may be stored, and consumed already.
  if (outcome.ok || outcome.repeated || messageId === undefined)
    noteSent(parts, sending, newMessageRow(row), { isNew: outcome.ok });
  else await sendAgain(work, sending, row, messageId);
  if (locked !== undefined) await claim?.won(work, locked);
}

/** The id was used before. If that is long ago, it is the id of another message. */
async function sendAgain(
  work: Work,
  sending: UnconfirmedWrite,
  row: NewRow<OrchestratorItem>,
  messageId: string,
): Promise<void> {
  const { instanceId } = row;
  const id = messageReceiptDocumentId(messageId);
  const forgotten = await expiredReceipt(work, instanceId, id, row.enqueuedAtMs);
  if (forgotten === undefined) return;
  const outcome = await work.batch(instanceId, [
    { kind: "create", body: messageBody(row) },
    {
      kind: "replace",
      id,
      body: namedReceiptBody(messageId, instanceId, row.enqueuedAtMs),
      ifMatch: forgotten._etag,
    },
  ]);
  noteSent(work, sending, newMessageRow(row), { isNew: outcome.ok });
}

/** A repeated start, completion or cancellation has no effect; a repeated event or queue message has one. */
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
