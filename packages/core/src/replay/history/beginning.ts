/** How the history of an execution begins. */
import type { HistoryEvent } from "../../wire/event.ts";
import { ReplayFailure } from "../replay-failure.ts";

/**
 * Whether the execution repeats a part of another one and has done nothing more. Its first commit queued every timer that
 * is open in history again, also those that the code has dropped.
 */
export function isFirstOfRevision(events: readonly HistoryEvent[]): boolean {
  const [first] = events;
  if (first?.type !== "OrchestrationStarted" || first.revision === undefined) return false;
  return first.revision.kept === events.at(-1)?.event_id;
}

/** Whether an operator began the execution with its start alone: the code then runs from the start anew, and repeats nothing. */
function beginsAnew([first]: readonly HistoryEvent[]): boolean {
  return first?.type === "OrchestrationStarted" && first.revision?.kept === first.event_id;
}

/** Whether the code has run before with these events. */
export function hasRunBefore(events: readonly HistoryEvent[]): boolean {
  return !(beginsAnew(events) && events.length === 1);
}

/** The patches of the start that is stored without a turn; the first event of its turn has them (decisions.D1). */
export function patchesOfStart(events: readonly HistoryEvent[]): readonly string[] {
  return beginsAnew(events) ? (events[1]?.patches ?? []) : [];
}

export function checkBeginning(events: readonly HistoryEvent[]): void {
  const [first] = events;
  if (first === undefined) throw ReplayFailure.nondeterminism("corrupted history: empty");
  if (first.type !== "OrchestrationStarted")
    throw ReplayFailure.nondeterminism("corrupted history: first event must be OrchestrationStarted");
}
