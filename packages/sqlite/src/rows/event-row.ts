/** An event as a row of a history. */
import { type HistoryEvent, toPositiveId } from "@duroxide-ts/core/stores";
import { encodeEvent } from "./codec.ts";

export interface EventRow {
  readonly eventId: number;
  readonly text: string;
  readonly event: HistoryEvent;
}

export function toEventRows(operation: string, events: readonly HistoryEvent[]): EventRow[] {
  return events.map((event) => ({
    eventId: toPositiveId(operation, "event_id", event.event_id),
    text: encodeEvent(operation, event),
    event,
  }));
}
