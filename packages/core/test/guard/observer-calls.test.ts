/** Whatever an observer does, its caller goes on (invariants observer-calls.OC1 to observer-calls.OC4). */
import { describe, expect, it } from "vitest";
import { ObserverCalls } from "../../src/guard/observer-calls.ts";
import { closeTurn, openTurn } from "../../src/guard/open-turns.ts";
import { runMarked } from "../../src/guard/orchestration-frame.ts";
import { installPatches } from "../../src/guard/patches.ts";
import { interceptRejections, owned } from "../../src/guard/rejections.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const clock = new VirtualClock();
  const told: string[] = [];
  const calls = new ObserverCalls(clock, (error, failures) => told.push(`${failures} ${String(error)}`));
  return { clock, told, calls };
}

class Unresolvable extends Promise<never> {
  constructor() {
    super(() => {});
    throw new Error("no promise can be made of it");
  }
}

describe("a call of an observer", () => {
  it("that throws returns nothing, and is told (observer-calls.OC1)", () => {
    const { calls, told } = setUp();
    const throws = (): never => {
      throw new Error("boom");
    };
    expect(calls.call(throws)).toBeUndefined();
    expect(told).toEqual(["1 Error: boom"]);
  });

  it("that throws what cannot be read is told", () => {
    const { calls, told } = setUp();
    expect(
      calls.call(() => {
        throw undefined;
      }),
    ).toBeUndefined();
    expect(told).toEqual(["1 undefined"]);
  });

  it("that rejects is told, and nothing waits for it (observer-calls.OC2)", async () => {
    const { calls, told } = setUp();
    const done = calls.call(() => Promise.reject(new Error("late")));
    expect(told).toEqual([]);
    await done?.catch(() => {});
    await nextRound();
    expect(told).toEqual(["1 Error: late"]);
  });

  it("that rejects in work which it has left running is told (observer-calls.OC2)", async () => {
    const stop = interceptRejections();
    const { calls, told } = setUp();
    calls.call(() => {
      void nextRound().then(() => Promise.reject(new Error("shipping failed")));
    });
    await nextRound();
    await nextRound();
    expect(told).toEqual(["1 Error: shipping failed"]);
    stop();
  });

  it("that returns a promise which no handler can be added to is told (observer-calls.OC2)", async () => {
    const stop = interceptRejections();
    const told: string[] = [];
    let nowMs = 0;
    const everyTime = { now: () => (nowMs += 60_000) };
    const calls = new ObserverCalls(everyTime, (error) => told.push(String(error)));
    void calls.call(() => {
      const rejected: Promise<never> = Promise.reject(new Error("hostile"));
      Reflect.set(rejected, "constructor", Unresolvable);
      return rejected;
    });
    await nextRound();
    expect(told).toEqual(["Error: no promise can be made of it", "Error: hostile"]);
    stop();
  });

  it("that returns a thenable leaves it alone (observer-calls.OC1)", () => {
    const { calls, told } = setUp();
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: the case that is shown
      get then(): never {
        throw new Error("touched");
      },
    };
    expect(calls.call(() => thenable)).toBe(thenable);
    expect(told).toEqual([]);
  });

  it("within orchestration code is none: it may read the clock, and its promises are its own (observer-calls.OC3)", async () => {
    const remove = installPatches();
    const { calls, told } = setUp();
    const reasons: unknown[] = [];
    const code = { rejected: (_: object, reason: unknown) => void reasons.push(reason), handled: () => {} };
    const policy = { mode: "error" as const, warn: () => {} };
    const stop = interceptRejections();
    openTurn(policy);
    try {
      const readClock = (): unknown => Date.now();
      await owned(code, () => runMarked(() => calls.call(readClock)));
      await expect(runMarked(readClock)).rejects.toThrow("Date.now() in orchestration code");
      owned(code, () => calls.call(() => void Promise.reject(new Error("its own"))));
    } finally {
      closeTurn(policy);
    }
    await nextRound();
    expect(reasons).toEqual([]);
    expect(told).toEqual(["1 Error: its own"]);
    remove();
    stop();
  });

  it("is told once a minute, with the number of failures, also after the clock was set back (observer-calls.OC4)", async () => {
    const { calls, clock, told } = setUp();
    const throws = (): never => {
      throw "boom";
    };
    for (let call = 0; call < 100; call++) calls.call(throws);
    await clock.advance(59_999);
    calls.call(throws);
    expect(told).toEqual(["1 boom"]);
    await clock.advance(1);
    calls.call(throws);
    expect(told).toEqual(["1 boom", "101 boom"]);

    let nowMs = 3_600_000;
    const later: number[] = [];
    const setBack = new ObserverCalls({ now: () => nowMs }, (_error, failures) => later.push(failures));
    setBack.call(throws);
    nowMs = 0;
    setBack.call(throws);
    expect(later).toEqual([1, 1]);
  });
});
