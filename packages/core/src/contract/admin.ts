/** Listing, inspection, deletion and pruning. Reads take no locks (docs/reference/provider-contract.md §15, §16). */
import type { InstanceInfo } from "./instance-info.ts";
import type {
  CountKey,
  DeadLetterPage,
  DeadLetterQuery,
  InstanceCounts,
  InstanceFilter,
  InstanceQuery,
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
  countInstances(filter?: InstanceFilter, by?: readonly CountKey[]): Promise<InstanceCounts>;
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
  /**
   * The stored executions, by ascending id, or only the given one; empty where there is none. In the list of all, an
   * `output` above 8,192 bytes is `null`.
   */
  listExecutions(instanceId: string, executionId?: number): Promise<readonly ExecutionInfo[]>;
  /** `instance-not-found` for an unknown id. */
  getInstanceInfo(instanceId: string): Promise<InstanceInfo>;
  /** Counts over the whole store. */
  getSystemMetrics(): Promise<SystemMetrics>;
  /** Counts of what waits and runs now, for gauges that poll: the cost does not grow with what is stored. */
  getQueueDepths(): Promise<QueueDepths>;
  /** Blocked instances and activities, longest first (§8.1). */
  listBlocked(options?: ListBlockedOptions): Promise<BlockedPage>;
  /**
   * Deletes a root with its tree, all or nothing. `instance-not-found`, `sub-orchestration`, `instance-still-running`.
   * The lock of a deleted instance is lost, so a late ack fails and does not create the instance again.
   */
  deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult>;
  /**
   * Deletes ended roots that match, the oldest ends first, each with its tree. Skips others, and a root that has changed
   * since it was found.
   */
  deleteInstances(filter: InstanceFilter, options?: BulkOptions): Promise<DeleteResult>;
  /**
   * Deletes old executions of all instances that match: never the current or a running one. KV stays. Rejects if it
   * fails for every instance.
   */
  pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult>;
  /**
   * Changes an instance by hand: all of it, or nothing if the instance is not in the expected state (§15.2).
   * `instance-not-found` for an unknown id. A suspended instance is not handed out, and no fused turn of it is stored.
   */
  reviseInstance(revision: InstanceRevision): Promise<RevisionOutcome>;
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
  /** Cancelled ones among them. */
  readonly failedInstances: number;
  readonly totalEvents: number;
  /** The number of blocked instances and activities; absent if the store does not keep it (§8.1). */
  readonly blockedWork?: number;
  /**
   * Messages that were set aside or discarded; a wait for such a message never ends. Absent if the store keeps none.
   */
  readonly deadMessages?: number;
}

/** Rows that are visible and not locked, and counts of what runs. */
export interface QueueDepths {
  readonly orchestratorQueue: number;
  readonly workerQueue: number;
  /** Orchestrator rows that become visible later. */
  readonly timerQueue: number;
  readonly runningInstances: number;
  /** The number of blocked instances and activities; absent if the store does not keep it (§8.1). */
  readonly blockedWork?: number;
}

/** How an instance is deleted. */
export interface DeleteOptions {
  /** Also deletes running instances. */
  readonly force?: boolean;
}

/** How much a bulk deletion or pruning does. */
export interface BulkOptions {
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

/** Conditions on the executions that are deleted, combined with AND. */
export interface PruneOptions extends BulkOptions {
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
