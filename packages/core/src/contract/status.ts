/** The status of executions, and reasons of blocked work, for the contract and its administration. */

/** The status of an execution as stored. A cancelled one is `Failed`; lists and `handle.status()` tell it apart. */
export type ExecutionStatus = "Running" | "Completed" | "Failed" | "ContinuedAsNew";

/** Whether the status, also one that clients see, is that of an end; a continued execution has not ended its instance. */
export function hasEnded(status: string | undefined): boolean {
  return status === "Completed" || status === "Failed" || status === "Cancelled";
}

/** Why a process cannot process work, for operators. */
export interface BlockedReason {
  readonly reason:
    | "nondeterminism"
    | "defect"
    | "missing-orchestration"
    | "missing-activity"
    | "store"
    | "attempts";
  /** One line: what is missing or different, and what to do. */
  readonly detail: string;
}

/**
 * Work that waits for matching code, for a process with its tag, for a store that accepts its turn, or for another attempt
 * after all have failed. Times are ms
 * since the epoch.
 */
export interface Blocked extends Omit<BlockedReason, "reason"> {
  /** `"unserved-tag"`: an activity with a tag that no process takes. Clients find it; stores have the other reasons. */
  readonly reason: BlockedReason["reason"] | "unserved-tag";
  readonly instanceId: string;
  /** The blocked activity; absent if the instance itself is blocked. */
  readonly activity?: { readonly executionId: number; readonly activityId: number; readonly name: string };
  /** Time of its first release as blocked since its last success; of an unserved tag, when it could first be taken. */
  readonly sinceMs: number;
  /** How often it was released as blocked since then; 0 of an unserved tag. */
  readonly attempts: number;
  /** The latest time at which it becomes eligible again. */
  readonly nextTryAtMs: number;
}
