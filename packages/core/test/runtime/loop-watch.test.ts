/** A stall of the event loop is logged, with the handlers that ran in it (loop-watch.LW1 to loop-watch.LW3). */
import { expect, it } from "vitest";
import type { Clock } from "../../src/contract/clock.ts";
import type { LogFields, Logger } from "../../src/define/logger.ts";
import { LoopWatch } from "../../src/runtime/trouble/loop-watch.ts";

const LOCK_MS = 6_000;
const LOOK_MS = LOCK_MS / 6;

/** A watch, and a loop that can stand still: its timers fire when `runFor` says so, however late. */
function setUp() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly fire: () => void }[] = [];
  const clock: Clock = {
    now: () => nowMs,
    schedule: (delayMs, fire) => {
      const timer = { atMs: nowMs + delayMs, fire };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  const told: LogFields[] = [];
  let stalls = 0;
  const ignore = (): void => {};
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (fields: LogFields) => void told.push(fields),
  };
  const watch = new LoopWatch({ clock, logger, shortestLockMs: LOCK_MS, onStall: () => stalls++ });
  const standFor = (ms: number): void => {
    nowMs += ms;
    const due = timers.filter(({ atMs }) => atMs <= nowMs);
    timers = timers.filter(({ atMs }) => atMs > nowMs);
    for (const { fire } of due) fire();
  };
  return { watch, told, standFor, stalls: () => stalls, timers: () => timers.length };
}

it("a stall of more than a third of a lock is one warning that names the handlers, and a reason to renew (loop-watch.LW2)", () => {
  const { watch, told, standFor, stalls } = setUp();
  watch.enter("long");
  watch.enter("short");
  watch.leave("short");
  standFor(LOCK_MS / 3 + 1);
  expect(told).toEqual([
    {
      event: "event_loop_stalled",
      stalled_ms: LOCK_MS / 3 + 1,
      shortest_lock_ms: LOCK_MS,
      ran: ["activity long", "activity short"],
    },
  ]);
  expect(stalls()).toBe(1);
  standFor(LOOK_MS * 3);
  expect(told[1]).toMatchObject({ ran: ["activity long"] });
});

it("a shorter stall is not logged", () => {
  const { watch, told, standFor } = setUp();
  watch.enter("a");
  for (let n = 0; n < 5; n++) standFor(LOCK_MS / 3);
  expect(told).toEqual([]);
});

it("a turn that takes so long is logged once, without handlers and with handlers (loop-watch.LW3)", () => {
  const { watch, told, standFor } = setUp();
  watch.tookTurn("order", LOCK_MS / 3);
  expect(told).toEqual([]);
  watch.tookTurn("order", LOCK_MS);
  expect(told).toMatchObject([{ stalled_ms: LOCK_MS, ran: ["orchestration order"] }]);
  watch.enter("a");
  watch.tookTurn("order", LOCK_MS);
  standFor(LOCK_MS);
  expect(told.slice(1)).toMatchObject([{ ran: ["activity a", "orchestration order"] }]);
});

it("it sets no timer while no handler runs (loop-watch.LW1)", () => {
  const { watch, standFor, timers } = setUp();
  expect(timers()).toBe(0);
  watch.enter("a");
  watch.leave("a");
  standFor(LOOK_MS);
  expect(timers()).toBe(0);
  watch.enter("a");
  expect(timers()).toBe(1);
  watch[Symbol.dispose]();
  expect(timers()).toBe(0);
});
