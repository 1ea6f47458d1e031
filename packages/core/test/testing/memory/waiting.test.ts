/** Long polling, watching, closing (provider contract §5, §6.8). */
import { describe, expect, test } from "vitest";
import { Bench, code, LOCK_MS, raised, start, work } from "./support.ts";

const wait = (bench: Bench, pollTimeoutMs: number, signal?: AbortSignal) =>
  bench.provider.fetchOrchestrationItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs, ...(signal && { signal }) });

/** Whether the promise has settled, and with what. */
function peek<T>(promise: Promise<T>): { readonly value?: T; readonly settled: boolean } {
  const seen: { value?: T; settled: boolean } = { settled: false };
  void promise.then((value) => Object.assign(seen, { value, settled: true }));
  return seen;
}

describe("a fetch that finds nothing", () => {
  test("waits its time, and not longer", async () => {
    const bench = new Bench();
    const seen = peek(wait(bench, 500));
    await bench.clock.advance(499);
    expect(seen.settled).toBe(false);
    await bench.clock.advance(1);
    expect(seen).toEqual({ settled: true, value: undefined });
  });

  test.each<[string, (bench: Bench) => Promise<unknown>, number]>([
    ["a message comes", (bench) => bench.enqueue(start("a")), 0],
    ["a message becomes visible", (bench) => bench.enqueue(start("a"), 100), 100],
  ])("is woken when %s", async (_what, act, afterMs) => {
    const bench = new Bench();
    const seen = peek(wait(bench, 10_000));
    await act(bench);
    await bench.clock.advance(afterMs);
    expect(seen.value?.item.instanceId).toBe("a");
  });

  test("is woken when a lock ends", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    await bench.take({ lockMs: 200 });
    const seen = peek(wait(bench, 10_000));
    await bench.clock.advance(199);
    expect(seen.settled).toBe(false);
    await bench.clock.advance(1);
    expect(seen.value?.attemptCount).toBe(2);
  });

  test("takes turns with the others: first come, first served, one each", async () => {
    const bench = new Bench();
    const seen = [1, 2, 3].map(() => peek(wait(bench, 10_000)));
    await bench.enqueue(start("a"));
    await bench.enqueue(start("b"));
    await bench.clock.settle();
    expect(seen.map(({ value }) => value?.item.instanceId)).toEqual(["a", "b", undefined]);
  });

  test("ends with its signal, also one that aborted before, and takes no lock", async () => {
    const bench = new Bench();
    const controller = new AbortController();
    const fetching = wait(bench, 10_000, controller.signal);
    controller.abort();
    expect(await fetching).toBeUndefined();
    await bench.enqueue(start("a"));
    expect(await wait(bench, 10_000, controller.signal)).toBeUndefined();
    expect((await bench.take()).attemptCount).toBe(1);
  });

  test("works for workers too", async () => {
    const bench = new Bench();
    const seen = peek(bench.fetchWork({ pollTimeoutMs: 10_000 }));
    await bench.provider.enqueueForWorker(work("a", 1, { tag: "gpu" }));
    await bench.clock.settle();
    expect(seen.settled).toBe(false);
    await bench.provider.enqueueForWorker(work("a", 2));
    await bench.clock.settle();
    expect(seen.value?.item.id).toBe(2);
  });
});

test("a watch is told of commits until it ends", async () => {
  const bench = new Bench();
  let told = 0;
  const unwatch = bench.provider.watchInstance("a", () => told++);
  await bench.create("b");
  expect(told).toBe(0);
  await bench.create("a");
  await bench.clock.settle();
  expect(told).toBeGreaterThan(0);
  const before = told;
  unwatch();
  await bench.turn("a");
  await bench.clock.settle();
  expect(told).toBe(before);
});

test("a closed provider lets go of who waits, and refuses the rest", async () => {
  const bench = new Bench();
  const fetching = wait(bench, 10_000);
  await bench.provider[Symbol.asyncDispose]();
  expect(await fetching).toBeUndefined();
  await expect(bench.enqueue(raised("a"))).rejects.toMatchObject(code("closed"));
  await expect(bench.provider.getInstanceStatus("a")).rejects.toMatchObject(code("closed"));
});

test("what the contract forbids is refused before anything is stored", async () => {
  const bench = new Bench();
  const refused = [
    bench.enqueue(raised("a"), -1),
    bench.enqueue(work("a", 1) as never),
    bench.provider.enqueueForWorker(raised("a") as never),
    bench.fetch({ lockMs: 0.5 }),
    bench.fetchWork({ pollTimeoutMs: Number.NaN }),
  ];
  for (const call of refused) await expect(call).rejects.toMatchObject(code("invalid-input"));
  expect(await bench.provider.admin.getQueueDepths()).toEqual({
    orchestratorQueue: 0,
    workerQueue: 0,
    timerQueue: 0,
  });
});
