/** The states that have a colour and a glyph (docs/decisions/dashboard.md). */

export type State =
  | "running"
  | "completed"
  | "failed"
  | "cancelled"
  | "blocked"
  | "suspended"
  | "retrying"
  | "waiting"
  | "queued"
  /** It runs, and cleans up after a cancellation. */
  | "cancelling";

/** The states of an instance. */
export type InstanceState = "running" | "completed" | "failed" | "cancelled" | "blocked" | "suspended";

/** The states of an instance that runs, which its history knows. */
export type RunningState = "running" | "waiting" | "retrying" | "cancelling";

/** States of an instance that has not ended. */
export const OPEN_STATES: readonly InstanceState[] = ["running", "blocked", "suspended"];

/** States of an instance that has ended. */
export const ENDED_STATES: readonly InstanceState[] = ["completed", "failed", "cancelled"];

export const INSTANCE_STATES: readonly InstanceState[] = [
  "running",
  "completed",
  "failed",
  "cancelled",
  "blocked",
  "suspended",
];
