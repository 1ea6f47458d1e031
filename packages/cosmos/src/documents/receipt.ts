/**
 * A receipt stands beside a message that must not arrive twice. It is created in the same batch, under the id of the
 * row, and outlives it: an attempt that is repeated after a lost answer is refused, even when the message was processed
 * in between (hazards W40, W65).
 */

import type { Body, Stored } from "./body.ts";
import { messageReceiptDocumentId, receiptDocumentId } from "./ids.ts";

/**
 * The service removes receipts by itself after so long. A delivery that comes later looks at the target first
 * (docs/decisions/0033-cosmos-delivery.md).
 */
export const RECEIPT_TTL_SECONDS: number = 24 * 60 * 60;

/** How long a caller's name for a message is remembered at least (docs/reference/provider-contract.md §10). */
const NAME_TTL_SECONDS = 24 * 60 * 60;

/** Of a message that a client names: whoever names another one for the instance alike means the same one. */
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

/** Where the service does not remove what is over, because the container has no time to live. */
export function isForgotten(receipt: Stored, nowMs: number): boolean {
  return Number(receipt["sentAt"]) + NAME_TTL_SECONDS * 1_000 < nowMs;
}

/** `source` is the sender; the instance itself where a client sent the message. */
export function receiptBody(rowId: string, target: string, source: string): Body {
  return {
    id: receiptDocumentId(rowId),
    instanceId: target,
    type: "receipt",
    source,
    ttl: RECEIPT_TTL_SECONDS,
  };
}
