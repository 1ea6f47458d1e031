/** A failure is `invalid-input`, because only arguments of the caller can fail to encode. */
import type { HistoryEvent } from "@duroxide-ts/core";
import {
  encodeEvent,
  encodeWorkItem,
  invalidInput,
  messageOf,
  toPositiveId,
  type WorkItem,
} from "@duroxide-ts/core/stores";
import type { EventRow } from "./history.ts";

export function toEventRows(operation: string, events: readonly HistoryEvent[]): EventRow[] {
  return events.map((event) => ({
    eventId: toPositiveId(operation, "event_id", event.event_id),
    text: encoded(operation, () => encodeEvent(event)),
    event,
  }));
}

/** Rejects a message that cannot be stored. */
export function checkWorkItem(operation: string, item: WorkItem): void {
  encoded(operation, () => encodeWorkItem(item));
}

function encoded(operation: string, encode: () => string): string {
  try {
    return encode();
  } catch (cause) {
    throw invalidInput(operation, messageOf(cause), cause);
  }
}
