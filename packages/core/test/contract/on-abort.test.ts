/** Callbacks of signals that many callers wait on (on-abort.OA1, on-abort.OA2). */
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { sleep } from "../../src/contract/clock.ts";
import { onAbort } from "../../src/contract/on-abort.ts";
import { VirtualClock } from "../../src/testing/index.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

it("a signal has one listener for all its callbacks, and none when they are removed (on-abort.OA1)", () => {
  const { signal } = new AbortController();
  const forgets = Array.from({ length: 300 }, () => onAbort(signal, () => {}));
  expect(listeners(signal)).toBe(1);
  for (const forget of forgets) forget();
  expect(listeners(signal)).toBe(0);
});

it("callbacks are called once and in order, except those that were removed", () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => {
    called.push("first");
    forgetLater();
  });
  onAbort(controller.signal, () => called.push("second"))();
  const forgetLater = onAbort(controller.signal, () => called.push("third"));
  onAbort(controller.signal, () => called.push("fourth"));
  controller.abort();
  controller.abort();

  expect(called).toEqual(["first", "fourth"]);
  expect(listeners(controller.signal)).toBe(0);
});

it("a callback may be removed twice, also after others were added", () => {
  const controller = new AbortController();
  let called = 0;
  const forget = onAbort(controller.signal, () => {});
  forget();
  onAbort(controller.signal, () => called++);
  forget();
  controller.abort();

  expect(called).toBe(1);
});

it("a signal that has aborted, and none at all, call nothing", () => {
  const called: string[] = [];
  onAbort(AbortSignal.abort(), () => called.push("aborted"))();
  onAbort(undefined, () => called.push("none"))();

  expect(called).toEqual([]);
});

it("sleeps leave nothing behind on their signal, however they end (on-abort.OA2)", async () => {
  const clock = new VirtualClock(0);
  const controller = new AbortController();
  const short = Array.from({ length: 100 }, () => sleep(clock, 10, controller.signal));
  const long = Array.from({ length: 100 }, () => sleep(clock, 1_000, controller.signal));
  await clock.advance(10);
  await Promise.all(short);
  expect(listeners(controller.signal)).toBe(1);

  controller.abort();
  await Promise.all(long);
  expect(listeners(controller.signal)).toBe(0);
  expect(clock.nextDueMs).toBeUndefined();
});
