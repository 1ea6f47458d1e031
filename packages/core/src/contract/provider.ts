/**
 * What the runtime asks of a store. A provider keeps histories, two queues, instance locks, sessions and KV;
 * it does not interpret orchestrations. The rules in full: docs/reference/provider-contract.md (sections are
 * cited as §n). Conventions for every method:
 *
 * - Durations and instants are whole milliseconds. "Nothing" is `undefined`; `null` is a stored value.
 * - Every method may be called concurrently, by several runtimes and several processes on one store.
 * - Failures are `ProviderError`s (§3). A provider absorbs transient faults itself where it can.
 * - A lock is valid while its token matches and its deadline lies in the future; at the deadline it is invalid
 *   even if nobody else has taken it (§4).
 */
import type { ErrorDetails } from "../wire/error-details.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { Semver, VersionRange } from "../wire/version.ts";
import type { ActivityExecute, ActivityOutcome, OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";
import type { ProviderAdmin } from "./admin.ts";
import type { Blocked, BlockedReason, ExecutionStatus } from "./status.ts";

/** A store. One object serves any number of runtimes and clients; every method may be called concurrently. */
export interface Provider extends AsyncDisposable {
  /** For logs and metrics, such as "sqlite". */
  readonly name: string;
  readonly version: string;
  /** `undefined` where the store cannot be listed or pruned. */
  readonly admin: ProviderAdmin | undefined;

  /**
   * Locks one instance and returns it with all its visible messages; `undefined` when nothing is eligible
   * within `pollTimeoutMs` (§6). Atomic: candidate (capability filter first), lock, message tags and attempt
   * counts in one step. An error means that no lock is held. Trouble with a locked instance's stored history
   * is reported as `historyError`, never thrown.
   */
  fetchOrchestrationItem(options: FetchOrchestrationOptions): Promise<FetchedOrchestration | undefined>;

  /**
   * Commits a turn: all of it or nothing (§7). Fails with `lock-lost` when the lock is not valid at the moment
   * of the commit, and with `duplicate-event` when an event id exists; either way nothing has changed, and in
   * the second case the lock is still held.
   */
  ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration>;

  /**
   * Unlocks the instance and gives back the messages of this fetch (§8). Delay and attempt undo touch only
   * rows that this fetch tagged. An expired token that nobody re-took is accepted; an unknown one is `lock-lost`.
   *
   * With `blocked` the batch stays whole: the instance is offered again after `delayMs`, or as soon as another
   * message of it becomes visible, and then always with the rows of this fetch, so that their order holds (§8.1).
   */
  abandonOrchestrationItem(lockToken: string, options?: AbandonOptions): Promise<void>;

  /** Moves a valid lock's deadline to now + `extendMs`, never backwards. `lock-lost` otherwise (§8). */
  renewOrchestrationItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void>;

  /** Events of the latest execution by id; empty for an unknown instance; `corrupt-data` rather than a gap (§9). */
  readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]>;

  /** Appends events outside a turn; for tests and fault injection (§9). Atomic; duplicates are refused. */
  appendHistory(instanceId: string, executionId: number, events: readonly HistoryEvent[]): Promise<void>;

  /** One row for the activity, visible at once (§10). */
  enqueueForWorker(item: ActivityExecute): Promise<void>;

  /**
   * One row for the item's instance, visible after `delayMs`. Never creates the instance (§10). With a
   * `messageId`, a second call with the same id for the same instance stores nothing, also when the first
   * message was consumed already; the store remembers an id for at least a day.
   */
  enqueueForOrchestrator(item: OrchestratorItem, delayMs?: number, options?: EnqueueOptions): Promise<void>;

  /**
   * Optional. Stores a start with what belongs to it, all of it or nothing, and says whether it did (§10.1). A call
   * with a `messageId` that was used for the instance before stores nothing and answers `stored`.
   */
  startInstance?(
    start: WorkItemOf<"StartOrchestration">,
    options: StartInstanceOptions,
  ): Promise<StartOutcome>;

  /**
   * Locks the oldest eligible activity: visible, unlocked, of an accepted tag (§12) and session (§11).
   * A session row and its session are claimed in one step. A blocked row never hides a later eligible one.
   */
  fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined>;

  /**
   * Deletes the locked activity and enqueues its outcome, atomically; without an outcome it is dropped
   * silently (§10). `lock-lost` when the row is gone (cancelled, acked) or the lock has expired.
   */
  ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void>;

  /** Extends a valid activity lock; `lock-lost` is how a worker learns that its activity was cancelled (§10). */
  renewWorkItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void>;

  /** Unlocks the activity; visible again after `delayMs`. `lock-lost` for an unknown token (§10). */
  abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void>;

  /** Extends the owners' live sessions that were active within `idleTimeoutMs`; returns how many (§11). */
  renewSessionLocks(options: RenewSessionsOptions): Promise<number>;

  /**
   * Removes expired sessions that no activity row refers to; returns how many (§11). A store may ignore
   * `idleTimeoutMs`, as all stores of this repository do: an expired session is idle.
   */
  cleanupOrphanedSessions(idleTimeoutMs: number): Promise<number>;

  /**
   * Status, output and custom status in one cheap read without a lock: what every client wait uses.
   * `undefined` for an unknown instance.
   */
  getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined>;

  /** Custom status when its version is above `lastSeenVersion`, else `undefined` (§14). */
  getCustomStatus(instanceId: string, lastSeenVersion: number): Promise<CustomStatus | undefined>;

  /** The live value (both layers in one view, §13); `undefined` for an absent key or instance. */
  getKvValue(instanceId: string, key: string): Promise<string | undefined>;

  /** All live values; empty for an unknown instance. */
  getKvAllValues(instanceId: string): Promise<ReadonlyMap<string, string>>;

  /** Size of the current execution and of the KV; `undefined` for an unknown instance (§14). */
  getInstanceStats(instanceId: string): Promise<InstanceStats | undefined>;

  /** Optional. What of the instance is blocked: itself first, then its activities. Empty for an unknown instance. */
  getBlocked?(instanceId: string): Promise<readonly Blocked[]>;

  /**
   * Optional. Calls `listener` after each commit of this process that may have changed what a client can see
   * of the instance, until the returned function is called. A hint only: other processes' commits are found
   * by polling.
   */
  watchInstance?(instanceId: string, listener: () => void): () => void;
}

/** How a turn is fetched. Times are ms. */
export interface FetchOrchestrationOptions {
  readonly lockTimeoutMs: number;
  /** How long a long-polling provider may wait for work. Short-polling providers return at once. */
  readonly pollTimeoutMs: number;
  /** Only executions whose pinned version lies in a range; an empty list matches nothing (§6.2). */
  readonly supportedVersions?: readonly VersionRange[];
  /**
   * Names of the orchestrations that the caller has code for; without it, all. A provider may leave an instance of
   * another name to callers that have its code, without a lock and without an attempt (§6.2a); others ignore this.
   */
  readonly orchestrations?: ReadonlySet<string>;
  /** Ends the wait. A lock that was taken meanwhile expires by itself (§5). */
  readonly signal?: AbortSignal;
  /**
   * The history tag up to which the caller holds the instance's history in memory. A provider that still
   * stands at that tag may leave history and KV out of the item (`historyOmitted`); others ignore this.
   */
  readonly heldHistory?: (instanceId: string) => string | undefined;
}

/** A locked instance. */
export interface FetchedOrchestration {
  readonly item: OrchestrationItem;
  readonly lockToken: string;
  /** How often this batch was fetched, this time included: the maximum over its rows (§4). */
  readonly attemptCount: number;
  /** When the lock ends, ms since the epoch by the provider's clock. Without it the lock ends `lockTimeoutMs` after the call. */
  readonly lockedUntilMs?: number;
  /** A row of the batch was marked by `renewOrchestrationItemLock(…, { alone: true })`. */
  readonly ranAlone?: boolean;
  /** The last fetch of this batch gave it back as blocked. */
  readonly blocked?: Blocked;
}

/** What a turn works on. */
export interface OrchestrationItem {
  readonly instanceId: string;
  /** From the instance, else from history, else from the start message in the batch. */
  readonly orchestrationName: string;
  /** From the instance, else from the start message; `"unknown"` where neither says. */
  readonly version: string;
  /** The current execution; 1 for a new instance. */
  readonly executionId: number;
  /** All events of the current execution by id, empty where `historyError` or `historyOmitted` is set. */
  readonly history: readonly HistoryEvent[];
  /** The tagged rows by order time (§4.1): a TimerFired's `fire_at_ms`, else the time of the enqueue; ties in queue order. */
  readonly messages: readonly OrchestratorItem[];
  /** Why the stored history cannot be decoded. */
  readonly historyError?: string;
  /** KV as of the end of the previous execution (§13); empty where `historyOmitted` is set. */
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  /** The caller's copy (see `heldHistory`) is current, so history and KV were not read. */
  readonly historyOmitted?: boolean;
}

/** A stored value, and when it was set, ms since the epoch. */
export interface KvEntry {
  readonly value: string;
  readonly lastUpdatedAtMs: number;
}

/** What a turn commits. */
export interface OrchestrationAck {
  readonly lockToken: string;
  /** The execution that `historyDelta` belongs to; one more than the fetched one after a continue-as-new. */
  readonly executionId: number;
  readonly historyDelta: readonly HistoryEvent[];
  readonly workerItems: readonly ActivityExecute[];
  /** For any instance, in order. A TimerFired becomes visible at its `fire_at_ms`, the rest at once. */
  readonly orchestratorItems: readonly OrchestratorItem[];
  /**
   * Queue messages of this instance that an execution which continues as new did not read and that its start
   * cannot carry. They go back to the head of the instance's queue: in this order, before every row that it has,
   * and visible at once (§7.1).
   */
  readonly returnedMessages?: readonly WorkItemOf<"QueueMessage">[];
  readonly metadata: ExecutionMetadata;
  /** Removed from the worker queue after `workerItems` were added, locked or not; unknown ones are ignored. */
  readonly cancelledActivities: readonly ActivityId[];
}

/** What is absent stays as it is stored. */
export interface ExecutionMetadata {
  readonly status?: "Completed" | "Failed" | "ContinuedAsNew";
  /** Stored with `status`: result, display message of the failure, or the next execution's input. */
  readonly output?: string | null;
  /** An instance comes into being by an ack that has both name and version. */
  readonly orchestrationName?: string;
  readonly orchestrationVersion?: string;
  /** Immutable once the instance exists. */
  readonly parentInstanceId?: string;
  /** Pins the acked execution; sent with its OrchestrationStarted only. */
  readonly pinnedVersion?: Semver;
}

/** Names one activity of one execution. */
export interface ActivityId {
  readonly instanceId: string;
  readonly executionId: number;
  /** `event_id` of its ActivityScheduled. */
  readonly activityId: number;
}

/** What a store says of a committed turn. */
export interface AckedOrchestration {
  /** Names the history as this commit left it, for `heldHistory`. Absent where the provider has no such tag. */
  readonly historyTag?: string;
}

/** How work is given back. */
export interface AbandonOptions {
  /** Hides the rows of the fetch for so long; by default they are visible at once. */
  readonly delayMs?: number;
  /** Takes this fetch off the attempt counts again, never below zero. */
  readonly ignoreAttempt?: boolean;
  /** Why this process cannot go on with the work. Stored until a later fetch of it ends in any other way (§8.1). */
  readonly blocked?: BlockedReason;
}

/** What else a renewal does, in the same write. */
export interface RenewOptions {
  /** Takes this fetch off the attempt counts again, never below zero: the process was running the work already. */
  readonly ignoreAttempt?: boolean;
  /** Marks the rows of the fetch: they are about to run alone in their process. Later fetches say `ranAlone`. */
  readonly alone?: boolean;
}

/** How a message is enqueued. */
export interface EnqueueOptions {
  /** 1 to 200 characters. Names the message, so that a repetition after a lost answer is stored once. */
  readonly messageId?: string;
}

/** What a start is stored with, and what if its instance exists (§10.1). */
export interface StartInstanceOptions {
  /**
   * What becomes of the start where the instance exists or a start of it is queued. `reuse`: it is stored all the same,
   * and has no effect; its messages reach the instance that is there. `fail`: nothing is stored. `restart`: a
   * completed or failed instance is deleted with its tree, and started anew; of any other nothing is stored.
   */
  readonly ifExists: "reuse" | "fail" | "restart";
  /** For the same instance, in this order, after the start. */
  readonly messages: readonly StartMessage[];
  /** Stored only where no instance and no other start is there: ends the instance after `delayMs`. */
  readonly deadline?: { readonly item: WorkItemOf<"CancelInstance">; readonly delayMs: number };
  /** 1 to 200 characters, as that of a message. */
  readonly messageId?: string;
}

/** What may be stored with a start. */
export type StartMessage = WorkItemOf<"ExternalRaised"> | WorkItemOf<"QueueMessage">;

/** Whether a start was stored; else how the instance stands that has its id, `Queued` before its first turn. */
export type StartOutcome =
  | { readonly kind: "stored" }
  | { readonly kind: "exists"; readonly status: "Queued" | "Running" | "Completed" | "Failed" };

/** How an activity is fetched. Times are ms. */
export interface FetchWorkOptions {
  readonly lockTimeoutMs: number;
  readonly pollTimeoutMs: number;
  /** Without it only activities outside any session are eligible. */
  readonly session?: SessionClaim;
  readonly tagFilter: TagFilter;
  /** Names of the activities that the caller has code for; the same as `orchestrations` of a fetch of turns. */
  readonly activities?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** For whom, and for how long in ms, a session is claimed. */
export interface SessionClaim {
  readonly ownerId: string;
  readonly lockTimeoutMs: number;
}

/** Which activities a worker takes, by exact tag. Sets have 1 to 5 entries (§12). */
export type TagFilter =
  | { readonly kind: "default-only" }
  | { readonly kind: "tags"; readonly tags: readonly string[] }
  | { readonly kind: "default-and"; readonly tags: readonly string[] }
  | { readonly kind: "any" }
  | { readonly kind: "none" };

/** A locked activity. `attemptCount` includes this time. */
export interface FetchedWork {
  readonly item: ActivityExecute;
  readonly lockToken: string;
  readonly attemptCount: number;
  /** The orchestration that asked, where the provider knows it without reading a history. */
  readonly orchestration?: { readonly name: string; readonly version: string };
  /** When the lock ends, ms since the epoch by the provider's clock. Without it the lock ends `lockTimeoutMs` after the call. */
  readonly lockedUntilMs?: number;
  /** The row was marked by `renewWorkItemLock(…, { alone: true })`. */
  readonly ranAlone?: boolean;
  /** The last fetch of this activity gave it back as blocked. */
  readonly blocked?: Blocked;
}

/** Whose sessions are extended. Times are ms. */
export interface RenewSessionsOptions {
  readonly ownerIds: readonly string[];
  readonly extendMs: number;
  readonly idleTimeoutMs: number;
}

/** What clients ask for most. Texts are as the payload codec wrote them. */
export interface InstanceStatus {
  readonly executionId: number;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  /** The failure as stored, where the provider keeps it beside the output. */
  readonly failure?: ErrorDetails;
  readonly customStatus: string | null;
  readonly customStatusVersion: number;
}

/** A custom status as stored; `null` when it was cleared. */
export interface CustomStatus {
  readonly status: string | null;
  /** Grows by one with every ack that sets or clears the status. */
  readonly version: number;
}

/** Sizes of the current execution and of the KV. */
export interface InstanceStats {
  readonly historyEventCount: number;
  /** UTF-8 bytes of the stored events. */
  readonly historySizeBytes: number;
  /** Queue messages that the current execution inherited by continue-as-new. */
  readonly queuePendingCount: number;
  readonly kvUserKeyCount: number;
  readonly kvTotalValueBytes: number;
}
