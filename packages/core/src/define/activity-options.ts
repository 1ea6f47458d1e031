/** The options of durable calls, and of those that run a handler. */
import type { ActivityContext } from "./activity-context.ts";
import type { Duration } from "./duration.ts";
import type { RetryPolicy } from "./retry.ts";

/** The options of every durable call. */
export interface CallOptions {
  /** Name of the call for people, such as "parcel b1"; cut after 200 characters. Replays ignore it. */
  readonly label?: string;
  /** Cancels the task when it aborts. A scope is one signal shared by several calls. */
  readonly signal?: AbortSignal;
}

/** The options of an activity call. */
export interface ActivityOptions extends CallOptions {
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
  /** Activities of one session run on the worker that owns it. */
  readonly session?: string;
  /** Only workers whose filter accepts the tag take the activity. At most 256 bytes. */
  readonly tag?: string;
}

/** The options of a step: those of an activity that runs where its orchestration is. */
export type StepOptions = Omit<ActivityOptions, "tag">;

/** The function of a step. */
export type StepHandler = (context: ActivityContext) => unknown;
