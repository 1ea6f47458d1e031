/**
 * Retry policies of activities: which errors are retried, how often, and with which pauses
 * (docs/reference/runtime-semantics.md §2.2, docs/decisions/activities.md).
 */
import { type ActivityFailedError, InvalidInputError, type TimeoutError } from "../errors/duroxide-error.ts";
import { shown } from "../options/option-list.ts";
import { type Duration, durationMs } from "./duration.ts";

/**
 * How an activity is retried. Failures and timeouts of attempts are retried, except errors that the activity marks
 * (`NonRetryableError`, or `retryable: false`) or that this policy names. A `RetryAfterError` decides its own pause. The
 * functions run in the orchestration, in replays too, so they must depend on their arguments only.
 */
export interface RetryPolicy {
  /** Attempts in all, the first included; 3 by default. `Infinity`: until one succeeds, or is not to be retried. */
  readonly maxAttempts?: number;
  /** Pauses between the attempts; by default exponential from 100 ms, doubling, up to 10 minutes. */
  readonly backoff?: Backoff;
  /** The same as the call's option `timeout`, which is preferred. */
  readonly timeout?: Duration;
  /**
   * Errors that are not retried: names, or classes, which match by their name. Compared with the `name` of the thrown
   * error and with the name of its class. `"TimeoutError"` matches an attempt that took too long. In minified code
   * classes have other names: set `name` in the class and list that.
   */
  readonly nonRetryable?: readonly (string | ErrorClass)[];
  /**
   * Called after each failed attempt that may be retried, with its number from 1; `false` ends the retries. Its answer is
   * recorded, and has no effect in replays.
   */
  readonly when?: (error: AttemptError, attempt: number) => boolean;
  /**
   * Called before the pause of each retry; may use the context. Nothing waits for it, and its errors are a warning. The
   * log and the metrics have retries without it.
   */
  readonly onRetry?: (retry: Retry) => void;
  /**
   * The rule of the Rust runtime, for orchestrations that run there too: an attempt that times out ends the retries,
   * and marks on errors are ignored.
   */
  readonly timeoutEndsRetries?: boolean;
}

/** The error of a failed attempt: the error of the activity, or a timeout. */
export type AttemptError = ActivityFailedError | TimeoutError;

/** A class of errors, such as `TypeError`. */
export type ErrorClass = abstract new (...args: never[]) => Error;

/** A failed attempt that is retried. */
export interface Retry {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** The pause before the next one. */
  readonly delayMs: number;
  readonly error: AttemptError;
}

/** The pause after a failed attempt, by the number of failures so far. Pauses are durable timers. */
export type Backoff =
  | { readonly kind: "none" }
  | { readonly kind: "fixed"; readonly delay: Duration }
  | { readonly kind: "linear"; readonly base: Duration; readonly max: Duration }
  | {
      readonly kind: "exponential";
      /** 100 ms by default. */
      readonly base?: Duration;
      /** 2 by default. */
      readonly multiplier?: number;
      /** 10 minutes by default. */
      readonly max?: Duration;
    };

export function maxAttempts({ maxAttempts = 3 }: RetryPolicy): number {
  const isCount = Number.isInteger(maxAttempts) || maxAttempts === Number.POSITIVE_INFINITY;
  if (isCount && maxAttempts >= 1) return maxAttempts;
  throw new InvalidInputError(
    `retry.maxAttempts must be a whole number of 1 or more, or Infinity; got ${shown(maxAttempts)}`,
  );
}

/** Milliseconds to wait after the `failedAttempt`-th failure (from 1). */
export function backoffDelayMs(backoff: Backoff | undefined, failedAttempt: number): number {
  if (backoff === undefined) return backoffDelayMs({ kind: "exponential" }, failedAttempt);
  switch (backoff.kind) {
    case "none":
      return 0;
    case "fixed":
      return durationMs(backoff.delay);
    case "linear":
      return Math.min(durationMs(backoff.base) * failedAttempt, durationMs(backoff.max));
    case "exponential": {
      const { base = 100, multiplier = 2, max = 600_000 } = backoff;
      const baseMs = durationMs(base);
      if (baseMs === 0) return 0;
      return Math.trunc(Math.min(baseMs * multiplier ** (failedAttempt - 1), durationMs(max)));
    }
  }
}
