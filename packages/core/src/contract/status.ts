/** The status of executions, and reasons of blocked work, for the contract and its administration. */

/** The status of an execution. A cancelled one is `Failed`. */
export type ExecutionStatus = "Running" | "Completed" | "Failed" | "ContinuedAsNew";

/** Why a process cannot process work, for operators. */
export interface BlockedReason {
  readonly reason: "nondeterminism" | "missing-orchestration" | "missing-activity" | "store";
  /** One line: what is missing or different, and what to do. */
  readonly detail: string;
}

/** Work that waits for matching code, or for a store that accepts its turn. Times are ms since the epoch. */
export interface Blocked extends BlockedReason {
  readonly instanceId: string;
  /** The blocked activity; absent if the instance itself is blocked. */
  readonly activity?: { readonly executionId: number; readonly activityId: number; readonly name: string };
  /** When it was first released as blocked since its last success. */
  readonly sinceMs: number;
  /** How often it was released as blocked since then. */
  readonly attempts: number;
  /** The latest time at which it becomes eligible again. */
  readonly nextTryAtMs: number;
}
