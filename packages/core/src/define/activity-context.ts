/** The context that an activity handler gets beside its input. */
import type { ContextLog } from "./logger.ts";
import type { Progress } from "./progress.ts";
import type { StepStream, StreamDefinition } from "./stream.ts";

/**
 * The context of an activity handler: the calling orchestration, keys for idempotent requests, a cancellation signal. It
 * is passed on as it is: a copy by spread (`{ ...ctx }`) lacks `signal`, `client` and `log`, which are made when they are
 * first read.
 */
export interface ActivityContext {
  readonly instanceId: string;
  readonly executionId: number;
  /**
   * The name of the orchestration that scheduled the activity, if the store returns it with the activity (SQLite and
   * memory do). `orchestration()` always returns it.
   */
  readonly orchestrationName: string | undefined;
  /** Version of the orchestration; absent where `orchestrationName` is. */
  readonly orchestrationVersion: string | undefined;
  /**
   * The orchestration that scheduled this activity. The call may read its history.
   *
   * @example
   * ```ts
   * const audit = activity("audit", async (step) => {
   *   const { name, version } = await step.orchestration();
   *   return `${name}@${version}`;
   * });
   * ```
   */
  orchestration(): Promise<{ readonly name: string; readonly version: string }>;
  readonly activityName: string;
  /** The worker slot that runs the activity, for logs. */
  readonly workerId: string;
  readonly sessionId: string | undefined;
  readonly tag: string | undefined;
  /** How often this activity was delivered, this delivery included. */
  readonly attempt: number;
  /** A key that is the same for every delivery of this attempt, and differs from attempt to attempt of a retry. */
  readonly idempotencyKey: string;
  /**
   * A key that is the same for all deliveries and attempts of one call, and of no other call, in other lives of the
   * instance id and in other stores too: for idempotent requests to other systems.
   */
  readonly callKey: string;
  /**
   * Aborts when the orchestration no longer needs the result, or with a TimeoutError when the `timeout` of the call has
   * passed. A shutdown of the runtime does not abort it.
   */
  readonly signal: AbortSignal;
  readonly log: ContextLog;
  /**
   * A stream of the instance. What is written is durable before the result is stored. If the call is delivered again,
   * readers learn that its earlier values are void.
   *
   * @example
   * ```ts
   * await ctx.stream(tokens).write("Hel");
   * ```
   */
  stream<T = unknown>(stream: StreamDefinition<T, unknown> | string): StepStream<T>;
  /**
   * Reports how far the activity has come: clients see the last report, and the next delivery of the call gets it. Stored
   * once a second at most, and before the outcome. InvalidInputError for what the codec refuses.
   *
   * @example
   * ```ts
   * const load = activity("load", async (ctx, ids: string[]) => {
   *   for (let done = ctx.lastProgress?.done ?? 0; done < ids.length; done++) ctx.progress({ done, of: ids.length });
   * });
   * ```
   */
  progress(value: Progress): void;
  /** The last report of an earlier delivery of the call, also of an attempt that has failed. */
  readonly lastProgress: Progress | undefined;
}
