/**
 * A receipt prevents the second delivery of a message. It is created in the same batch as the row, with an id from the
 * row's id, and is kept longer than the row. After a lost response, the service therefore rejects the repeated attempt,
 * even if the message was processed in between (hazards W40, W65).
 */
import type { Body, Stored } from "./body.ts";
import { messageReceiptDocumentId, receiptDocumentId } from "./ids.ts";

/**
 * The service removes receipts after this time. A later delivery first searches the target for the message
 * (docs/decisions/cosmos-delivery.md).
 */
export const RECEIPT_TTL_SECONDS: number = 24 * 60 * 60;

/** The minimum time for which a caller's message id is remembered (docs/reference/provider-contract.md §10). */
const NAME_TTL_SECONDS = 24 * 60 * 60;

/** The receipt of a message with a client's id: a second message with the id for the instance is the same message. */
export function namedReceiptBody(messageId: string, target: string, nowMs: number): Body {
  return {
    id: messageReceiptDocumentId(messageId),
    instanceId: target,
    type: "receipt",
    source: target,
    messageId,
    sentAt: nowMs,
    ttl: NAME_TTL_SECONDS,
  };
}

/** Whether a receipt has expired, for containers without time to live, where the service does not delete it. */
export function isForgotten(receipt: Stored, nowMs: number): boolean {
  return Number(receipt["sentAt"]) + NAME_TTL_SECONDS * 1_000 < nowMs;
}

/** `source` is the sender; the instance itself if a client sent the message. */
export function receiptBody(rowId: string, target: string, source: string): Body {
  return {
    id: receiptDocumentId(rowId),
    instanceId: target,
    type: "receipt",
    source,
    ttl: RECEIPT_TTL_SECONDS,
  };
}
