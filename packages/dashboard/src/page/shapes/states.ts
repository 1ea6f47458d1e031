/** The states that have a colour and a glyph (docs/decisions/dashboard.md). */
import type { InstanceState, RunningState } from "@duroxide-ts/core/operate";

export type State = InstanceState | RunningState | "queued";

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
