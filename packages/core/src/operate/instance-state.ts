/** The state of an instance as operators name it, the same in every tool. */
import type { InstanceFilter, InstanceSummary } from "../contract/queries.ts";
import { CANCELLED_PREFIX } from "../wire/error-details.ts";

/** The state of an instance that is open, or how it ended. */
export type InstanceState =
  | "running"
  | "blocked"
  | "suspended"
  | "completed"
  | "failed"
  | "cancelled"
  /** Cancelled, and its clean-up failed: what that was to undo is left. */
  | "clean-up-failed";

/** The words for states that are not their own words. */
export function stateWords(state: string): string {
  return state === "clean-up-failed" ? "cancelled, clean-up failed" : state;
}

/** States of an instance that has not ended. */
export const OPEN_STATES: readonly InstanceState[] = ["running", "blocked", "suspended"];

/** States of an instance that has ended. */
export const ENDED_STATES: readonly InstanceState[] = ["completed", "failed", "cancelled", "clean-up-failed"];

/** All states, the open ones first. */
export const INSTANCE_STATES: readonly InstanceState[] = [...OPEN_STATES, ...ENDED_STATES];

/** The end is the last state; what is suspended or blocked is not running, because no turn of it begins. */
export function instanceState(summary: InstanceSummary): InstanceState {
  if (summary.status === "Completed") return "completed";
  if (summary.status === "Failed") return failedState(summary);
  if (summary.suspended !== undefined) return "suspended";
  return summary.blocked === undefined ? "running" : "blocked";
}

const OPEN = ["Running", "ContinuedAsNew"] as const;

const FILTERS: Readonly<Record<InstanceState, InstanceFilter>> = {
  running: { status: OPEN, blocked: false, suspended: false },
  blocked: { status: OPEN, blocked: true, suspended: false },
  suspended: { status: OPEN, suspended: true },
  completed: { status: ["Completed"] },
  failed: {
    status: ["Failed"],
    failureCategory: ["application", "configuration", "infrastructure", "poison"],
  },
  cancelled: { status: ["Failed"], failureCategory: ["cancelled"] },
  "clean-up-failed": { status: ["Failed"], failureCategory: ["clean-up-failed"] },
};

/** Finds the instances in the state of those that the filter finds: none, if it asks for failures of another kind. */
export function inState(filter: InstanceFilter, state: InstanceState): InstanceFilter {
  const { failureCategory: possible, ...conditions } = FILTERS[state];
  const { failureCategory: asked } = filter;
  const failureCategory = asked === undefined ? possible : possible?.filter((it) => asked.includes(it));
  return { ...filter, ...conditions, ...(failureCategory !== undefined && { failureCategory }) };
}

/** Rust stores no failure. */
function failedState({ failure, output }: InstanceSummary): "failed" | "cancelled" | "clean-up-failed" {
  if (failure === undefined) return output?.startsWith(CANCELLED_PREFIX) === true ? "cancelled" : "failed";
  const { category } = failure;
  return category === "cancelled" || category === "clean-up-failed" ? category : "failed";
}
