/** Checks that the clean-ups that a program registers for its cancellation run. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isTerminal } from "@duroxide-ts/core/stores";
import { CLEAN_UP_ID } from "../programs/step.ts";

/** A cancelled execution that has registered a clean-up has run it to its end, or for its time. */
export function missingCleanUp(key: string, events: readonly HistoryEvent[]): readonly string[] {
  const asked = events.findIndex(({ type }) => type === "OrchestrationCancelRequested");
  // Sagas register theirs too.
  const isRegistered =
    events.slice(0, asked).some((event) => event.on_cancel === true) && asksForIt(events[0]);
  if (asked < 0 || !isRegistered || events.findLast(isTerminal)?.type !== "OrchestrationFailed") return [];
  const later = events.slice(asked);
  // What else is scheduled here is a step that was reached in the turn of the cancellation, and then dropped.
  const cleanUp = later.find((event) => event.type === "ActivityScheduled" && isCleanUp(event.input));
  const isDone = later.some(
    ({ type, source_event_id: source }) =>
      type === "TimerFired" || (type === "ActivityCompleted" && source === cleanUp?.event_id),
  );
  return cleanUp !== undefined && isDone ? [] : [`${key}: was cancelled and has not cleaned up`];
}

function asksForIt(first: HistoryEvent | undefined): boolean {
  return first?.type === "OrchestrationStarted" && JSON.parse(first.input)?.cleansUp === true;
}

function isCleanUp(input: string): boolean {
  return input !== "" && JSON.parse(input)?.id === CLEAN_UP_ID;
}
