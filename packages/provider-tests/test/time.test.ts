/** Time in cases: virtual time passes at once and in order, and what a call takes is measured in it. */
import { setImmediate as nextRound } from "node:timers/promises";
import { sleep } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { realTime, virtualTime } from "../src/time.ts";

const noStorage = async (): Promise<void> => {};

describe("virtual time", () => {
  it("passes by just so much, with everything that falls due on the way, in order", async () => {
    const time = virtualTime(noStorage);
    const startMs = time.now();
    const seen: string[] = [];
    const at = (delayMs: number, what: string) =>
      time.clock.schedule(delayMs, () => seen.push(`${what} at ${time.now() - startMs}`));
    at(300, "third");
    at(100, "first");
    time.clock.schedule(100, () => at(50, "second"));
    at(301, "too late");
    await time.pass(300);
    expect(seen).toEqual(["first at 100", "second at 150", "third at 300"]);
    expect(time.now() - startMs).toBe(300);
  });

  it("does not move until it is advanced", async () => {
    const time = virtualTime(noStorage);
    const startMs = time.now();
    for (let round = 0; round < 50; round++) await nextRound();
    expect(time.now()).toBe(startMs);
  });

  it("waits for storage calls in flight before it goes on, from one timer to the next", async () => {
    const inFlight: Promise<void>[] = [];
    const time = virtualTime(async () => {
      await Promise.all(inFlight);
    });
    const startMs = time.now();
    const answeredAtMs: number[] = [];
    const storageCall = async (): Promise<void> => {
      for (let round = 0; round < 100; round++) await nextRound();
      answeredAtMs.push(time.now() - startMs);
    };
    inFlight.push(storageCall());
    time.clock.schedule(400, () => inFlight.push(storageCall()));
    await time.pass(1_000);
    expect(answeredAtMs).toEqual([0, 400]);
  });

  it("measures how much of it a call takes", async () => {
    const time = virtualTime(noStorage);
    const call = async (): Promise<string> => {
      await sleep(time.clock, 250);
      return "answer";
    };
    expect(await time.measure(call, 1_000)).toEqual({ value: "answer", elapsedMs: 250 });
    expect(await time.measure(async () => 1, 1_000)).toEqual({ value: 1, elapsedMs: 0 });
  });

  it("measures no further than to the limit", async () => {
    const time = virtualTime(noStorage);
    const startMs = time.now();
    await expect(time.measure(() => new Promise(() => {}), 500)).rejects.toThrow(
      "still not settled after 500 ms",
    );
    expect(time.now() - startMs).toBe(500);
  });

  it("passes on the error of a measured call", async () => {
    const time = virtualTime(noStorage);
    const call = async (): Promise<never> => {
      await sleep(time.clock, 10);
      throw new Error("refused");
    };
    await expect(time.measure(call, 1_000)).rejects.toThrow("refused");
  });
});

describe("real time", () => {
  it("measures a call that answers without waiting for the limit", async () => {
    expect((await realTime.measure(async () => "answer", 60_000)).value).toBe("answer");
  });

  it("passes on the error of a measured call", async () => {
    const call = async (): Promise<never> => {
      throw new Error("refused");
    };
    await expect(realTime.measure(call, 60_000)).rejects.toThrow("refused");
  });

  it("gives up at the limit", async () => {
    await expect(realTime.measure(() => new Promise(() => {}), 0)).rejects.toThrow(
      "still not settled after 0 ms",
    );
  });
});
