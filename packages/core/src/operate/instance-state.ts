/** The state of an instance as operators name it, the same in every tool. */
import type { InstanceFilter, InstanceSummary } from "../contract/queries.ts";
import { CANCELLED_PREFIX } from "../wire/error-details.ts";

/** The state of an instance that is open, or how it ended. */
export type InstanceState = "running" | "blocked" | "suspended" | "completed" | "failed" | "cancelled";

/** States of an instance that has not ended. */
export const OPEN_STATES: readonly InstanceState[] = ["running", "blocked", "suspended"];

/** States of an instance that has ended. */
export const ENDED_STATES: readonly InstanceState[] = ["completed", "failed", "cancelled"];

/** All states, the open ones first. */
export const INSTANCE_STATES: readonly InstanceState[] = [...OPEN_STATES, ...ENDED_STATES];

/** The end is the last state; what is suspended or blocked is not running, because no turn of it begins. */
export function instanceState(summary: InstanceSummary): InstanceState {
  if (summary.status === "Completed") return "completed";
  if (summary.status === "Failed") return isCancelled(summary) ? "cancelled" : "failed";
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
};

/** Finds the instances in the state of those that the filter finds: none, if it asks for failures of another kind. */
export function inState(filter: InstanceFilter, state: InstanceState): InstanceFilter {
  const { failureCategory: possible, ...conditions } = FILTERS[state];
  const { failureCategory: asked } = filter;
  const failureCategory = asked === undefined ? possible : possible?.filter((it) => asked.includes(it));
  return { ...filter, ...conditions, ...(failureCategory !== undefined && { failureCategory }) };
}

/** Rust stores no failure. */
function isCancelled({ failure, output }: InstanceSummary): boolean {
  return failure === undefined
    ? output?.startsWith(CANCELLED_PREFIX) === true
    : failure.category === "cancelled";
}
