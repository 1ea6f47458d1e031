/** Listing, inspection, deletion and pruning. Reads take no locks (docs/reference/provider-contract.md §15, §16). */
import type { InstanceInfo } from "./instance-info.ts";
import type {
  CountKey,
  DeadLetterPage,
  DeadLetterQuery,
  InstanceCounts,
  InstanceQuery,
  InstanceQueryFilter,
  InstanceQueryPage,
  Worker,
  WorkerReport,
  WorkPage,
  WorkQuery,
} from "./queries.ts";
import type { InstanceRevision, RevisionOutcome } from "./revision.ts";
import type { Blocked, ExecutionStatus } from "./status.ts";

/**
 * The administrative interface of a store. Clients use it through `Admin`. Every list is a page at a time; a
 * continuation belongs to the query that returned it, and any other is `invalid-input`. The cost of a page is limited,
 * however much is stored: a page may have fewer entries than its limit, or none, and still a continuation. Only a page
 * without one is the last.
 */
export interface ProviderAdmin {
  /** The instances that match, in the order that the query names. */
  queryInstances(query?: InstanceQuery): Promise<InstanceQueryPage>;
  /** The number of matching instances, by the given properties; one entry with an empty key without any. */
  countInstances(filter?: InstanceQueryFilter, by?: readonly CountKey[]): Promise<InstanceCounts>;
  /** Rows of both queues: messages in the order of `visibleAtMs`, activities in the order in which they were queued. */
  listWork(query?: WorkQuery): Promise<WorkPage>;
  /** Rows that no process could read, newest first; none where the store sets none aside. */
  listDeadLetters(query?: DeadLetterQuery): Promise<DeadLetterPage>;
  /** Puts a dead letter back into its queue, visible at once, or deletes it. `false` for an unknown id. */
  settleDeadLetter(id: string, how: "requeue" | "drop"): Promise<boolean>;
  /** The processes that reported themselves within the last two minutes, by id. */
  listWorkers(): Promise<readonly Worker[]>;
  /**
   * Stores the report of a process in place of its last one; without a report, removes the last one. Runtimes call it at
   * most every 10 s. The id is that of the runtime; ids of its slots, in logs and events, end with it.
   */
  reportWorker(workerId: string, report: WorkerReport | undefined): Promise<void>;
  /** Ids, newest first by their starts, a page at a time. */
  listInstances(options?: ListInstancesOptions): Promise<InstancePage>;
  /** Ascending ids of the stored executions; empty for an unknown instance. */
  listExecutions(instanceId: string): Promise<readonly number[]>;
  /** The highest execution id; 1 for an unknown instance. */
  latestExecutionId(instanceId: string): Promise<number>;
  /** `instance-not-found` for an unknown id. */
  getInstanceInfo(instanceId: string): Promise<InstanceInfo>;
  /** The information of exactly that execution; `instance-not-found` if there is none. */
  getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo>;
  /** Counts over the whole store. */
  getSystemMetrics(): Promise<SystemMetrics>;
  /**
   * Optional. What gauges poll of `getSystemMetrics`, for a store where its other counts cost more the more is stored.
   */
  getRunningMetrics?(): Promise<RunningMetrics>;
  /** Rows that are visible and not locked. */
  getQueueDepths(): Promise<QueueDepths>;
  /** Blocked instances and activities, longest first (§8.1). */
  listBlocked(options?: ListBlockedOptions): Promise<BlockedPage>;
  /** Direct children; empty for a leaf or an unknown instance. */
  listChildren(instanceId: string): Promise<readonly string[]>;
  /** `undefined` for a root; `instance-not-found` for an unknown id. */
  getParentId(instanceId: string): Promise<string | undefined>;
  /** The instance and its descendants; an unknown id is a tree of one. */
  getInstanceTree(instanceId: string): Promise<InstanceTree>;
  /**
   * Deletes exactly these instances with all their data, or nothing. Rejects with `instance-still-running` unless
   * forced, and with `orphaned-child` if a child is not in the list. The lock of a deleted instance is lost, so a late
   * ack fails and does not create the instance again.
   */
  deleteInstancesAtomic(instanceIds: readonly string[], options?: DeleteOptions): Promise<DeleteResult>;
  /** Deletes a root with its tree. `instance-not-found`, `sub-orchestration`, `instance-still-running`. */
  deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult>;
  /** Deletes ended roots that match every given condition, each with its tree; skips others. */
  deleteInstances(filter: InstanceFilter): Promise<DeleteResult>;
  /** Deletes old executions: never the current or a running one. KV stays. */
  pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult>;
  /** The same for all matching instances of any status. */
  pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult>;
  /**
   * Changes an instance by hand: all of it, or nothing if the instance is not in the expected state (§15.2).
   * `instance-not-found` for an unknown id. A suspended instance is not handed out, and no fused turn of it is stored.
   */
  reviseInstance(revision: InstanceRevision): Promise<RevisionOutcome>;
}

/** The page and the filter of a list of instances. */
export interface ListInstancesOptions {
  /** Status of the current execution. */
  readonly status?: ExecutionStatus;
  /** Ids per page, 100 by default. */
  readonly limit?: number;
  /** Continuation of the previous page. */
  readonly continuation?: string;
}

/** A page of ids, and its continuation. */
export interface InstancePage {
  readonly instanceIds: readonly string[];
  /** Absent on the last page. */
  readonly continuation?: string;
}

/** The page of a list of blocked work. */
export interface ListBlockedOptions {
  /** Only work of this instance, itself first, then its activities: all of it in one page, without the other options. */
  readonly instanceId?: string;
  /** Entries per page, 100 by default. */
  readonly limit?: number;
  /** Continuation of the previous page. */
  readonly continuation?: string;
}

/** A page of blocked work, and its continuation. */
export interface BlockedPage {
  readonly blocked: readonly Blocked[];
  /** Absent on the last page. */
  readonly continuation?: string;
}

/** One execution. Times are ms since the epoch; `output` of a continued one is the next input. */
export interface ExecutionInfo {
  readonly executionId: number;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly startedAtMs: number;
  /** Absent while it runs. */
  readonly completedAtMs?: number;
  readonly eventCount: number;
}

/** Counts over the whole store. The statuses are those of current executions. */
export interface SystemMetrics {
  readonly totalInstances: number;
  readonly totalExecutions: number;
  readonly runningInstances: number;
  readonly completedInstances: number;
  readonly failedInstances: number;
  readonly totalEvents: number;
  /** The number of blocked instances and activities; absent if the store does not keep it (§8.1). */
  readonly blockedWork?: number;
  /**
   * Messages that were set aside or discarded; a wait for such a message never ends. Absent if the store keeps none.
   */
  readonly deadMessages?: number;
}

/** The counts of what runs: those of `SystemMetrics` that cost little however much is stored. */
export type RunningMetrics = Pick<SystemMetrics, "runningInstances" | "blockedWork">;

/** Rows that are visible and not locked. */
export interface QueueDepths {
  readonly orchestratorQueue: number;
  readonly workerQueue: number;
  /** Orchestrator rows that become visible later. */
  readonly timerQueue: number;
}

/** An instance and all its descendants. */
export interface InstanceTree {
  readonly rootId: string;
  /** The root and all its descendants, children before parents. */
  readonly allIds: readonly string[];
}

/** How an instance is deleted. */
export interface DeleteOptions {
  /** Also deletes running instances. */
  readonly force?: boolean;
}

/** Conditions are combined with AND. */
export interface InstanceFilter {
  /** An empty list matches nothing. */
  readonly instanceIds?: readonly string[];
  /** The current execution completed before this instant, ms since the epoch. */
  readonly completedBeforeMs?: number;
  /** The most instances (roots, for deletion); 1000 by default. */
  readonly limit?: number;
}

/** Counts of what was deleted. */
export interface DeleteResult {
  readonly instancesDeleted: number;
  readonly executionsDeleted: number;
  readonly eventsDeleted: number;
  readonly queueMessagesDeleted: number;
}

/** Conditions are combined with AND. */
export interface PruneOptions {
  /** The number of newest executions to keep; 0, 1 and absent all keep just the current one. */
  readonly keepLast?: number;
  readonly completedBeforeMs?: number;
}

/** Counts of what was pruned. */
export interface PruneResult {
  readonly instancesProcessed: number;
  readonly executionsDeleted: number;
  readonly eventsDeleted: number;
}
