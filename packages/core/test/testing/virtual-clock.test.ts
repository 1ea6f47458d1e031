/** The order in which the timers of a virtual clock fire (virtual-clock.VC1, virtual-clock.VC2). */
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { sleep } from "../../src/contract/clock.ts";
import { VirtualClock } from "../../src/testing/index.ts";

it("in the order of their times, and of one time in the order in which they were set (virtual-clock.VC1)", async () => {
  const clock = new VirtualClock(0);
  const fired: string[] = [];
  const set = (name: string, delayMs: number) =>
    clock.schedule(delayMs, () => fired.push(`${name} ${clock.now()}`));
  set("late", 20);
  set("a", 10);
  set("b", 10);
  set("after the end", 31);
  await clock.advance(30);
  expect(fired).toEqual(["a 10", "b 10", "late 20"]);
  expect(clock.now()).toBe(30);
});

it("the next one when all work of the last one is done, with the timers that this work sets (virtual-clock.VC2)", async () => {
  const clock = new VirtualClock(0);
  const done: string[] = [];
  clock.schedule(10, async () => {
    for (let round = 0; round < 3; round++) await nextRound();
    done.push(`work ${clock.now()}`);
    await sleep(clock, 5);
    done.push(`its timer ${clock.now()}`);
  });
  clock.schedule(20, () => done.push(`last ${clock.now()}`));
  await clock.advance(100);
  expect(done).toEqual(["work 10", "its timer 15", "last 20"]);
});
