/**
 * One execution as operators see it: what it did, step by step, and what it waits for. Made from events alone, without
 * running any code (docs/decisions/command-line.md). Times are ms since the epoch; inputs, results and data are the
 * stored texts, which a codec may have to decode.
 */
import type { ListedStatus } from "../contract/listed-status.ts";
import type { ErrorDetails } from "../wire/error-details.ts";

/** An execution of an instance. */
export interface InstanceTimeline {
  readonly instanceId: string;
  readonly executionId: number;
  readonly orchestrationName: string;
  /** `"unknown"` until the first turn. */
  readonly orchestrationVersion: string;
  readonly parentInstanceId?: string;
  /** Status at the end of these events: `Cancelled` for a failure that is a cancellation, never `Scheduled`. */
  readonly status: ListedStatus;
  readonly startedAtMs: number;
  /** Absent while it runs. */
  readonly endedAtMs?: number;
  /** The time of the last event. */
  readonly lastEventAtMs: number;
  readonly eventCount: number;
  /** Absent before the first turn. */
  readonly input?: string;
  /** Output of a completed execution. */
  readonly output?: string;
  /** Failure of a failed execution. */
  readonly failure?: ErrorDetails;
  /** The custom status as last set, by this execution or the one before; absent where there is none. */
  readonly customStatus?: string;
  /** Set if an operator began the execution: with which verb, from which one, and who and why. */
  readonly begunByHand?: BegunByHand;
  /** The first request to cancel it. */
  readonly cancelRequested?: { readonly reason: string; readonly atMs: number };
  /** Steps in the order in which the code began them. */
  readonly steps: readonly Step[];
  /** Open steps that a running execution waits for now. */
  readonly waits: readonly Wait[];
  /** Events and messages that no step has received. */
  readonly unread: readonly UnreadArrival[];
  /** Events and messages that did not fit the schema of their wait, which stayed open; `admin.redeliver` sends them again. */
  readonly setAside: readonly SetAsideArrival[];
}

/** A retry, a rewind or a restart. */
export interface BegunByHand {
  readonly verb: string;
  /** The execution that was changed. */
  readonly of: number;
  readonly by?: string;
  readonly reason?: string;
  readonly atMs: number;
}

/**
 * The state of a step or an attempt. `"dropped"`: the code dropped it, or the execution ended before it was answered.
 * `"timed-out"`: an attempt did not end within its time limit.
 */
export type StepOutcome = "open" | "completed" | "failed" | "timed-out" | "dropped";

/** A durable call. `kind` says which. */
export type Step =
  | ActivityStep
  | TimerStep
  | ChildStep
  | ArrivalStep
  | SystemStep
  | DetachedStep
  | MessageStep
  | QuestionStep;

/** The fields of every step. */
export interface StepBase {
  /** The `event_id` of its first schedule event. */
  readonly id: number;
  readonly scheduledAtMs: number;
  /** Time at which history received the answer, or recorded that there will be none. */
  readonly endedAtMs?: number;
  readonly outcome: StepOutcome;
  /** The `label` of the call. */
  readonly label?: string;
  /** The line of code that made the call, `file:line:column`; where the runtime stores it (`sourceLines`). */
  readonly source?: string;
}

/** A call of an activity, with its retries. */
export interface ActivityStep extends StepBase {
  readonly kind: "activity";
  readonly name: string;
  readonly tag?: string;
  readonly session?: string;
  /** The key of its limits. */
  readonly limit?: string;
  readonly input: string;
  /** At least one, oldest first. Retries of Rust are steps of their own, because its events do not link them. */
  readonly attempts: readonly ActivityAttempt[];
  /** The most attempts that the call makes, where it is known. */
  readonly maxAttempts?: number;
  readonly result?: string;
  /** Failure of the last attempt that failed. */
  readonly failure?: ErrorDetails;
}

/** One attempt of a call. */
export interface ActivityAttempt {
  /** The `event_id` of its schedule event. */
  readonly id: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** Time at which it was queued: by its event, or later by the retry or rewind that began the execution. */
  readonly scheduledAtMs: number;
  /** Time at which history received its outcome. */
  readonly endedAtMs?: number;
  readonly outcome: StepOutcome;
  /** Absent while it is open, and in histories without details. */
  readonly ran?: ActivityRan;
  readonly result?: string;
  readonly failure?: ErrorDetails;
  /** End of its time limit, where it has one. */
  readonly limitAtMs?: number;
  /** The pause before the next attempt. */
  readonly pause?: { readonly fromMs: number; readonly untilMs: number; readonly endedAtMs?: number };
}

/** The place and time of a run of an attempt. */
export interface ActivityRan {
  /** Time by the clock of the process that ran it. */
  readonly startedAtMs: number;
  readonly workerId: string;
  /** Number of the delivery of the activity, from 1; more than 1 after a process was lost. */
  readonly delivery: number;
}

/** `ctx.scheduleTimer`. */
export interface TimerStep extends StepBase {
  readonly kind: "timer";
  readonly dueAtMs: number;
}

/** `ctx.scheduleSubOrchestration`. */
export interface ChildStep extends StepBase {
  readonly kind: "child";
  readonly name: string;
  readonly childInstanceId: string;
  readonly input: string;
  readonly result?: string;
  readonly failure?: ErrorDetails;
}

/** `ctx.waitForEvent`, or a read of a queue (`ctx.dequeue`). */
export interface ArrivalStep extends StepBase {
  readonly kind: "event" | "queue";
  readonly name: string;
  /** Set for an event that is kept until it is awaited. */
  readonly keep?: true;
  readonly data?: string;
}

/** `ctx.newGuid`, `ctx.utcNow`, `ctx.kv.getFromInstance`, or the wait for the permit of a limit (`"permit"`). */
export interface SystemStep extends StepBase {
  readonly kind: "system";
  /** Name without the prefix of the wire, such as `"new_guid"`. */
  readonly name: string;
  /** The key of the limit whose permit it waits for. */
  readonly limit?: string;
  readonly result?: string;
  readonly failure?: ErrorDetails;
}

/** `ctx.raise` (`"event"`) or `ctx.enqueue` (`"queue"`, also for a kept event). It is completed at once. */
export interface MessageStep extends StepBase {
  readonly kind: "message";
  readonly channel: "event" | "queue";
  /** Name of the event or queue. */
  readonly name: string;
  readonly toInstanceId: string;
  readonly data: string;
}

/** A question, answered by `ctx.answer`: completed, failed where its handler refused, open while it waits. */
export interface QuestionStep extends StepBase {
  readonly kind: "question";
  readonly name: string;
  /** Given by the asker. */
  readonly messageId: string;
  readonly input: string;
  /** The stored answer or refusal, as an object of which `answer` or `refusal` is set. */
  readonly result?: string;
}

/** `ctx.startOrchestration`. It has no answer, so it is completed at once. */
export interface DetachedStep extends StepBase {
  readonly kind: "detached";
  readonly name: string;
  readonly startedInstanceId: string;
  readonly input: string;
}

/**
 * An open step. Rust, and versions before, do not record which timers the code has dropped: there a timer that lost a race
 * is listed until it fires.
 */
export interface Wait {
  readonly kind: "activity" | "timer" | "child" | "event" | "queue" | "system";
  readonly stepId: number;
  /** Absent for a timer. */
  readonly name?: string;
  /** Set for an event that is kept until it is awaited. */
  readonly keep?: true;
  readonly sinceMs: number;
  /** The `label` of the call. */
  readonly label?: string;
  /** The line of code that waits, as in the step. */
  readonly source?: string;
  /** Time at which a timer is due; of an attempt with a time limit, its end. */
  readonly dueAtMs?: number;
  /** Number of an activity's current attempt, or of the one after the pause. */
  readonly attempt?: number;
  readonly maxAttempts?: number;
  readonly lastFailure?: ErrorDetails;
  /** Time at which the next attempt is scheduled, during a pause. */
  readonly nextRetryAtMs?: number;
  readonly childInstanceId?: string;
  /** Key of the limit that holds an activity back; only where the store was asked (`client.admin.timeline`). */
  readonly limit?: string;
  /** Text for people then: `waiting for limit "openai"`. */
  readonly reason?: string;
}

/** An event that arrived while no step waited for it, or a message that no step has read. */
export interface UnreadArrival {
  readonly kind: "event" | "queue";
  readonly id: number;
  readonly name: string;
  readonly data: string;
  readonly atMs: number;
}

/** A message that did not fit the schema of its wait, and was read by no code. */
export interface SetAsideArrival extends UnreadArrival {
  /** `id` of the step that has judged it. */
  readonly stepId: number;
  /** Why it does not fit, with the paths of the schema's issues, as stored: a text of the codec. */
  readonly misfit: string;
  /** `id` of the message that was delivered in its place, if this execution has received one. */
  readonly replacedBy?: number;
}
