/** Keeps the lock of fetched work while its blobs are read. */
import { type Clock, sleep } from "../contract/clock.ts";

export interface Kept<T> {
  readonly value: T;
  /** The new end of the lock, if it was renewed. */
  readonly lockedUntilMs?: number;
}

/** Does not report a failed renewal, because the store rejects the commit of a lost lock. */
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
