/** Encoding fails only for what the caller passed. */
import {
  encodeEvent,
  encodeWorkItem,
  type HistoryEvent,
  invalidInput,
  toPositiveId,
  type WorkItem,
} from "@duroxide-ts/core/stores";
import { messageOf } from "./message-of.ts";
import type { EventRow } from "./schema/history.ts";

export function toEventRows(operation: string, events: readonly HistoryEvent[]): EventRow[] {
  return events.map((event) => ({
    eventId: toPositiveId(operation, "event_id", event.event_id),
    text: encoded(operation, () => encodeEvent(event)),
    event,
  }));
}

/** Refuses what could not be stored. */
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
