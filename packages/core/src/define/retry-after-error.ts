import { types } from "node:util";
import { type RetryAfter, shownPause } from "../errors/retry-after.ts";
import { type Duration, dueMs, durationMs } from "./duration.ts";

/** Options of a RetryAfterError. */
export interface RetryAfterOptions extends ErrorOptions {
  /** The property `data` of the error. It is stored as JSON. */
  readonly data?: unknown;
}

/**
 * An activity or a step throws this error to say when it can succeed. A call with `retry` then pauses that long instead
 * of by its `backoff`: after a duration, counted from the failure, or until a date; not at all if it has passed.
 * `maxAttempts` and `totalTimeout` hold. Without `retry`, and under `timeoutEndsRetries`, it is an error like any other.
 *
 * @example
 * ```ts
 * import { RetryAfterError } from "@duroxide-ts/core";
 *
 * const { status, headers } = await fetch("https://api.example.com/quotes");
 * if (status === 429) throw new RetryAfterError({ seconds: Number(headers.get("retry-after")) });
 * ```
 */
export class RetryAfterError extends Error {
  override readonly name = "RetryAfterError";
  /** The pause, which the failure is stored with, and which the `cause` in the orchestration has too. */
  readonly retryAfter: RetryAfter;
  declare readonly data?: unknown;

  /** Throws InvalidInputError for a duration or a date that is none. */
  constructor(after: Duration | Date, message?: string, { data, ...options }: RetryAfterOptions = {}) {
    const pause = pauseOf(after);
    super(message ?? `try again ${shownPause(pause)}`, options);
    // Not data of the error, because it is stored separately.
    this.retryAfter = pause;
    Object.defineProperty(this, "retryAfter", { enumerable: false });
    if (data !== undefined) this.data = data;
  }
}

function pauseOf(after: Duration | Date): RetryAfter {
  return types.isDate(after)
    ? { atMs: dueMs(after, 0, "RetryAfterError: the date") }
    : { ms: durationMs(after, "RetryAfterError: the pause") };
}
