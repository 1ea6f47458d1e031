/** The time of cases: virtual if the store uses the kit's clock, real otherwise. */
import { type Clock, sleep, systemClock } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";

/** Lets time pass, and measures it. All numbers are ms. */
export interface CaseTime {
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Lets time pass. Virtual time passes at once, and fires all due timers. */
  pass(ms: number): Promise<void>;
  /** Makes the call, lets time pass until it settles, at most `limitMs`, and returns how much time passed. */
  measure<T>(
    call: () => Promise<T>,
    limitMs: number,
  ): Promise<{ readonly value: T; readonly elapsedMs: number }>;
}

/** Resolves when the store has no storage call in flight. */
type Idle = () => Promise<void>;

export function virtualTime(idle: Idle): CaseTime {
  const clock = new VirtualClock();
  const standstill = async (): Promise<void> => {
    await clock.settle();
    await idle();
    await clock.settle();
  };
  /** Advances to the next timer, or to `endMs` if none is due before. */
  const step = async (endMs: number): Promise<void> => {
    const nextMs = Math.max(clock.now(), Math.min(clock.nextDueMs ?? endMs, endMs));
    await clock.advance(nextMs - clock.now());
    await standstill();
  };
  const pass = async (ms: number): Promise<void> => {
    const endMs = clock.now() + ms;
    await standstill();
    while (clock.now() < endMs) await step(endMs);
  };
  return {
    clock,
    now: () => clock.now(),
    pass,
    async measure(call, limitMs) {
      const startMs = clock.now();
      let settled = false;
      const done = call().finally(() => {
        settled = true;
      });
      done.catch(() => {});
      await standstill();
      while (!settled && clock.now() < startMs + limitMs) await step(startMs + limitMs);
      if (!settled) throw new Error(`still not settled after ${limitMs} ms`);
      const elapsedMs = clock.now() - startMs;
      return { value: await done, elapsedMs };
    },
  };
}

export const realTime: CaseTime = {
  clock: systemClock,
  now: () => systemClock.now(),
  pass: (ms) => sleep(systemClock, ms),
  async measure(call, limitMs) {
    const startMs = systemClock.now();
    const promise = call();
    const limit = new AbortController();
    const value = await Promise.race([
      promise,
      sleep(systemClock, limitMs, limit.signal).then(() => {
        if (!limit.signal.aborted) throw new Error(`still not settled after ${limitMs} ms`);
        return promise;
      }),
    ]).finally(() => limit.abort());
    return { value, elapsedMs: systemClock.now() - startMs };
  },
};
