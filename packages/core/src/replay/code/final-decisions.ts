/**
 * Decisions on which failures of attempts are final. Each is decided once, by the turn that receives it, and recorded
 * in its event. A replay runs the functions of the user again, because they may change local state, and ignores what
 * they answer.
 */
import type { HistoryEvent } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { EventWriter } from "../history/event-writer.ts";

export class FinalDecisions {
  /** The event that the code runs on. */
  #received: HistoryEvent | undefined;
  /** Decisions of this turn, by the id of the event. Few calls have retries. */
  #made: Map<U64, boolean> | undefined;

  receive(event: HistoryEvent): void {
    this.#received = event;
  }

  /** About the failure that the code has just received: as history says; where it says nothing, as judged. */
  decide(judged: boolean): boolean {
    const event = this.#received;
    if (event?.type !== "ActivityFailed" && event?.type !== "TimerFired") return judged;
    if (event.final !== undefined) return event.final;
    this.#made ??= new Map();
    this.#made.set(event.event_id, judged);
    return judged;
  }

  /** Events of earlier turns stay as they are. */
  record(writer: EventWriter): void {
    for (const [eventId, final] of this.#made ?? []) writer.markFinal(eventId, final);
    this.#made = undefined;
  }
}
