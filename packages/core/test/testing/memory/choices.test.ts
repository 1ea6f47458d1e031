/**
 * Behaviour of the provider in memory where the contract leaves a choice. The contract itself is proven by the
 * validation kit (packages/provider-tests/test/memory.test.ts).
 */
import { describe, expect, test } from "vitest";
import { Bench, event, queued, raised, start, work } from "./support.ts";

describe("waiting fetches", () => {
  // long-poll.LP1
  test("take turns: first come, first served, one each", async () => {
    const bench = new Bench();
    const fetched: (string | undefined)[] = [];
    for (const _ of [1, 2, 3]) {
      const position = fetched.push(undefined) - 1;
      void bench.fetch(10_000).then((found) => {
        fetched[position] = found?.item.instanceId;
      });
    }
    await bench.provider.enqueueForOrchestrator(start("a"));
    await bench.provider.enqueueForOrchestrator(start("b"));
    await bench.clock.settle();
    expect(fetched).toEqual(["a", "b", undefined]);
  });

  // long-poll.LP2
  test("get all messages of one synchronous run together", async () => {
    const bench = new Bench();
    const fetching = bench.fetch(10_000);
    await Promise.all([
      bench.provider.enqueueForOrchestrator(start("a")),
      bench.provider.enqueueForOrchestrator(raised("a")),
    ]);
    expect((await fetching)?.item.messages).toHaveLength(2);
  });

  // long-poll.LP3
  test("get work when it becomes visible, without a change", async () => {
    const bench = new Bench();
    const fetched: number[] = [];
    for (const _ of [1, 2]) void bench.fetch(10_000).then(() => fetched.push(bench.clock.now()));
    const beganAtMs = bench.clock.now();
    await bench.provider.enqueueForOrchestrator(start("a"), 3_000);
    await bench.provider.enqueueForOrchestrator(start("b"), 2_000);
    await bench.clock.advance(5_000);
    expect(fetched).toEqual([beganAtMs + 2_000, beganAtMs + 3_000]);
  });
});

describe("messages for an instance that has not been started", () => {
  test("are delivered with their start, in order and at the first attempt", async () => {
    const bench = new Bench();
    await bench.provider.enqueueForOrchestrator(raised("early"));
    expect(await bench.fetch()).toBeUndefined();
    expect(await bench.provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 1 });
    await bench.provider.enqueueForOrchestrator(start("early"));
    const { item, attemptCount } = (await bench.fetch()) ?? {};
    expect(item?.messages.map(({ kind }) => kind)).toEqual(["ExternalRaised", "StartOrchestration"]);
    expect(attemptCount).toBe(1);
  });

  test("are dropped with a warning if they are queue messages", async () => {
    const bench = new Bench();
    await bench.provider.enqueueForOrchestrator(queued("lost"));
    expect(await bench.fetch()).toBeUndefined();
    expect(bench.warnings).toEqual([expect.stringMatching(/^lost: Dropped 1 queue message/)]);
  });
});

describe("what cannot be decoded", () => {
  test("is set aside with a warning that has its text", async () => {
    const bench = new Bench();
    await bench.create("a");
    bench.provider.putUndecodableRow("orchestrator", "a");
    bench.provider.putUndecodableRow("worker", "a");
    expect([await bench.fetch(), await bench.fetchWork()]).toEqual([undefined, undefined]);
    expect(bench.warnings).toEqual([
      expect.stringMatching(/^a: Set aside .*"Unheard-of"/),
      expect.stringMatching(/^a: Set aside .*"Unheard-of"/),
    ]);
  });
});

describe("what is answered", () => {
  test("an activity comes with the orchestration that asked for it", async () => {
    const bench = new Bench();
    await bench.create("a", { workerItems: [work("a", 2)] });
    expect((await bench.fetchWork())?.orchestration).toEqual({ name: "Test", version: "1.0.0" });
  });

  test("the status of a failed instance has the details, though its history cannot be decoded", async () => {
    const bench = new Bench();
    await bench.create("a", { orchestratorItems: [raised("a")] });
    bench.provider.corruptHistory("a");
    const details = { Infrastructure: { operation: "x", message: "y", retryable: false } };
    await bench.turn({
      historyDelta: [event("a", 99_999, "OrchestrationFailed", { details })],
      metadata: { status: "Failed", output: "poison" },
    });
    expect(await bench.provider.getInstanceStatus("a")).toMatchObject({ status: "Failed", failure: details });
  });

  test("the last page of a list has no continuation, also where it is full", async () => {
    const bench = new Bench();
    for (const id of ["a", "b", "c", "d"]) await bench.create(id);
    const { continuation = "" } = await bench.provider.admin.queryInstances({ limit: 2 });
    const last = await bench.provider.admin.queryInstances({ limit: 2, continuation });
    expect(last).toEqual({
      instances: [expect.objectContaining({ instanceId: "b" }), expect.objectContaining({ instanceId: "a" })],
    });
  });
});

test("fractions of milliseconds are cut off", async () => {
  const bench = new Bench();
  expect(await bench.fetch(0.5)).toBeUndefined();
});

describe("what is refused", () => {
  test("an event id twice in one commit, as a duplicate", async () => {
    const bench = new Bench();
    await bench.provider.enqueueForOrchestrator(start("a"));
    const twice = event("a", 2, "TimerCreated", { fire_at_ms: 1 });
    const commit = bench.turn({ historyDelta: [twice, twice] });
    await expect(commit).rejects.toMatchObject({ code: "duplicate-event" });
  });
});
