/**
 * Checks the undos of a saga in the history of an execution: each step that is recorded as done is undone once, with its
 * recorded outcome, the last one first; or not at all where nothing was to be undone.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isTerminal, type U64 } from "@duroxide-ts/core/stores";
import { UNDONE_AT_END, UNDONE_BY_HAND } from "../programs/saga.ts";

const UNDO = "undo ";

export function wrongSagas(key: string, events: readonly HistoryEvent[]): readonly string[] {
  const names = new Map<U64, string>();
  /** Outcomes by step, in the order of the calls. */
  const done = new Map<string, string>();
  const undone: string[] = [];
  const violations: string[] = [];
  let cancellations = 0;
  for (const event of events) {
    if (event.type === "OrchestrationCancelRequested") cancellations++;
    if (event.type === "ActivityScheduled") names.set(event.event_id, event.name);
    if (event.type !== "ActivityCompleted") continue;
    const name = names.get(event.source_event_id ?? 0) ?? "";
    // What ends after the cancellation was dropped, and is uncertain.
    if (isStep(name) && cancellations === 0) done.set(name, event.result);
    if (!name.startsWith(UNDO)) continue;
    const step = name.slice(UNDO.length);
    undone.push(step);
    if (done.get(step) !== event.result)
      violations.push(
        `${key}: "${step}" was undone with ${event.result}, and its outcome is ${done.get(step)}`,
      );
  }
  const steps = [...done.keys()].toReversed();
  const expected = expectedOf(steps, events, cancellations);
  if (expected !== undefined && undone.join() !== expected.join())
    violations.push(`${key}: undone are ${undone.join()}, and were to be ${expected.join()}`);
  if (expected === undefined && undone.join() !== steps.slice(0, undone.length).join())
    violations.push(`${key}: undone are ${undone.join()}, of ${steps.join()}`);
  return violations;
}

function isStep(name: string): boolean {
  return name.startsWith(UNDONE_BY_HAND) || name.startsWith(UNDONE_AT_END);
}

/** Steps that must be undone, in this order; `undefined` while the execution runs, or after an end that nobody awaits. */
function expectedOf(
  steps: readonly string[],
  events: readonly HistoryEvent[],
  cancellations: number,
): readonly string[] | undefined {
  const end = events.findLast(isTerminal);
  if (end === undefined || cancellations > 1) return undefined;
  if (end.type === "OrchestrationFailed") return cancellations === 1 ? steps : undefined;
  return steps.filter((step) => step.startsWith(UNDONE_BY_HAND));
}
