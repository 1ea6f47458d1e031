/**
 * Time and random numbers are parameters (docs/decisions/time-and-tests.md): code in these packages reads the time,
 * waits and draws random numbers only through these two interfaces, which its caller passes in.
 */
import { clearTimeout, now, random, randomUUID, setTimeout } from "../host/originals.ts";
import { onAbort } from "./on-abort.ts";

/** The time, and timers. */
export interface Clock {
  /** Milliseconds since the epoch, whole. */
  now(): number;
  /** Calls `callback` once, `delayMs` from now, unless the returned function is called before. */
  schedule(delayMs: number, callback: () => void): CancelTimer;
}

/** Cancels the timer; has no effect once it has fired. */
export type CancelTimer = () => void;

/** The source of random numbers and ids. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A version 4 UUID, lower case; unguessable with the real implementation. */
  uuid(): string;
}

/**
 * Whether so many ms have passed since an instant. True also where the clock was set back behind it: nobody knows then,
 * and what waits for the time would wait for as long as the clock was set back.
 */
export function hasPassed(nowMs: number, sinceMs: number, lengthMs: number): boolean {
  const passedMs = nowMs - sinceMs;
  return passedMs < 0 || passedMs >= lengthMs;
}

/** setTimeout fires at once for longer delays, so longer delays are split. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** The clock and the timers of this machine. */
export const systemClock: Clock = {
  now,
  schedule(delayMs, callback) {
    if (delayMs <= LONGEST_TIMEOUT_MS) {
      const single = setTimeout(callback, Math.max(delayMs, 0));
      return () => clearTimeout(single);
    }
    let timer: ReturnType<typeof setTimeout>;
    const arm = (remainingMs: number): void => {
      const sliceMs = Math.min(Math.max(remainingMs, 0), LONGEST_TIMEOUT_MS);
      timer = setTimeout(() => (remainingMs > sliceMs ? arm(remainingMs - sliceMs) : callback()), sliceMs);
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};

/** The random numbers of this machine; its UUIDs are unguessable. */
export const systemRandom: Random = {
  next: random,
  uuid: randomUUID,
};

/** Resolves after `delayMs`, or as soon as `signal` aborts; never rejects. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.schedule(delayMs, done);
    const forget = onAbort(signal, done);
    function done(): void {
      cancel();
      forget();
      resolve();
    }
  });
}

/**
 * The pause before a retry, in ms: it doubles with each failure, up to the longest one. `doublings` is 0 for the first
 * pause. Without the random part, which each caller chooses (docs/decisions/waiting.md).
 */
export function doubledMs(firstMs: number, longestMs: number, doublings: number): number {
  return Math.min(firstMs * 2 ** doublings, longestMs);
}
