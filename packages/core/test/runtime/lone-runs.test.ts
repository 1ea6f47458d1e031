/** Work that runs alone: what waits for it, and what it waits for (the invariants lone-runs.L1 to lone-runs.L4). */
import { describe, expect, it } from "vitest";
import { LoneRuns } from "../../src/runtime/trouble/lone-runs.ts";
import { VirtualClock } from "../../src/testing/index.ts";

function setUp() {
  const clock = new VirtualClock(0);
  const stopping = new AbortController();
  return { clock, stopping, runs: new LoneRuns(clock, stopping.signal) };
}

async function whileBusy<T>(runs: LoneRuns, work: () => Promise<T>): Promise<T> {
  runs.enter();
  try {
    return await work();
  } finally {
    runs.leave();
  }
}

/** A busy slot whose work ends when the test says so. */
function busySlot(runs: LoneRuns) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { ended: whileBusy(runs, () => promise), end: resolve };
}

describe("a lone run", () => {
  it("aborts fetches under way, holds up further ones, and lets them go on afterwards (lone-runs.L1)", async () => {
    const { clock, runs } = setUp();
    const fetch = runs.fetchSignal;
    const work = Promise.withResolvers<void>();
    const lone = whileBusy(runs, () => runs.run(() => work.promise));
    expect(fetch.aborted).toBe(true);
    expect(runs.closed).toBe(true);
    let opened = false;
    void runs.opened().then(() => {
      opened = true;
    });
    await clock.settle();
    expect(opened).toBe(false);

    work.resolve();
    await lone;
    await clock.settle();
    expect(opened).toBe(true);
    expect(runs.fetchSignal.aborted).toBe(false);
  });

  it("begins when everything else has ended (lone-runs.L2)", async () => {
    const { clock, runs } = setUp();
    const other = busySlot(runs);
    const began: number[] = [];
    const lone = whileBusy(runs, () => runs.run(async () => began.push(clock.now())));
    await clock.advance(5_000);
    expect(began).toEqual([]);

    other.end();
    await lone;
    expect(began).toEqual([5_000]);
  });

  it("runs after another one, not beside it (lone-runs.L2)", async () => {
    const { clock, runs } = setUp();
    const first = Promise.withResolvers<void>();
    const order: string[] = [];
    const one = whileBusy(runs, () => runs.run(() => first.promise.then(() => order.push("first ended"))));
    const two = whileBusy(runs, () => runs.run(async () => order.push("second began")));
    await clock.settle();
    first.resolve();
    await Promise.all([one, two]);

    expect(order).toEqual(["first ended", "second began"]);
    expect(runs.closed).toBe(false);
  });

  it("does not wait for ever for handlers that never end (lone-runs.L3)", async () => {
    const { clock, runs } = setUp();
    busySlot(runs);
    const began: number[] = [];
    const lone = whileBusy(runs, () => runs.run(async () => began.push(clock.now())));
    await clock.advance(9_999);
    expect(began).toEqual([]);
    await clock.advance(1);
    await lone;

    expect(began).toEqual([10_000]);
  });

  it("that takes long gives the process back after a minute (lone-runs.L4)", async () => {
    const { clock, runs } = setUp();
    const work = Promise.withResolvers<string>();
    const lone = whileBusy(runs, () => runs.run(() => work.promise));
    await clock.advance(59_000);
    expect(runs.closed).toBe(true);
    await clock.advance(1_000);
    expect(runs.closed).toBe(false);

    work.resolve("done");
    expect(await lone).toBe("done");
  });

  it("whose work fails ends the lone run and rethrows the failure", async () => {
    const { runs } = setUp();
    const lone = whileBusy(runs, () => runs.run(() => Promise.reject(new Error("failed"))));

    await expect(lone).rejects.toThrow("failed");
    expect(runs.closed).toBe(false);
  });

  it("does not begin once the runtime stops", async () => {
    const { runs, stopping } = setUp();
    busySlot(runs);
    let began = false;
    const lone = whileBusy(runs, () =>
      runs.run(async () => {
        began = true;
      }),
    );
    stopping.abort();

    expect(await lone).toBeUndefined();
    expect(began).toBe(false);
  });
});
