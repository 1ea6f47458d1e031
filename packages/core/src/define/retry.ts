/** Retrying an activity: how often, and how long to wait in between (docs/reference/runtime-semantics.md §2.2). */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { type Duration, durationMs } from "./duration.ts";

/** How often an activity is tried. Every failure is retried; a timeout is not. */
export interface RetryPolicy {
  /** Attempts in all, the first included; 3 by default. */
  readonly maxAttempts?: number;
  /** By default exponential from 100 ms, doubling, up to 30 s. */
  readonly backoff?: Backoff;
  /** Limit of each attempt. An attempt that times out ends the retries: it is not tried again. */
  readonly timeout?: Duration;
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
      /** 30 s by default. */
      readonly max?: Duration;
    };

export function maxAttempts({ maxAttempts = 3 }: RetryPolicy): number {
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new InvalidInputError(`retry.maxAttempts must be a whole number of 1 or more; got ${maxAttempts}`);
  }
  return maxAttempts;
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
      const { base = 100, multiplier = 2, max = 30_000 } = backoff;
      const baseMs = durationMs(base);
      if (baseMs === 0) return 0;
      return Math.trunc(Math.min(baseMs * multiplier ** (failedAttempt - 1), durationMs(max)));
    }
  }
}
