/** The states that have a colour and a glyph (docs/decisions/dashboard.md). */

export type State =
  | "running"
  /** Its start is delayed, and to come. */
  | "scheduled"
  /** The limit of its start holds its code back. */
  | "waiting-for-limit"
  | "completed"
  | "failed"
  | "cancelled"
  /** Cancelled, and its clean-up failed: what that was to undo is left. */
  | "clean-up-failed"
  | "blocked"
  | "suspended"
  | "retrying"
  | "waiting"
  | "queued"
  /** It runs, and cleans up after a cancellation. */
  | "cancelling"
  /** It runs, and a saga undoes what it has done. */
  | "compensating";

/** The states of an instance. */
export type InstanceState =
  | "running"
  | "scheduled"
  | "waiting-for-limit"
  | "completed"
  | "failed"
  | "cancelled"
  | "clean-up-failed"
  | "blocked"
  | "suspended";

/** The states of an instance that runs, which its history knows. */
export type RunningState = "running" | "waiting" | "retrying" | "cancelling" | "compensating";

/** States of an instance that has not ended. */
export const OPEN_STATES: readonly InstanceState[] = [
  "running",
  "scheduled",
  "waiting-for-limit",
  "blocked",
  "suspended",
];

/** States of an instance that has ended. */
export const ENDED_STATES: readonly InstanceState[] = ["completed", "failed", "cancelled", "clean-up-failed"];

export const INSTANCE_STATES: readonly InstanceState[] = [
  "running",
  "scheduled",
  "waiting-for-limit",
  "completed",
  "failed",
  "cancelled",
  "clean-up-failed",
  "blocked",
  "suspended",
];

/** The words for states that are not their own words. */
export function stateWords(state: string): string {
  if (state === "waiting-for-limit") return "waiting for limit";
  return state === "clean-up-failed" ? "cancelled, clean-up failed" : state;
}
