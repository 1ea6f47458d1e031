/** The options of durable calls, and of those that run a handler. */
import type { ActivityContext } from "./activity-context.ts";
import type { Duration } from "./duration.ts";
import type { LimitOptions } from "./limit-rules.ts";
import type { RetryPolicy } from "./retry.ts";

/** The options of every durable call. */
export interface CallOptions {
  /** Name of the call for people, such as "parcel b1"; cut after 200 characters. Replays ignore it. */
  readonly label?: string;
  /** Cancels the task when it aborts. A scope is one signal shared by several calls. */
  readonly signal?: AbortSignal;
}

/** The options of an activity call. */
export interface ActivityOptions extends CallOptions, LimitOptions {
  /** Retries failed attempts; without it there is one attempt. */
  readonly retry?: RetryPolicy;
  /**
   * Limit of the run of the handler in each attempt; its wait for a worker does not count. The worker aborts the
   * handler's signal then, and the attempt fails with a TimeoutError, which `retry` retries.
   */
  readonly timeout?: Duration;
  /** Limit of the wait for a worker in each attempt: if none has begun by then, a TimeoutError, which `retry` retries. */
  readonly queueTimeout?: Duration;
  /** Limit of the whole call, waits for workers and pauses included: a TimeoutError, whatever `retry` says. */
  readonly totalTimeout?: Duration;
  /** Activities of one session run on the worker that owns it. Not beside `limit` or `priority`. */
  readonly session?: string;
  /** Only workers whose filter accepts the tag take the activity. At most 256 bytes. */
  readonly tag?: string;
}

/** The options of a step: those of an activity that runs where its orchestration is. */
export type StepOptions = Omit<ActivityOptions, "tag">;

/** The function of a step. */
export type StepHandler = (context: ActivityContext) => unknown;

/** The options of a child's start. */
export interface SubOrchestrationOptions extends CallOptions {
  /** Id of the child; derived from the parent's id by default. Must not start with `sub::`. */
  readonly instanceId?: string;
  /** Version of the child; its worker decides by default. */
  readonly version?: string;
  /** The child begins with the tags that this instance has at the call. */
  readonly inheritTags?: boolean;
}

/** The options of a detached start. The id is required, because a random id would differ at every replay. */
export interface DetachedOptions<Input> {
  readonly instanceId: string;
  readonly input?: Input;
  readonly version?: string;
  /** Time after which, or date at which, its code begins, as in `client.start`; at once by default. */
  readonly after?: Duration | Date;
  /** The started instance begins with the tags that this one has at the call. */
  readonly inheritTags?: boolean;
}

/** The input may be left out only where the orchestration takes none. */
export type RequiredInput<Input> = undefined extends Input ? unknown : { readonly input: Input };

/** The options of the next execution. */
export interface ContinueAsNewOptions {
  /** Version of the next execution. The registry decides by default: the newest, unless a policy says otherwise. */
  readonly version?: string;
}

/** The options of `onCancel`. */
export interface OnCancelOptions {
  /** After this time the function stops at its current `await`, and the next one runs; no limit by default. */
  readonly timeout?: Duration;
}

/** The options of a race. */
export interface RaceOptions {
  /** Do not cancel the losers. */
  readonly keep?: boolean;
}
