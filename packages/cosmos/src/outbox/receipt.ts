/**
 * A receipt stands beside a message that must not arrive twice. It is created in the same batch, under the id of the
 * row, and outlives it: an attempt that is repeated after a lost answer is refused, even when the message was processed
 * in between (hazards W40, W65).
 */
import type { Body } from "../requests/batch.ts";
import { receiptDocumentId } from "../schema/ids.ts";

/** The service removes receipts by itself after so long; no sender repeats a delivery that late. */
const RECEIPT_TTL_SECONDS = 7 * 24 * 60 * 60;

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
