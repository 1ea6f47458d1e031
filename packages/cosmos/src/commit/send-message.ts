/**
 * Sends a message with its receipt, to any instance or only to one that was started and has not ended. The batch of
 * the second kind reads the instance, so it costs no request more, and 1 RU for each kB of the instance document. A
 * message that meets an ended instance is taken back with its receipt, so that a repetition of the call is refused too.
 */
import { type EnqueueOutcome, hasEnded, type OrchestratorItem } from "@duroxide-ts/core/stores";
import { instanceDocumentId, messageReceiptDocumentId } from "../documents/ids.ts";
import { type Instance, isNamed, statusOf, toInstance } from "../documents/instance.ts";
import { namedReceiptBody, receiptBody } from "../documents/receipt.ts";
import { messageBody, type NewRow, newMessageRow } from "../documents/rows.ts";
import { expiredReceipt } from "../leases/expired-receipt.ts";
import { hasQueuedStart } from "../leases/queued-start.ts";
import { readNamed } from "../leases/read-instance.ts";
import { noteSent } from "../memory/note-sent.ts";
import type { Work } from "../memory/parts.ts";
import type { UnconfirmedWrite } from "../memory/unconfirmed-writes.ts";
import type { BatchOperation, BatchOutcome } from "../service/batch.ts";

type Row = NewRow<OrchestratorItem>;
type Creation = Extract<BatchOperation, { readonly kind: "create" | "upsert" }>;

/** A repeated start, completion or cancellation has no effect; a repeated event or queue message has one. */
export function sendingOperations(row: Row): readonly Creation[] {
  const { id, instanceId, item, messageId } = row;
  const message: Creation = { kind: "create", body: messageBody(row) };
  const isCounted = item.kind === "ExternalRaised" || item.kind === "QueueMessage";
  if (messageId === undefined && !isCounted) return [message];
  const receipt =
    messageId === undefined
      ? receiptBody(id, instanceId, instanceId)
      : namedReceiptBody(messageId, instanceId, row.enqueuedAtMs);
  return [message, { kind: "create", body: receipt }];
}

/** Notes that the message is sent; sends it again where its id is that of a message of long ago. */
export async function noteOutcome(
  work: Work,
  sending: UnconfirmedWrite,
  row: Row,
  outcome: BatchOutcome,
): Promise<void> {
  const { messageId } = row;
  // After a lost answer it may be stored, and consumed already.
  if (outcome.ok || outcome.repeated || messageId === undefined)
    noteSent(work, sending, newMessageRow(row), { isNew: outcome.ok });
  else await sendAgain(work, sending, row, messageId);
}

async function sendAgain(work: Work, sending: UnconfirmedWrite, row: Row, messageId: string): Promise<void> {
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

export async function sendToOpen(work: Work, sending: UnconfirmedWrite, row: Row): Promise<EnqueueOutcome> {
  const { instanceId } = row;
  const creations = sendingOperations(row);
  const look: BatchOperation = { kind: "read", id: instanceDocumentId(instanceId) };
  const outcome = await work.batch(instanceId, [...creations, look]);
  if (outcome.ok) {
    const found = outcome.document && toInstance(work.operation, outcome.document);
    const met = found !== undefined && isNamed(found) ? standingOf(found) : await lookUp(work, instanceId);
    if (met === "stored") await noteOutcome(work, sending, row, outcome);
    else await takeBack(work, instanceId, creations);
    return met;
  }
  if (outcome.index < creations.length) {
    await noteOutcome(work, sending, row, outcome);
    return "stored";
  }
  const met = await lookUp(work, instanceId);
  if (met === "stored") await noteOutcome(work, sending, row, await work.batch(instanceId, creations));
  return met;
}

function standingOf(instance: Instance): EnqueueOutcome {
  const mayGoOn = instance.notes.suspended !== undefined;
  return hasEnded(statusOf(instance).status) && !mayGoOn ? "ended" : "stored";
}

/** Looks for the start first, because the turn that consumes it names the instance. */
async function lookUp(work: Work, instanceId: string): Promise<EnqueueOutcome> {
  const isQueued = await hasQueuedStart(work, instanceId);
  const instance = await readNamed(work, instanceId);
  if (instance !== undefined) return standingOf(instance);
  return isQueued ? "stored" : "not-found";
}

/** A worker may have consumed the message, which has no effect there. */
async function takeBack(work: Work, instanceId: string, creations: readonly Creation[]): Promise<void> {
  const [message, ...others] = creations.map(
    ({ body }): BatchOperation => ({ kind: "delete", id: String(body["id"]) }),
  );
  if (message === undefined) return;
  const outcome = await work.batch(instanceId, [message, ...others]);
  if (!outcome.ok && others.length > 0) await work.batch(instanceId, others);
}
