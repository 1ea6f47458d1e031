/** The timers of fetches that wait (long-poll.LP3). */
import { expect, test } from "vitest";
import type { CancelTimer, Clock } from "../../../src/contract/clock.ts";
import { LongPoll } from "../../../src/testing/memory/long-poll.ts";

/** The delays of the timers that run. */
function timersOf(): { readonly clock: Clock; readonly delays: () => readonly number[] } {
  const running = new Map<object, number>();
  const schedule = (delayMs: number): CancelTimer => {
    const timer = {};
    running.set(timer, delayMs);
    return () => void running.delete(timer);
  };
  return { clock: { now: () => 0, schedule }, delays: () => [...running.values()].sort((a, b) => a - b) };
}

test("fetches that wait have one timer for the next work, and none once they have ended", async () => {
  const { clock, delays } = timersOf();
  const longPoll = new LongPoll(clock, () => 100);
  const stop = new AbortController();
  const patience = { pollTimeoutMs: 5_000, signal: stop.signal };
  const waiting = [1, 2, 3].map(() => longPoll.fetch(() => undefined, patience));
  expect(delays()).toEqual([100, 5_000, 5_000, 5_000]);
  stop.abort();
  await Promise.all(waiting);
  expect(delays()).toEqual([]);
});
