/** Keeps the lock of fetched work while its blobs are read. */
import { type Clock, sleep } from "../contract/clock.ts";

export interface Kept<T> {
  readonly value: T;
  /** Where the lock was renewed: when it ends now. */
  readonly lockedUntilMs?: number;
}

/** A renewal that fails is not reported: whoever uses the lock learns it from the store. */
export async function keepLockDuring<T>(
  clock: Clock,
  lockTimeoutMs: number,
  renew: () => Promise<void>,
  work: () => Promise<T>,
): Promise<Kept<T>> {
  const done = new AbortController();
  let lockedUntilMs: number | undefined;
  const keeping = (async () => {
    for (;;) {
      await sleep(clock, lockTimeoutMs / 3, done.signal);
      if (done.signal.aborted) return;
      const nowMs = clock.now();
      const renewed = await renew().then(
        () => true,
        () => false,
      );
      if (renewed) lockedUntilMs = nowMs + lockTimeoutMs;
    }
  })();
  try {
    const value = await work();
    return { value, ...(lockedUntilMs !== undefined && { lockedUntilMs }) };
  } finally {
    done.abort();
    await keeping;
  }
}
