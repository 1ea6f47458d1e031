/** The state of an instance as operators name it, the same in every tool. */
import type { InstanceSummary } from "../contract/queries.ts";
import { CANCELLED_PREFIX } from "../wire/error-details.ts";

/** What an instance does, or how it ended. */
export type InstanceState = "running" | "blocked" | "suspended" | "completed" | "failed" | "cancelled";

/** The end is the last state; what is suspended or blocked is not running, because no turn of it begins. */
export function instanceState(summary: InstanceSummary): InstanceState {
  if (summary.status === "Completed") return "completed";
  if (summary.status === "Failed") return isCancelled(summary) ? "cancelled" : "failed";
  if (summary.suspended !== undefined) return "suspended";
  return summary.blocked === undefined ? "running" : "blocked";
}

/** Rust stores no failure. */
function isCancelled({ failure, output }: InstanceSummary): boolean {
  return failure === undefined
    ? output?.startsWith(CANCELLED_PREFIX) === true
    : failure.category === "cancelled";
}
