/** Fetches that wait in line, and which of them is woken by what. */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import type { WaitingFetch } from "../src/memory/waiting-fetch.ts";
import { WaitingFetches } from "../src/memory/waiting-fetches.ts";

const LOOK_MS = 100;
const END_MS = 1_000;

describe("a line of fetches", () => {
  const clock = new VirtualClock(0);
  const times = { lookMs: LOOK_MS, endMs: END_MS };

  function line(...names: readonly string[]) {
    const waiting = new WaitingFetches<string, string>(clock);
    const woken: string[] = [];
    const places = names.map((name) => waiting.enter("the same", name));
    const wait = async (place: WaitingFetch<string, string>): Promise<void> => {
      const claim = await place.wait(waiting.notices, times, undefined);
      woken.push(claim === undefined ? place.request : `${place.request} gets ${claim}`);
    };
    for (const place of places) void wait(place);
    return { waiting, places, wait, woken };
  }

  it("has its first one woken when something was written", async () => {
    const { waiting, woken } = line("a", "b", "c");
    waiting.notify();
    await clock.settle();
    expect(woken).toEqual(["a"]);
  });

  // waiting-fetches.Q1
  it("has the next one look when the first has found something, and when it leaves", async () => {
    const { waiting, places, woken } = line("a", "b", "c");
    waiting.notify();
    places[0]?.handOver();
    await clock.settle();
    expect(woken).toEqual(["a", "b"]);
    places[1]?.[Symbol.dispose]();
    await clock.settle();
    expect(woken).toEqual(["a", "b", "c"]);
  });

  it("lets one that found something in vain stand where it stood", async () => {
    const { waiting, places, wait, woken } = line("a", "b");
    waiting.notify();
    places[0]?.handOver();
    await clock.settle();
    const [a] = places;
    a?.comeBack();
    if (a !== undefined) void wait(a);
    expect(a?.isFirst).toBe(true);
    waiting.notify();
    await clock.settle();
    expect(woken).toEqual(["a", "b", "a"]);
  });

  it("gives what was locked to one that does not look for others", async () => {
    const { waiting, woken } = line("a", "b");
    expect(waiting.reserve(() => true)?.give("x")).toBe(true);
    await clock.settle();
    expect(woken).toEqual(["b gets x"]);
  });

  // waiting-fetches.Q2
  it("has another one look while the first waits for what is locked for it", async () => {
    const { waiting, woken } = line("a", "b");
    const reserved = waiting.reserve((name) => name === "a");
    await clock.settle();
    expect(woken).toEqual(["b"]);
    waiting.notify();
    reserved?.release();
    await clock.settle();
    expect(woken).toEqual(["b", "a"]);
  });

  // claim-turn.C1
  it("reserves no fetch twice, and no fetch that would not take it", () => {
    const { waiting } = line("a");
    expect(waiting.reserve((name) => name === "b")).toBeUndefined();
    expect(waiting.reserve(() => true)).toBeDefined();
    expect(waiting.reserve(() => true)).toBeUndefined();
  });

  it("gives nothing to one that has given up", async () => {
    const { waiting, places } = line("a");
    const reserved = waiting.reserve(() => true);
    places[0]?.giveUp();
    expect(reserved?.give("x")).toBe(false);
  });

  // waiting-fetches.Q1
  it("has only its first one look when it is time, and all of them go when theirs is over", async () => {
    const local = new VirtualClock(0);
    const waiting = new WaitingFetches<string, string>(local);
    const woken: string[] = [];
    for (const name of ["a", "b"]) {
      const place = waiting.enter("the same", name);
      void place.wait(waiting.notices, times, undefined).then(() => woken.push(name));
    }
    await local.advance(LOOK_MS);
    expect(woken).toEqual(["a"]);
    await local.advance(END_MS);
    expect(woken).toEqual(["a", "b"]);
  });

  it("wakes every fetch when it is closed", async () => {
    const { waiting, woken } = line("a", "b");
    waiting.close();
    await clock.settle();
    expect(woken).toEqual(["a", "b"]);
  });
});
