/** Encoding fails only for what the caller passed. */
import { encodeEvent, encodeWorkItem, type HistoryEvent, type WorkItem } from "@duroxide-ts/core";
import type { EventRow } from "./schema/history.ts";
import { invalidInput, toPositiveId } from "./validation.ts";

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
    throw invalidInput(operation, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
