/**
 * Arguments and results of administrative reads: filtered lists, counts, queue rows, dead letters and worker processes
 * (docs/reference/provider-contract.md §15.1). Instants are ms since the epoch.
 */
import type { ErrorDetails } from "../wire/error-details.ts";
import type { TagValue } from "../wire/tags.ts";
import type { InstanceInfo } from "./instance-info.ts";
import type { ListedStatus } from "./listed-status.ts";
import type { Blocked } from "./status.ts";

/** The cost of a query, if the store charges by request. */
export interface QueryCost {
  readonly requestUnits: number;
}

/** Filter, order and page of a list of instances. */
export interface InstanceQuery {
  readonly filter?: InstanceFilter;
  /** `"created-desc"` by default. The order of instances with the same time is up to the store, and fixed. */
  readonly order?: "created-desc" | "created-asc" | "updated-desc";
  /** Instances a page; 100 by default, 1000 at most. */
  readonly limit?: number;
  /** Continuation of the previous page of the same filter and order. */
  readonly continuation?: string;
}

/** Conditions are combined with AND; a list matches any of its values, an empty one matches nothing. */
export interface InstanceFilter {
  readonly instanceIds?: readonly string[];
  /** Statuses, as `handle.status()` has them: `Failed` finds no cancelled instances, `Running` no scheduled ones. */
  readonly status?: readonly ListedStatus[];
  readonly name?: readonly string[];
  readonly version?: readonly string[];
  readonly idPrefix?: string;
  /** A parent, or any of these. */
  readonly parentId?: string | readonly string[];
  /** Only instances without a parent. */
  readonly rootsOnly?: boolean;
  /** Inclusive. */
  readonly createdFromMs?: number;
  /** Exclusive. */
  readonly createdToMs?: number;
  /** Inclusive. */
  readonly updatedFromMs?: number;
  /** Exclusive. */
  readonly updatedToMs?: number;
  /** The current execution has ended before this instant. */
  readonly completedBeforeMs?: number;
  readonly failureCategory?: readonly FailureCategory[];
  /** A text that the message of the failure contains. Upper and lower case are the same, at least from A to Z. */
  readonly errorContains?: string;
  /**
   * Instances that are blocked themselves, or have a blocked activity; or those that are not. An instance that is
   * blocked before its first turn does not exist yet; `listBlocked` has it.
   */
  readonly blocked?: boolean;
  /** Instances that an operator has suspended, or those that are not. */
  readonly suspended?: boolean;
  /**
   * Instances whose tags meet all of these, 16 at most: a value, of the same type, or a range. A store may refuse ranges
   * as `unsupported`, as Cosmos DB does.
   */
  readonly tags?: TagConditions;
  /** The runs of the schedule of this name, those by hand too. */
  readonly schedule?: string;
}

/** Conditions on tags, by their keys. */
export type TagConditions = Readonly<Record<string, TagValue | TagRange>>;

/**
 * Bounds of a tag, which are all numbers or all strings; a tag of another type is not within them. Strings are compared
 * by their code points.
 */
export interface TagRange {
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
}

/** Category of a failed instance. A cancelled one has a category of its own. */
export type FailureCategory =
  | "application"
  | "cancelled"
  /** Cancelled, and its clean-up failed: what that was to undo is left. */
  | "clean-up-failed"
  | "configuration"
  | "infrastructure"
  | "poison";

/** A page of instances, and its continuation. */
export interface InstanceQueryPage {
  readonly instances: readonly InstanceSummary[];
  /** Absent on the last page. */
  readonly continuation?: string;
  readonly cost?: QueryCost;
}

/**
 * An instance in a list. Its `output` is `null` above 8,192 bytes, so that a page stays small; `getInstanceInfo` has
 * the whole.
 */
export interface InstanceSummary extends InstanceInfo {
  /** Present for a failed or cancelled instance. */
  readonly failure?: InstanceFailure;
  /** The longest of its blocked work. */
  readonly blocked?: Blocked;
}

/** Why an instance failed. */
export interface InstanceFailure {
  readonly category: FailureCategory;
  /** One line, such as the message of the thrown error or the reason of the cancellation. */
  readonly message: string;
  readonly details: ErrorDetails;
}

/** A property to count by. */
export type CountKey = "status" | "name" | "version";

/** The numbers of the instances that match. */
export interface InstanceCounts {
  /** One entry with an empty key, or one for each combination of properties that instances have. */
  readonly counts: readonly InstanceCount[];
  readonly cost?: QueryCost;
}

/** The number of instances with these properties. */
export interface InstanceCount {
  /** The values of the properties, in the order in which they were asked for. */
  readonly key: readonly string[];
  readonly count: number;
}

/** Filter and page of a list of queue rows. */
export interface WorkQuery {
  readonly instanceId?: string;
  readonly kind?: WorkKind;
  /** Only rows that have been visible, neither locked, suspended nor held back by a limit, for so many ms. */
  readonly overdueByMs?: number;
  /** Only activities with this tag. */
  readonly tag?: string;
  /** Rows a page; 100 by default, 1000 at most. */
  readonly limit?: number;
  /** Continuation of the previous page. */
  readonly continuation?: string;
}

/** Orchestrator rows are messages to instances, worker rows are activities. */
export type WorkKind = "orchestrator" | "worker";

/** A page of queue rows, and its continuation. */
export interface WorkPage {
  readonly work: readonly QueuedWork[];
  /** Absent on the last page. */
  readonly continuation?: string;
  readonly cost?: QueryCost;
}

/** A row of a queue. */
export interface QueuedWork {
  readonly kind: WorkKind;
  readonly instanceId: string;
  /** The kind of the message, such as `"TimerFired"` or `"ActivityExecute"`. */
  readonly item: string;
  /** The orchestration of a start, the activity of an execution, the name of an event or of a queue. */
  readonly name?: string;
  /** The id of the activity, or of the activity, timer or child that a completion belongs to. */
  readonly eventId?: number;
  /** The execution that the row belongs to, if its item names one. */
  readonly executionId?: number;
  readonly visibleAtMs: number;
  /** Set while a process holds its lock; for a message, the lock of its instance. */
  readonly lockedUntilMs?: number;
  /** Set on messages of a suspended instance, which wait until it is resumed. */
  readonly suspended?: true;
  /** The worker that holds the lock, where the store records it. */
  readonly lockOwner?: string;
  /** Time before which the code of a start does not begin. */
  readonly startsAtMs?: number;
  /** How often it was fetched. */
  readonly attempts: number;
  readonly tag?: string;
  readonly session?: string;
  /** Key of the limit that holds the work back; absent where it could begin. */
  readonly limit?: string;
  /** Text for people, if a limit holds it back: `waiting for limit "openai"`. */
  readonly reason?: string;
}

/** The page of a list of dead letters. */
export interface DeadLetterQuery {
  /** Rows a page; 100 by default, 1000 at most. */
  readonly limit?: number;
  /** Continuation of the previous page. */
  readonly continuation?: string;
}

/** A page of dead letters, and its continuation. */
export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetter[];
  /** Absent on the last page. */
  readonly continuation?: string;
}

/**
 * A row that was taken out of its queue because no process can read it, or a message for another instance whose
 * delivery was abandoned (Cosmos DB).
 */
export interface DeadLetter {
  readonly id: string;
  readonly kind: WorkKind;
  readonly instanceId: string;
  /** Why it cannot be decoded, or how often its delivery was tried. */
  readonly reason: string;
  readonly movedAtMs: number;
  /** The row's text as it was stored. */
  readonly text: string;
}

/** The report of a worker process. */
export interface WorkerReport {
  readonly host: string;
  readonly pid: number;
  readonly startedAtMs: number;
  /** The version of `@duroxide-ts/core`. */
  readonly packageVersion: string;
  readonly orchestrations: readonly { readonly name: string; readonly version: string }[];
  readonly activities: readonly string[];
  /** The tags of activities that it takes; `["*"]` for all, `undefined` for those without a tag only. */
  readonly tags?: readonly string[];
  readonly turns: WorkerSlots;
  readonly activitySlots: WorkerSlots;
}

/** Slots of a process: how many are busy, and how many there are. */
export interface WorkerSlots {
  readonly busy: number;
  readonly all: number;
}

/** A process, as it reported itself to the store. */
export interface Worker extends WorkerReport {
  readonly workerId: string;
  readonly lastSeenAtMs: number;
}
