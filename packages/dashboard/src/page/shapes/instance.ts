/** One instance: its head, its timeline, its history, its state. */
import type {
  BegunByHand,
  Blocked,
  InstanceTimeline,
  Step,
  Suspended,
  UnreadArrival,
} from "@duroxide-ts/core";
import type { RunningState } from "@duroxide-ts/core/operate";
import type { InstanceRow } from "./instances.ts";
import type { ShownFailure, ShownPayload } from "./payload.ts";
import type { State } from "./states.ts";

/** Data of the head of the page, read again and again. */
export interface InstanceHead extends InstanceRow {
  readonly executions: readonly number[];
  readonly failure?: ShownFailure;
  readonly customStatus?: ShownPayload;
  readonly blocked: readonly ShownBlock[];
  readonly suspended?: Suspended;
  /** The number of events of the current execution. */
  readonly eventCount: number;
  readonly nowMs: number;
}

/** A block with its activity as a text, such as `charge#2`. */
export interface ShownBlock
  extends Pick<Blocked, "reason" | "detail" | "sinceMs" | "nextTryAtMs" | "attempts"> {
  readonly activity?: string;
}

/** One durable call: one row of the waterfall. */
export interface Bar {
  /** `event_id` of the first event of the call. */
  readonly id: number;
  readonly kind: Exclude<Step["kind"], "system">;
  readonly name: string;
  /** Name that the code gave the call for people. */
  readonly label?: string;
  readonly state: State;
  readonly startMs: number;
  /** Absent while it is open. */
  readonly endMs?: number;
  /** Attempts of an activity: one for each call by the retry policy. */
  readonly attempts: readonly Attempt[];
  readonly maxAttempts?: number;
  /** Time at which an open timer fires, or an open activity is called again. */
  readonly dueMs?: number;
  readonly child?: string;
  readonly tag?: string;
  readonly session?: string;
  /** Place in the code that made the call. */
  readonly source?: string;
  /** One line: the message of the last failure. */
  readonly note?: string;
}

export interface Attempt {
  /** `event_id` of its ActivityScheduled. */
  readonly id: number;
  readonly scheduledMs: number;
  /** Time at which a worker began; absent if the worker did not record it. */
  readonly startedMs?: number;
  readonly endMs?: number;
  readonly state: State;
  readonly worker?: string;
  /** How often it was handed out. */
  readonly delivery?: number;
  readonly note?: string;
}

/** An event or a message that no call has received. */
export type Unread = Omit<UnreadArrival, "data">;

export interface TimelineView {
  readonly instanceId: string;
  readonly executionId: number;
  readonly startMs: number;
  readonly endMs?: number;
  /** Set while it runs. */
  readonly running?: RunningState;
  /** Absent while it runs. */
  readonly ended?: "completed" | "failed" | "cancelled" | "continued";
  readonly bars: readonly Bar[];
  readonly unread: readonly Unread[];
  /** Messages that did not fit their wait, and were not delivered again. */
  readonly setAside: readonly Unread[];
  /** Set if a verb of an operator began it. */
  readonly begunByHand?: BegunByHand;
  /** The first request to cancel it. An execution that runs after it cleans up. */
  readonly cancelRequested?: NonNullable<InstanceTimeline["cancelRequested"]>;
  readonly eventCount: number;
  readonly nowMs: number;
}

/** Details that the inspector shows of a bar, beside the bar. */
export interface CallDetails {
  /** 0: the execution itself. */
  readonly id: number;
  readonly input?: ShownPayload;
  readonly output?: ShownPayload;
  readonly failure?: ShownFailure;
}

export interface HistoryRow {
  readonly id: number;
  readonly type: string;
  readonly atMs: number;
  readonly source?: number;
  /** The name of what was called, set or received. */
  readonly name?: string;
  /** The fields of the event, payloads decoded, redacted and cut. */
  readonly fields: ShownPayload;
}

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  readonly total: number;
}

/** An event or a message that no call has received, with its payload. */
export interface ShownArrival extends Unread {
  readonly payload: ShownPayload;
  /** Size of the payload as it is stored, or as it would be with the parts that are replaced. */
  readonly storedBytes: number;
}

/** An event or a message that did not fit the schema of its wait. */
export interface ShownMisfit extends ShownArrival {
  readonly misfit: string;
  /** `event_id` of the message that was delivered in its place. */
  readonly replacedBy?: number;
}

export interface StateView {
  readonly customStatus?: ShownPayload;
  readonly entries: readonly { readonly key: string; readonly value: ShownPayload }[];
  readonly stats?: { readonly historyEvents: number; readonly historyBytes: number; readonly kvKeys: number };
  /** The oldest hundred, oldest first. */
  readonly unread: readonly ShownArrival[];
  /** Number of all unread ones. */
  readonly unreadCount: number;
  /** The newest hundred, newest first. */
  readonly setAside: readonly ShownMisfit[];
  /** Number of all that were set aside. */
  readonly setAsideCount: number;
  /** The execution that has these. */
  readonly executionId: number;
}

export interface TreeView {
  readonly rootId: string;
  readonly nodes: readonly InstanceRow[];
  /** The number of nodes that are not listed. */
  readonly more: number;
}
