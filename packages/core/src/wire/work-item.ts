/**
 * Messages between clients, orchestrations and activities. On the wire a work item is externally tagged
 * (`{"TimerFired": {…}}`); in memory the tag is `kind`, so that a `switch` narrows it. Field names are those
 * of the wire. Shapes: docs/reference/wire-format.md §3.
 */
import type { ErrorDetails } from "./error-details.ts";
import type { CarriedMessage, OfKeptEvent, Ran, Redelivered, SentAgain } from "./event.ts";
import type { U64 } from "./integer.ts";
import type { ScheduledRun } from "./scheduled-run.ts";
import type { Tags } from "./tags.ts";

/** The fields of each kind of message. */
export interface WorkItemPayloads {
  StartOrchestration: {
    readonly instance: string;
    readonly orchestration: string;
    readonly input: string;
    /** `null`: the registry decides when the start is processed. */
    readonly version: string | null;
    readonly parent_instance: string | null;
    readonly parent_id: U64 | null;
    readonly parent_execution_id?: U64;
    readonly execution_id: U64;
    /** Time at which the instance fails if it has not ended, ms since the epoch. Rust ignores it and may lose it. */
    readonly deadline_ms?: U64;
    /** Time before which its code does not run, ms since the epoch. Rust ignores it, and runs the code at once. */
    readonly start_at_ms?: U64;
    /** Time of the first of the calls that this start stands for, ms since the epoch. Rust ignores it. */
    readonly debounced_since_ms?: U64;
    /** The rule for an instance that exists when a debounced start is due. Rust ignores it. */
    readonly if_exists?: string;
    /** Key whose limits hold its code back, and its place among others. Rust ignores both, and runs the code at once. */
    readonly limit?: string;
    readonly priority?: U64;
    /** The tags with which the instance begins. Rust ignores it and may lose it. */
    readonly tags?: Tags;
    /** The due time of the schedule that sends it. Rust ignores it and may lose it. */
    readonly scheduled?: ScheduledRun;
  };
  ActivityExecute: {
    readonly instance: string;
    readonly execution_id: U64;
    /** `event_id` of the ActivityScheduled event. */
    readonly id: U64;
    readonly name: string;
    readonly input: string;
    readonly session_id?: string;
    readonly tag?: string;
    /** `id` of the first attempt of the call that this one repeats. Rust ignores it and may lose it. */
    readonly retry_of?: U64;
    /** The time limit of a run of the handler. Rust ignores it and may lose it. */
    readonly timeout_ms?: U64;
    /** The execution in the idempotency key, if it is not `execution_id`. Rust ignores it and may lose it. */
    readonly key_execution?: U64;
    /** The one of its execution's first event, for the idempotency key. Rust ignores it and may lose it. */
    readonly run_id?: string;
    /** The orchestration, as `name@version`, whose code has the handler, for a step. Rust ignores it. */
    readonly step_of?: string;
    /** The key whose limits hold the activity back (docs/decisions/limits.md). Rust ignores it and may lose it. */
    readonly limit?: string;
    /** 1 goes first, 5 last; 3 without it. Rust ignores it and may lose it. */
    readonly priority?: U64;
  };
  ActivityCompleted: {
    readonly instance: string;
    readonly execution_id: U64;
    readonly id: U64;
    readonly result: string;
    /** Copied into the event. Rust ignores it and may lose it. */
    readonly ran?: Ran;
  };
  ActivityFailed: {
    readonly instance: string;
    readonly execution_id: U64;
    readonly id: U64;
    readonly details: ErrorDetails;
    /** The run, as in `ActivityCompleted`. */
    readonly ran?: Ran;
  };
  TimerFired: {
    readonly instance: string;
    readonly execution_id: U64;
    readonly id: U64;
    /** Time at which the row becomes visible in an ack, ms since the epoch. */
    readonly fire_at_ms: U64;
  };
  ExternalRaised: Redelivered &
    SentAgain & { readonly instance: string; readonly name: string; readonly data: string };
  QueueMessage: OfKeptEvent &
    Redelivered & { readonly instance: string; readonly name: string; readonly data: string };
  SubOrchCompleted: {
    readonly parent_instance: string;
    readonly parent_execution_id: U64;
    readonly parent_id: U64;
    readonly result: string;
  };
  SubOrchFailed: {
    readonly parent_instance: string;
    readonly parent_execution_id: U64;
    readonly parent_id: U64;
    readonly details: ErrorDetails;
  };
  CancelInstance: {
    readonly instance: string;
    readonly reason: string;
    /**
     * Set if the start sent it as the deadline of the instance: visible at this time. For Rust it is a cancellation.
     */
    readonly deadline_ms?: U64;
    /**
     * The execution of the parent that cancels its child. A child that a later execution took over ignores it. Rust
     * obeys it, and may lose the field.
     */
    readonly parent_execution_id?: U64;
  };
  ContinueAsNew: {
    readonly instance: string;
    readonly orchestration: string;
    readonly input: string;
    readonly version: string | null;
    readonly parent_instance?: string;
    readonly parent_id?: U64;
    readonly parent_execution_id?: U64;
    readonly carry_forward_events: readonly CarriedMessage[];
    readonly initial_custom_status?: string;
    /** The deadline of the instance. Rust ignores it and may lose it. */
    readonly deadline_ms?: U64;
    /** Key of the limit of which the instance has a permit. Rust ignores it and may lose it. */
    readonly limit?: string;
    /** Names of the carried messages that are kept events. Rust ignores it and may lose it. */
    readonly kept_events?: readonly string[];
    /** The tags of the instance. Rust ignores it and may lose it. */
    readonly tags?: Tags;
    /** The due time that the instance is for. Rust ignores it and may lose it. */
    readonly scheduled?: ScheduledRun;
  };
}

/** The name of a kind of message. */
export type WorkItemKind = keyof WorkItemPayloads;

/** A message of one kind. */
export type WorkItemOf<K extends WorkItemKind> = { readonly kind: K } & WorkItemPayloads[K];

/** Any message; `kind` is its kind. */
export type WorkItem = { [K in WorkItemKind]: WorkItemOf<K> }[WorkItemKind];

/** The message by which a worker runs an activity. */
export type ActivityExecute = WorkItemOf<"ActivityExecute">;

/** The outcome of an activity. */
export type ActivityOutcome = WorkItemOf<"ActivityCompleted"> | WorkItemOf<"ActivityFailed">;

/** Any message of the orchestrator queue. */
export type OrchestratorItem = Exclude<WorkItem, ActivityExecute>;

/** The instance whose queue the item belongs to; results of children go to their parent. */
export function targetInstance(item: WorkItem): string {
  return item.kind === "SubOrchCompleted" || item.kind === "SubOrchFailed"
    ? item.parent_instance
    : item.instance;
}
