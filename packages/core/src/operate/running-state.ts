/** The state of an instance that runs, which only its history knows. */
import type { InstanceTimeline } from "../timeline/timeline.ts";

/** The state of an instance that runs, as its history says it. */
export type RunningState = "running" | "waiting" | "retrying" | "cancelling";

/**
 * `cancelling` if it cleans up after a cancellation, `retrying` if an activity is tried again, `waiting` if nothing is to
 * be done now.
 */
export function runningState({ waits, cancelRequested }: InstanceTimeline): RunningState {
  if (cancelRequested !== undefined) return "cancelling";
  if (waits.some(({ nextRetryAtMs, attempt = 1 }) => nextRetryAtMs !== undefined || attempt > 1))
    return "retrying";
  const works = waits.length === 0 || waits.some(({ kind }) => kind === "activity" || kind === "system");
  return works ? "running" : "waiting";
}
