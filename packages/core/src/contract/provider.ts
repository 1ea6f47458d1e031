/**
 * The contract of a store. A provider keeps histories, two queues, instance locks, sessions and KV; it does not
 * interpret orchestrations. The complete rules: docs/reference/provider-contract.md (sections are cited as §n).
 * Conventions for every method:
 *
 * - Durations and instants are whole milliseconds. "Nothing" is `undefined`; `null` is a stored value.
 * - Every method may be called concurrently, by several runtimes and several processes on one store.
 * - A read that begins after an answer is at least as new as that answer, whichever method gave it (§1).
 * - Failures are `ProviderError`s (§3). A provider absorbs transient faults itself where it can.
 * - A lock is valid while its token matches and its deadline is in the future; at the deadline it becomes invalid, even
 *   if no other caller has taken it (§4).
 */
import type { ErrorDetails } from "../wire/error-details.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { VersionRange } from "../wire/version.ts";
import type { ActivityExecute, ActivityOutcome, OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";
import type { ProviderAdmin } from "./admin.ts";
import type { ProviderLimits } from "./limits.ts";
import type { ProviderStreams } from "./provider-streams.ts";
import type { StartInstanceOptions, StartOutcome, TakenId } from "./start.ts";
import type { Blocked, BlockedReason, ExecutionStatus } from "./status.ts";
import type { ActivityId, KvEntry, TurnContent } from "./turn-content.ts";

export type { StartInstanceOptions, StartMessage, StartOutcome, TakenId } from "./start.ts";
export type { ActivityId, ExecutionMetadata, KvEntry, TimerId, TurnContent } from "./turn-content.ts";

/** A store. One object serves any number of runtimes and clients; every method may be called concurrently. */
export interface Provider extends AsyncDisposable, ProviderStreams {
  /** Name for logs and metrics, such as "sqlite". */
  readonly name: string;
  /** Optional. Name of this store for people, such as "orders.db" or "account/database/container". */
  readonly title?: string;
  /** Optional. Request units of all requests of this provider so far, if the store charges by request. */
  readonly requestUnits?: number;
  readonly version: string;
  readonly admin: ProviderAdmin;
  /** Optional. The limits of keys; a store that does not enforce them has none (§12.1). */
  readonly limits?: ProviderLimits;

  /**
   * Locks one instance and returns it with all its visible messages; `undefined` when nothing is eligible
   * within `pollTimeoutMs` (§6). Atomic: candidate (capability filter first), lock, message tags and attempt
   * counts in one step. An error means that no lock is held. If the stored history of a locked instance cannot be
   * decoded, the result has a `historyError`; the method does not throw.
   */
  fetchOrchestrationItem(options: FetchOrchestrationOptions): Promise<FetchedOrchestration | undefined>;

  /**
   * Commits a turn: all of it or nothing (§7). Rejects with `lock-lost` if the lock is not valid at the time of the
   * commit, and with `duplicate-event` if an event id exists; in both cases nothing has changed, and in the second case
   * the lock is still held.
   */
  ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration>;

  /**
   * Unlocks the instance and releases the messages of this fetch (§8). The delay and the undo of the attempt change
   * only rows that this fetch tagged. An expired token is accepted if no other fetch has locked the instance since; an
   * unknown token is `lock-lost`.
   *
   * With `blocked` the batch stays together: the instance becomes eligible after `delayMs`, or when another message of
   * it becomes visible. The next batch has all rows of this fetch, because their order must be kept (§8.1).
   */
  abandonOrchestrationItem(lockToken: string, options?: AbandonOptions): Promise<void>;

  /** Moves a valid lock's deadline to now + `extendMs`, never backwards. `lock-lost` otherwise (§8). */
  renewOrchestrationItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void>;

  /** Events of the latest execution by id; empty for an unknown instance; `corrupt-data` rather than a gap (§9). */
  readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]>;

  /** Appends events outside a turn; for tests and fault injection (§9). Atomic; rejects duplicates. */
  appendHistory(instanceId: string, executionId: number, events: readonly HistoryEvent[]): Promise<void>;

  /** One row for the activity, visible at once (§10). */
  enqueueForWorker(item: ActivityExecute): Promise<void>;

  /**
   * One row for the item's instance, visible after `delayMs`. Never creates the instance (§10). With a
   * `messageId`, a second call with the same id for the same instance and the same kind and name of message stores
   * nothing, even if the first message was consumed already; the store remembers an id for at least a day.
   * With `ifMissing: "fail"` nothing is stored for an instance that was not started or has ended (§10.3).
   */
  enqueueForOrchestrator(
    item: OrchestratorItem,
    delayMs?: number,
    options?: EnqueueOptions,
  ): Promise<EnqueueOutcome>;

  /**
   * Stores a start with its messages and deadline, all of it or nothing, and returns whether it did (§10.1).
   * A call with a `messageId` that was used for a start of the instance before stores nothing and returns `stored`.
   */
  startInstance(
    start: WorkItemOf<"StartOrchestration">,
    options: StartInstanceOptions,
  ): Promise<StartOutcome>;

  /**
   * Locks the oldest eligible activity: visible, unlocked, of an accepted tag (§12) and session (§11). An activity of a
   * session and the session are locked in one step. A row that is not eligible must not hide a later eligible one.
   */
  fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined>;

  /**
   * Deletes the locked activity and enqueues its outcome, atomically; without an outcome it only deletes the activity
   * (§10). `lock-lost` if the row does not exist any more (cancelled, acked) or the lock has expired.
   */
  ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void>;

  /**
   * Ends activities of one instance together with the turn that they cause, which the caller has run in memory:
   * all of it or nothing, without a lock of the instance (§10.2). Fails as both acks do; then nothing has changed.
   */
  ackFusedTurn(ack: FusedAck): Promise<FusedOutcome>;
  /**
   * How many activities go into one fused turn at most, so that it has a chance to be stored; `Infinity` without a limit,
   * 0 for a store without fused turns.
   */
  readonly maxFusedActivities: number;

  /**
   * Whether a fetch has counted an attempt of the activity, or it is not in the queue any more, because it has ended. The
   * limit of a wait for a worker (`queueTimeout`) ends only what has not begun.
   */
  hasBegun(activity: ActivityId): Promise<boolean>;

  /** Extends a valid activity lock. `lock-lost` tells the worker that its activity was cancelled (§10). */
  renewWorkItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void>;

  /** Unlocks the activity; visible again after `delayMs`. `lock-lost` for an unknown token (§10). */
  abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void>;

  /** Extends the owners' live sessions that were active within `idleTimeoutMs`; returns how many (§11). */
  renewSessionLocks(options: RenewSessionsOptions): Promise<number>;

  /** Removes expired sessions that no activity row refers to; returns how many (§11). */
  cleanupOrphanedSessions(): Promise<number>;

  /**
   * Status, output and custom status in one cheap read without a lock, because clients poll with this method.
   * `undefined` for an unknown instance.
   */
  getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined>;

  /**
   * The live values (both layers in one view, §13), or only that of `key`; empty for an unknown instance. The read of one
   * key costs the same however many there are.
   */
  getKvValues(instanceId: string, key?: string): Promise<ReadonlyMap<string, string>>;

  /** Size of the current execution and of the KV; `undefined` for an unknown instance (§14). */
  getInstanceStats(instanceId: string): Promise<InstanceStats | undefined>;

  /** Whether the provider was closed; a runtime does not start on it. */
  readonly isClosed: boolean;

  /**
   * Optional. Of these instances those that a commit may have changed at or after `sinceMs`, by the clock of the store or
   * of who committed; each with a text that another commit changes. It may name others of them. Many clients that wait ask
   * with one call; callers leave a margin for the clocks, and read each instance themselves now and then.
   */
  changedInstances?(instanceIds: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, string>>;

  /**
   * Optional. Calls `listener` after each commit of this process that may have changed data of the instance that
   * clients read, until the returned function is called. A hint only: clients find commits of other processes by
   * polling.
   */
  watchInstance?(instanceId: string, listener: () => void): () => void;
}

/** The options of a fetch of a turn. Times are ms. */
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
  /** Their versions, each as `name@version`; without it, the caller has every version of these orchestrations. */
  readonly versions?: ReadonlySet<string>;
  /** Ends the wait. A lock that was taken meanwhile expires (§5). */
  readonly signal?: AbortSignal;
  /**
   * The tag of the history that the caller has in memory. If the stored history has the same tag, a provider may leave
   * history and KV out of the item (`historyOmitted`), and the lock out of the store where the condition of the ack
   * keeps turns apart (§6, 2b); providers without tags ignore this.
   */
  readonly heldHistory?: (instanceId: string) => string | undefined;
}

/** A locked instance. */
export interface FetchedOrchestration {
  readonly item: OrchestrationItem;
  readonly lockToken: string;
  /** How often this batch was fetched, this time included: the maximum over its rows (§4). */
  readonly attemptCount: number;
  /**
   * End of the lock, ms since the epoch by the provider's clock. Without it the lock ends `lockTimeoutMs` after the
   * call.
   */
  readonly lockedUntilMs?: number;
  /** How often `renewOrchestrationItemLock(…, { alone: true })` marked the batch: the maximum over its rows. Absent: 0. */
  readonly loneRuns?: number;
  /** Set if the last fetch of this batch released it as blocked. */
  readonly blocked?: Blocked;
}

/** The input of a turn. */
export interface OrchestrationItem {
  readonly instanceId: string;
  /** Name from the instance, else from history, else from the start message in the batch. */
  readonly orchestrationName: string;
  /** Version from the instance, else from the start message; `"unknown"` if neither has it. */
  readonly version: string;
  /** The current execution; 1 for a new instance. */
  readonly executionId: number;
  /** All events of the current execution by id, empty where `historyError` or `historyOmitted` is set. */
  readonly history: readonly HistoryEvent[];
  /** The tagged rows by order time (§4.1): a TimerFired's `fire_at_ms`, else the enqueue time; ties in queue order. */
  readonly messages: readonly OrchestratorItem[];
  /** Why the stored history cannot be decoded. */
  readonly historyError?: string;
  /** KV as of the end of the previous execution (§13); empty where `historyOmitted` is set. */
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  /** The caller's copy (see `heldHistory`) is current, so history and KV were not read. */
  readonly historyOmitted?: boolean;
}

/** The commit of a turn, under the lock of its instance. */
export interface OrchestrationAck extends TurnContent {
  readonly lockToken: string;
}

/** A turn that was run on the history of the tag, and the locks of the activities whose outcomes it records (§10.2). */
export interface FusedAck extends TurnContent {
  readonly instanceId: string;
  readonly historyTag: string;
  readonly activityTokens: readonly string[];
}

/** `overtaken`: the instance is not at the tag, is locked or blocked, or has other messages; nothing has changed. */
export type FusedOutcome =
  | ({ readonly kind: "committed" } & AckedOrchestration)
  | { readonly kind: "overtaken" };

/** The result of the commit of a turn. */
export interface AckedOrchestration {
  /** The tag of the history after this commit, for `heldHistory`. Absent if the provider has no tags. */
  readonly historyTag?: string;
}

/** The options of releasing fetched work. */
export interface AbandonOptions {
  /** Hides the rows of the fetch for this time; by default they are visible at once. */
  readonly delayMs?: number;
  /** Subtracts this fetch from the attempt counts, never below zero. */
  readonly ignoreAttempt?: boolean;
  /** Why this process cannot process the work. Stored until a later fetch of it ends in another way (§8.1). */
  readonly blocked?: BlockedReason;
}

/** Further changes of a renewal, in the same write. */
export interface RenewOptions {
  /**
   * Subtracts this fetch from the attempt counts, never below zero, because the process was running the work already.
   */
  readonly ignoreAttempt?: boolean;
  /** Counts a lone run of the fetch's rows: they begin to run alone in their process. Later fetches return `loneRuns`. */
  readonly alone?: boolean;
}

/** The options of an enqueue. */
export interface EnqueueOptions {
  /** 1 to 200 characters. Identifies the message, so that a repetition after a lost response is stored once. */
  readonly messageId?: string;
  /** The rule for an instance that was not started, or has ended: the message is stored all the same by default. */
  readonly ifMissing?: "fail" | "keep";
  /** Asked for with the start of a root: what has its id (§10.1). Without it the outcome is `stored`. */
  readonly ifTaken?: "tell";
  /**
   * Hint with the start of a root that its id has just been drawn at random, so that nothing of it is stored: a store may
   * leave out looks for what came before (§10.1).
   */
  readonly isNewId?: boolean;
}

/**
 * Whether a message is stored, or was. `not-found` and `ended` only with `ifMissing: "fail"`. `reused`, and what has the
 * id, only with `ifTaken`: an instance of the same orchestration, or one of another, for which nothing is stored.
 */
export type EnqueueOutcome = "stored" | "not-found" | "ended" | "reused" | TakenId;

/** The options of a fetch of an activity. Times are ms. */
export interface FetchWorkOptions {
  readonly lockTimeoutMs: number;
  readonly pollTimeoutMs: number;
  /** The session claim; without it only activities outside any session are eligible. */
  readonly session?: SessionClaim;
  readonly tagFilter: TagFilter;
  /** Names of the activities that the caller has code for; the same as `orchestrations` of a fetch of turns. */
  readonly activities?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** The owner of a session's lock, and its duration in ms. */
export interface SessionClaim {
  readonly ownerId: string;
  readonly lockTimeoutMs: number;
}

/** The activities that a worker takes, by exact tag. Sets have 1 to 5 entries (§12). */
export type TagFilter =
  | { readonly kind: "default-only" }
  | { readonly kind: "tags"; readonly tags: readonly string[] }
  | { readonly kind: "default-and"; readonly tags: readonly string[] }
  | { readonly kind: "any" }
  | { readonly kind: "none" };

/** A locked activity. `attemptCount` includes this fetch. */
export interface FetchedWork {
  readonly item: ActivityExecute;
  readonly lockToken: string;
  readonly attemptCount: number;
  /** The orchestration that scheduled the activity, if the provider has it without reading a history. */
  readonly orchestration?: { readonly name: string; readonly version: string };
  /**
   * End of the lock, ms since the epoch by the provider's clock. Without it the lock ends `lockTimeoutMs` after the
   * call.
   */
  readonly lockedUntilMs?: number;
  /** Time since which it has waited in the queue, ms since the epoch. Absent if it was locked where it was created. */
  readonly queuedAtMs?: number;
  /** How often a renewal with `alone` marked it. Absent: never. */
  readonly loneRuns?: number;
  /** Set if the last fetch of this activity released it as blocked. */
  readonly blocked?: Blocked;
  /**
   * Set where a rate counts when the handler is called. Returns how long the handler has to wait, ms: after that it is
   * asked again, and at 0 the handler is called at once. `undefined` if it may not begin soon: the work is given back.
   */
  readonly begin?: () => number | undefined | Promise<number | undefined>;
}

/** The owners of the sessions to extend. Times are ms. */
export interface RenewSessionsOptions {
  readonly ownerIds: readonly string[];
  readonly extendMs: number;
  readonly idleTimeoutMs: number;
}

/** The state of an instance that clients poll. Texts are as the payload codec wrote them. */
export interface InstanceStatus {
  readonly executionId: number;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  /** The failure as stored, if the provider keeps it in addition to the output. */
  readonly failure?: ErrorDetails;
  /** `start_at_ms` of the first event of the current execution, as a number. */
  readonly startsAtMs?: number;
  /** Key of the limit that holds its code back; absent where nothing does. */
  readonly limit?: string;
  /** `null` if it was never set, or cleared. */
  readonly customStatus: string | null;
  /** Incremented by every ack that sets or clears the custom status; 0 at first. */
  readonly customStatusVersion: number;
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
