/** The state of an instance that runs, which only its history knows. */
import type { InstanceTimeline } from "../timeline/timeline.ts";
import { STEP_TAG, UNDO_PREFIX } from "../wire/known-code.ts";

/** The state of an instance that runs, as its history says it. */
export type RunningState = "running" | "waiting" | "retrying" | "cancelling" | "compensating";

/**
 * `cancelling` if it cleans up after a cancellation, `compensating` if a saga undoes what it has done, `retrying` if an
 * activity is tried again, `waiting` if nothing is to be done now.
 */
export function runningState(timeline: InstanceTimeline): RunningState {
  const { waits, cancelRequested } = timeline;
  if (cancelRequested !== undefined) return "cancelling";
  if (undoes(timeline)) return "compensating";
  if (waits.some(({ nextRetryAtMs, attempt = 1 }) => nextRetryAtMs !== undefined || attempt > 1))
    return "retrying";
  const works =
    waits.length === 0 ||
    waits.some(({ kind, limit }) => (kind === "activity" && limit === undefined) || kind === "system");
  return works ? "running" : "waiting";
}

/** Whether an undo is open: a step whose name says so. */
function undoes({ steps }: InstanceTimeline): boolean {
  return steps.some(
    (step) =>
      step.kind === "activity" &&
      step.outcome === "open" &&
      step.tag === STEP_TAG &&
      step.name.startsWith(UNDO_PREFIX),
  );
}
