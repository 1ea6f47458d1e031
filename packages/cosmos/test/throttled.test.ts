/** Requests to a logical partition that has no request units left (service/throttled.ts). */
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import { beforeEach, expect, it } from "vitest";
import type { Failure } from "../src/service/failure.ts";
import { persist } from "../src/service/persist.ts";
import { type Pass, Throttled } from "../src/service/throttled.ts";

const refused: Failure = {
  status: 429,
  substatus: 3200,
  charge: 0,
  retryAfterMs: 100,
  message: "Request rate is large",
  cause: undefined,
};

let clock: VirtualClock;
let throttled: Throttled;
let entered: { readonly name: string; readonly pass: Pass }[];

beforeEach(() => {
  clock = new VirtualClock();
  throttled = new Throttled(clock);
  entered = [];
});

const callUntil = (inMs: number, signal?: AbortSignal) => ({
  operation: "test",
  untilMs: clock.now() + inMs,
  ...(signal !== undefined && { signal }),
});

async function enter(name: string, inMs = 10_000, partition = "a"): Promise<void> {
  const pass = await throttled.enter(partition, callUntil(inMs));
  entered.push({ name, pass });
}

const names = (): readonly string[] => entered.map(({ name }) => name);

async function refuseFirst(): Promise<void> {
  (await throttled.enter("a", callUntil(1)))(refused);
}

// throttled.TH1, throttled.TH2
it("sends nothing before the advised time, then one, and with each answer twice as many", async () => {
  await refuseFirst();
  const all = Array.from({ length: 10 }, (_, n) => enter(`${n}`));
  await clock.advance(99);
  expect(names()).toEqual([]);
  await clock.advance(1);
  expect(names()).toEqual(["0"]);
  entered[0]?.pass(undefined);
  await clock.settle();
  expect(names()).toEqual(["0", "1", "2"]);
  entered[1]?.pass(undefined);
  entered[2]?.pass(undefined);
  await clock.settle();
  expect(names()).toHaveLength(10);
  await Promise.all(all);
});

it("begins with one again after the next refusal", async () => {
  await refuseFirst();
  const all = Array.from({ length: 6 }, (_, n) => enter(`${n}`));
  await clock.advance(100);
  entered[0]?.pass(undefined);
  await clock.settle();
  entered[1]?.pass(refused);
  entered[2]?.pass(refused);
  await clock.advance(99);
  expect(names()).toEqual(["0", "1", "2"]);
  await clock.advance(1);
  expect(names()).toEqual(["0", "1", "2", "3"]);
  for (let at = 3; at < 6; at++) {
    entered[at]?.pass(undefined);
    await clock.settle();
  }
  await Promise.all(all);
});

// throttled.TH3
it("sends first what is over first", async () => {
  await refuseFirst();
  const all = [enter("fetch", 30_000), enter("renewal", 2_000), enter("commit", 5_000)];
  await clock.advance(100);
  entered[0]?.pass(undefined);
  await clock.settle();
  expect(names()).toEqual(["renewal", "commit", "fetch"]);
  await Promise.all(all);
});

// throttled.TH4
it("fails a request that is not sent in time, and one that is aborted", async () => {
  await refuseFirst();
  const late = expect(enter("late", 50)).rejects.toMatchObject({ code: "unavailable", operation: "test" });
  const aborting = new AbortController();
  const aborted = expect(throttled.enter("a", callUntil(10_000, aborting.signal))).rejects.toMatchObject({
    code: "unavailable",
  });
  aborting.abort();
  await clock.advance(50);
  await late;
  await aborted;
});

it("delays no other partition, and forgets one when nothing waits there", async () => {
  await refuseFirst();
  await enter("other", 10_000, "b");
  expect(names()).toEqual(["other"]);
  const waited = enter("a");
  await clock.advance(100);
  entered[1]?.pass(undefined);
  await waited;
  await enter("at once");
  expect(names()).toEqual(["other", "a", "at once"]);
});

// throttled.TH1
it("waits longer after each refusal where the service advises no time", async () => {
  const atOnce: Failure = { ...refused, retryAfterMs: 0 };
  (await throttled.enter("a", callUntil(1)))(atOnce);
  const all = Array.from({ length: 40 }, (_, n) => enter(`${n}`));
  for (let ms = 0, answered = 0; ms < 1_000; ms++) {
    await clock.advance(1);
    for (; answered < entered.length; answered++) entered[answered]?.pass(atOnce);
  }
  expect(entered.length).toBeLessThanOrEqual(8);
  for (let at = entered.length; at < 40; at++) {
    await clock.advance(200);
    entered[at]?.pass(undefined);
    await clock.settle();
  }
  await Promise.all(all);
});

it("sends a request without a logical partition ten times a second at most where the advice is 0 ms", async () => {
  let attempts = 0;
  const send = async (): Promise<never> => {
    attempts++;
    throw Object.assign(new Error("Request rate is large"), { code: 429, retryAfterInMs: 0 });
  };
  const refusing = expect(
    persist({ clock, random: new SeededRandom("1") }, callUntil(1_000), send),
  ).rejects.toMatchObject({ code: "unavailable" });
  await clock.advance(1_000);
  await refusing;
  expect(attempts).toBeLessThanOrEqual(10);
});
