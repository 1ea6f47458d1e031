/**
 * History events, exactly as they are stored: one flat JSON object, an envelope plus the fields of its `type`.
 * Field names are those of the wire, so an event is its document. Shapes: docs/reference/wire-format.md §2.
 */
import type { ErrorDetails } from "./error-details.ts";
import type { U64 } from "./integer.ts";
import type { ScheduledRun } from "./scheduled-run.ts";
import type { Tags } from "./tags.ts";

/** The fields that every event has. */
export interface EventEnvelope {
  /** Position in its execution, from 1; gaps are legal. The runtime assigns it, never a provider. */
  readonly event_id: U64;
  /** The `event_id` of the schedule event that this one completes or cancels. */
  readonly source_event_id: U64 | null;
  readonly instance_id: string;
  readonly execution_id: U64;
  /** Time at which the event was created, ms since the epoch. */
  readonly timestamp_ms: U64;
  /** Version of the runtime that wrote the event; on OrchestrationStarted it pins the execution. */
  readonly duroxide_version: string;
  /** Set once the code has registered a clean-up: a cancellation needs the handler. Rust ignores it. */
  readonly on_cancel?: boolean;
  /** Timers that the code has dropped in the turn of the event, by `event_id`. Rust ignores it, and replay never reads it. */
  readonly dropped_timers?: readonly U64[];
  /** The patches whose code the execution runs from this event on (`ctx.patched`). Rust ignores it. */
  readonly patches?: readonly string[];
  /** All tags of the instance, if the turn that the event ends has changed them. Rust ignores it. */
  readonly tags_after?: Tags;
}

/** A queue message that a continue-as-new passes to the next execution. */
export type CarriedMessage = readonly [queue: string, data: string];

/** A change of an execution by hand. */
export interface RevisionMark {
  /** The verb, such as `retry`. */
  readonly verb: string;
  /** The execution that was changed, or whose events are repeated. */
  readonly of: U64;
  /** The highest id of the repeated events. */
  readonly kept?: U64;
  /** The operator, if the caller named one. */
  readonly by?: string;
  readonly reason?: string;
  /** Ms since the epoch. */
  readonly at_ms: U64;
}

/** The place and time of a run of an activity (docs/decisions/command-line.md). */
export interface Ran {
  /** Time at which the handler was called, ms since the epoch, by the clock of its process. */
  readonly started_at_ms: U64;
  /** The slot that ran it, as `workerId` of the activity's context. */
  readonly worker_id: string;
  /** Number of the delivery of the activity, from 1. */
  readonly attempt: U64;
}

/** Fields of a call for people. Rust ignores it, and replay never reads it. */
interface CallNotes {
  /** The place in the code, `file:line:column`, where `sourceLines` is on (docs/decisions/command-line.md). */
  readonly at?: string;
  /** The `label` of its options. */
  readonly label?: string;
}

/** A wait for a kept event, or an arrival for one: on the wire it is a queue of its name. Rust ignores it. */
export interface OfKeptEvent {
  readonly kept_event?: boolean;
}

/** A message that did not fit its wait, which stays open (docs/decisions/messages.md). */
export interface SetAside {
  /** `event_id` of the message. */
  readonly event: U64;
  /** `event_id` of the wait that has judged it. */
  readonly wait: U64;
  /** Why it does not fit, as a text of the codec. */
  readonly misfit: string;
}

/** The verdicts of a turn because of the event: a message that has come, or a wait that finds messages. */
export interface Judging {
  /** Messages that do not fit. Rust ignores it, and takes them. */
  readonly set_aside?: readonly SetAside[];
}

/** The place of a message that was set aside. */
export interface MessagePlace {
  readonly execution_id: U64;
  readonly event_id: U64;
}

/** A message that an operator has sent again. */
export interface Redelivered {
  /** The message that was set aside. Rust ignores it and may lose it. */
  readonly replaces?: MessagePlace;
}

/** An event that a rewind sends again, because it answered a wait: kept until a wait takes it. Rust ignores it. */
export interface SentAgain {
  readonly sent_again?: boolean;
}

/** The end of an attempt of a call with retries. */
interface Judged {
  /** Whether the call made no further attempt after it: decided once, and read by replays. Rust ignores it. */
  readonly final?: boolean;
}

/** The fields of each event type, beside the envelope. `null` is written; an optional field is left out. */
export interface EventPayloads {
  OrchestrationStarted: {
    readonly name: string;
    readonly version: string;
    readonly input: string;
    readonly parent_instance: string | null;
    readonly parent_id: U64 | null;
    readonly parent_execution_id?: U64;
    readonly carry_forward_events?: readonly CarriedMessage[];
    readonly initial_custom_status?: string;
    /** Time at which the instance fails if it has not ended, ms since the epoch. Rust ignores it and may lose it. */
    readonly deadline_ms?: U64;
    /** Time before which the code does not run, ms since the epoch. Rust ignores it and may lose it. */
    readonly start_at_ms?: U64;
    /** Key whose limits hold the code back. Rust ignores it and may lose it (docs/decisions/limits.md). */
    readonly limit?: string;
    /** 1 goes first, 5 last; 3 without it. Rust ignores it and may lose it. */
    readonly priority?: U64;
    /** Whether an earlier execution has got the permit, so that the code runs at once. Rust ignores it and may lose it. */
    readonly has_permit?: boolean;
    /** Set if an operator began the execution: it repeats events of an earlier one. Rust ignores it. */
    readonly revision?: RevisionMark;
    /** Drawn when the execution began, for the keys of its activities; a copy of the event keeps it. Rust ignores it. */
    readonly run_id?: string;
    /** The tags of the instance when the execution began. Rust ignores it and may lose it. */
    readonly tags?: Tags;
    /** The due time that the instance is for. Rust ignores it and may lose it. */
    readonly scheduled?: ScheduledRun;
  };
  OrchestrationCompleted: { readonly output: string };
  OrchestrationFailed: { readonly details: ErrorDetails };
  OrchestrationContinuedAsNew: { readonly input: string };
  OrchestrationCancelRequested: {
    readonly reason: string;
    /** Set if the deadline of the instance, and not a client, cancelled it. Rust ignores it. */
    readonly deadline_ms?: U64;
    /** Set if an operator ended the execution without a turn. Rust ignores it. */
    readonly revision?: RevisionMark;
  };
  OrchestrationChained: { readonly name: string; readonly instance: string; readonly input: string };
  ActivityScheduled: CallNotes & {
    readonly name: string;
    readonly input: string;
    readonly session_id?: string;
    readonly tag?: string;
    /**
     * The attempt of a call with retries by docs/decisions/activities.md, from 1. Rust ignores it, and never writes it.
     */
    readonly attempt?: U64;
    /** `event_id` of the first attempt of the call. Rust ignores it. */
    readonly retry_of?: U64;
    /** The most attempts of the call. Rust ignores it, and replay never reads it (docs/decisions/command-line.md). */
    readonly max_attempts?: U64;
    /** The time limit of a run of the handler, which the worker keeps. Rust ignores it (docs/decisions/activities.md). */
    readonly timeout_ms?: U64;
    /** The execution in the idempotency key of the call, if it is not the event's own. Rust ignores it. */
    readonly key_execution?: U64;
    /** The key whose limits hold the activity back. Rust ignores it, and replay never reads it (docs/decisions/limits.md). */
    readonly limit?: string;
    /** 1 goes first, 5 last; 3 without it. Rust ignores it, and replay never reads it. */
    readonly priority?: U64;
    /**
     * Set where `input` has only what the input of an earlier event has not (shared-inputs.ts): the id of that event. Rust
     * ignores it.
     */
    readonly input_of?: U64;
    /** Places of the parts of `input` in the earlier one: units kept, left out and put in, again and again. */
    readonly input_cuts?: readonly U64[];
  };
  ActivityCompleted: {
    readonly result: string;
    /** Absent for system calls, and where details are switched off. Rust ignores it, and replay never reads it. */
    readonly ran?: Ran;
  };
  ActivityFailed: {
    readonly details: ErrorDetails;
    /** The run, as in `ActivityCompleted`. */
    readonly ran?: Ran;
  } & Judged;
  ActivityCancelRequested: { readonly reason: string };
  TimerCreated: CallNotes & {
    readonly fire_at_ms: U64;
    /** `event_id` of the attempt that failed, for the pause before a retry. Rust ignores it. */
    readonly pause_after?: U64;
    /** `event_id` of the attempt, for its time limit. Rust ignores it. */
    readonly limit_of?: U64;
    /** `event_id` of the attempt, for the limit of its wait for a worker. Rust ignores it. */
    readonly queue_limit_of?: U64;
  };
  TimerFired: Judged & { readonly fire_at_ms: U64 };
  ExternalSubscribed: CallNotes & Judging & { readonly name: string };
  ExternalEvent: Judging & Redelivered & SentAgain & { readonly name: string; readonly data: string };
  ExternalSubscribedCancelled: { readonly reason: string };
  ExternalSubscribedPersistent: CallNotes & OfKeptEvent & Judging & { readonly name: string };
  ExternalEventPersistent: OfKeptEvent &
    Judging &
    Redelivered & { readonly name: string; readonly data: string };
  ExternalSubscribedPersistentCancelled: { readonly reason: string };
  SubOrchestrationScheduled: CallNotes & {
    readonly name: string;
    readonly instance: string;
    readonly input: string;
    /** The tags that the child inherits. Rust ignores it, and replay never reads it. */
    readonly tags?: Tags;
  };
  SubOrchestrationCompleted: { readonly result: string };
  SubOrchestrationFailed: { readonly details: ErrorDetails };
  SubOrchestrationCancelRequested: { readonly reason: string };
  CustomStatusUpdated: { readonly status: string | null };
  KeyValueSet: {
    readonly key: string;
    readonly value: string;
    readonly last_updated_at_ms: U64;
    /** Set for an answer that refuses a question (docs/decisions/messages.md). Rust ignores it; replay never reads it. */
    readonly refused?: boolean;
  };
  KeyValueCleared: { readonly key: string };
  KeyValuesCleared: unknown;
}

/** The name of a kind of event. */
export type EventType = keyof EventPayloads;

/** An event of one kind. */
export type EventOf<T extends EventType> = EventEnvelope & { readonly type: T } & EventPayloads[T];

/** Any event; `type` is its kind. */
export type HistoryEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Completed, failed and continued executions accept no further work. */
export function isTerminal(event: HistoryEvent): boolean {
  return (
    event.type === "OrchestrationCompleted" ||
    event.type === "OrchestrationFailed" ||
    event.type === "OrchestrationContinuedAsNew"
  );
}
