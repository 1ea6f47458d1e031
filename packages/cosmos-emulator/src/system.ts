/**
 * The one place of this package that reads the machine's clock, waits or draws random numbers; everything else gets
 * them handed in.
 */
import { randomBytes, randomUUID } from "node:crypto";
import timers from "node:timers";

/** Time as the endpoint sees it. */
export interface EmulatorClock {
  /** Returns milliseconds since the epoch: `_ts`, time to live, the `Date` header, the age of signatures. */
  now(): number;
  /**
   * Returns milliseconds from any origin that never go back: durations in the request log, token buckets, limits of
   * scripts.
   */
  monotonicMs(): number;
  /** Resolves after `delayMs`, or as soon as `signal` aborts; never rejects. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

// Read once, because fake timers of a test may replace the globals later.
const { now } = Date;
const { setTimeout, clearTimeout } = timers;

export const systemClock: EmulatorClock = {
  now,
  monotonicMs: performance.now.bind(performance),
  wait: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve();
      const timer = setTimeout(done, delayMs);
      signal?.addEventListener("abort", done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      }
    }),
};

/** Returns a version 4 UUID. */
export function newId(): string {
  return randomUUID();
}

/** Returns a number in [0, 1), uniformly. */
export function randomUnit(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}
