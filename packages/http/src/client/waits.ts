/**
 * Waits of a client over HTTP: one request after the other, each of which the server holds.
 *
 * - waits.WT1: A retryable error, and an instance that is not there yet, end no wait, as in a `Client`.
 * - waits.WT2: The limit of a wait is a timer, and no time is compared with another. A limit of 0 is one whole look.
 * - waits.WT3: A pause follows each look that found nothing: a server that stops holds no request.
 */
import {
  CancelledError,
  type Clock,
  type Duration,
  doubledMs,
  durationMs,
  NotDeliveredError,
  onAbort,
  ProviderError,
  sleep,
  TimeoutError,
} from "@duroxide-ts/core/browser";

/** Time for which the server holds a request, ms: shorter than the limits of most proxies. */
const HOLD_MS = 20_000;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface Wait {
  readonly clock: Clock;
  readonly instanceId: string;
  readonly timeout?: Duration | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether an instance that is not there may come. */
  readonly mayCome: boolean;
}

/** A look at the server, which holds it for `holdMs`. */
export interface Look {
  readonly holdMs: number;
  readonly signal: AbortSignal;
}

/** Asks until `look` returns a value; TimeoutError and CancelledError as those of a `Client`. */
export async function waitUntil<T>(
  { clock, instanceId, timeout, signal, mayCome }: Wait,
  look: (look: Look) => Promise<T | undefined>,
): Promise<T> {
  const limitMs = timeout === undefined ? undefined : durationMs(timeout);
  const over = new AbortController();
  const cancel = limitMs ? clock.schedule(limitMs, () => over.abort()) : () => {};
  const forget = onAbort(signal, () => over.abort());
  const throwIfCancelled = (): void => {
    if (signal?.aborted === true) throw new CancelledError(signal.reason);
  };
  const holdMs = Math.min(limitMs ?? HOLD_MS, HOLD_MS);
  try {
    for (let failures = 0; ; ) {
      throwIfCancelled();
      const found = await looked(look, { holdMs, signal: over.signal }, mayCome);
      if (found.value !== undefined) return found.value;
      throwIfCancelled();
      if (over.signal.aborted || limitMs === 0) {
        throw new TimeoutError(`instance "${instanceId}": the wait timed out`);
      }
      failures = found.failed ? failures + 1 : 0;
      await sleep(clock, pauseMs(Math.max(failures, 1)), over.signal);
    }
  } finally {
    cancel();
    forget();
  }
}

/** The pause after so many failures in a row. */
export function pauseMs(failures: number): number {
  return doubledMs(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, failures - 1);
}

/** A look that failed for a while found nothing (waits.WT1). */
async function looked<T>(
  look: (look: Look) => Promise<T | undefined>,
  options: Look,
  mayCome: boolean,
): Promise<{ readonly value: T | undefined; readonly failed: boolean }> {
  try {
    return { value: await look(options), failed: false };
  } catch (error) {
    const passes =
      options.signal.aborted ||
      (ProviderError.is(error) && error.retryable) ||
      (mayCome && NotDeliveredError.is(error, "not-found"));
    if (!passes) throw error;
    return { value: undefined, failed: true };
  }
}
