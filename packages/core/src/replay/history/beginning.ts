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

export function checkBeginning(events: readonly HistoryEvent[]): void {
  const [first] = events;
  if (first === undefined) throw ReplayFailure.nondeterminism("corrupted history: empty");
  if (first.type !== "OrchestrationStarted")
    throw ReplayFailure.nondeterminism("corrupted history: first event must be OrchestrationStarted");
}
