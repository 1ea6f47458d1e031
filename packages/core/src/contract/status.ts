/** How executions stand, and why work is blocked: what the contract and its administration share. */

/** How an execution stands. A cancelled one is `Failed`. */
export type ExecutionStatus = "Running" | "Completed" | "Failed" | "ContinuedAsNew";

/** Why work cannot go on here, for operators. */
export interface BlockedReason {
  readonly reason: "nondeterminism" | "missing-orchestration" | "missing-activity" | "store";
  /** One line: what is missing or different, and what to do. */
  readonly detail: string;
}

/** Work that is waiting for fitting code, or for a store that takes its turn. Times are ms since the epoch. */
export interface Blocked extends BlockedReason {
  readonly instanceId: string;
  /** The activity that is blocked; absent where it is the instance itself. */
  readonly activity?: { readonly executionId: number; readonly activityId: number; readonly name: string };
  /** When it was given back as blocked for the first time without a success since. */
  readonly sinceMs: number;
  /** How often it was given back as blocked since then. */
  readonly attempts: number;
  /** When it is offered again at the latest. */
  readonly nextTryAtMs: number;
}
