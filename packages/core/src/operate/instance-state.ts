/** The state of an instance as operators name it, the same in every tool. */
import type { InstanceFilter, InstanceSummary } from "../contract/queries.ts";

/** The state of an instance that is open, or how it ended. */
export type InstanceState =
  | "running"
  /** Its start is delayed, and to come. */
  | "scheduled"
  /** The limit of its start holds its code back. */
  | "waiting-for-limit"
  | "blocked"
  | "suspended"
  | "completed"
  | "failed"
  | "cancelled"
  /** Cancelled, and its clean-up failed: what that was to undo is left. */
  | "clean-up-failed";

/** The words for states that are not their own words. */
export function stateWords(state: string): string {
  if (state === "waiting-for-limit") return "waiting for limit";
  return state === "clean-up-failed" ? "cancelled, clean-up failed" : state;
}

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

/** All states, the open ones first. */
export const INSTANCE_STATES: readonly InstanceState[] = [...OPEN_STATES, ...ENDED_STATES];

/** The end is the last state; what is suspended or blocked is not running, because no turn of it begins. */
export function instanceState({ status, failure, suspended, blocked }: InstanceSummary): InstanceState {
  if (status === "Completed") return "completed";
  if (status === "Failed") return "failed";
  if (status === "Cancelled")
    return failure?.category === "clean-up-failed" ? "clean-up-failed" : "cancelled";
  if (suspended !== undefined) return "suspended";
  if (blocked !== undefined) return "blocked";
  if (status === "Waiting") return "waiting-for-limit";
  return status === "Scheduled" ? "scheduled" : "running";
}

const RUNNING = ["Running", "ContinuedAsNew"] as const;
const OPEN = [...RUNNING, "Scheduled", "Waiting"] as const;

const FILTERS: Readonly<Record<InstanceState, InstanceFilter>> = {
  running: { status: RUNNING, blocked: false, suspended: false },
  scheduled: { status: ["Scheduled"], blocked: false, suspended: false },
  "waiting-for-limit": { status: ["Waiting"], blocked: false, suspended: false },
  blocked: { status: OPEN, blocked: true, suspended: false },
  suspended: { status: OPEN, suspended: true },
  completed: { status: ["Completed"] },
  failed: { status: ["Failed"] },
  cancelled: { status: ["Cancelled"], failureCategory: ["cancelled"] },
  "clean-up-failed": { status: ["Cancelled"], failureCategory: ["clean-up-failed"] },
};

/** Finds the instances in the state of those that the filter finds: none, if it asks for failures of another kind. */
export function inState(filter: InstanceFilter, state: InstanceState): InstanceFilter {
  const { failureCategory: possible, ...conditions } = FILTERS[state];
  const { failureCategory: asked } = filter;
  const failureCategory =
    asked === undefined ? possible : asked.filter((it) => possible === undefined || possible.includes(it));
  return { ...filter, ...conditions, ...(failureCategory !== undefined && { failureCategory }) };
}
