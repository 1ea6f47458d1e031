/** Fetching, acknowledging and giving back orchestrations: locks, batches, attempts, order (provider contract §4 to §8). */
import { describe, expect, test } from "vitest";
import {
  Bench,
  code,
  completed,
  event,
  LOCK_MS,
  labels,
  NAMED,
  queued,
  raised,
  start,
  started,
  timer,
  work,
} from "./support.ts";

describe("the instance lock", () => {
  test("hides every message of its instance, also later ones, and no other's", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    const first = await bench.take();
    await bench.enqueue(raised("a", "late"));
    await bench.enqueue(start("b"));
    expect((await bench.take()).item.instanceId).toBe("b");
    expect(await bench.fetch()).toBeUndefined();
    await bench.clock.advance(LOCK_MS);
    const again = await bench.take();
    expect(labels(again)).toEqual(["StartOrchestration", "late"]);
    expect(again.lockToken).not.toBe(first.lockToken);
    await expect(bench.ack(first.lockToken)).rejects.toMatchObject(code("lock-lost"));
  });

  test.each(["ack", "renew"] as const)(
    "is over at its deadline, even if nobody takes it: %s",
    async (what) => {
      const bench = new Bench();
      await bench.enqueue(start("a"));
      const { lockToken } = await bench.take();
      await bench.clock.advance(LOCK_MS);
      const late =
        what === "ack" ? bench.ack(lockToken) : bench.provider.renewOrchestrationItemLock(lockToken, 1);
      await expect(late).rejects.toMatchObject(code("lock-lost"));
    },
  );

  test("is extended, never shortened", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    const { lockToken } = await bench.take();
    await bench.provider.renewOrchestrationItemLock(lockToken, 2 * LOCK_MS);
    await bench.provider.renewOrchestrationItemLock(lockToken, 1);
    await bench.clock.advance(2 * LOCK_MS - 1);
    await bench.ack(lockToken);
  });

  test("is used once", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    const { lockToken } = await bench.take();
    const acks = [
      bench.ack(lockToken, { historyDelta: [started("a")] }),
      bench.ack(lockToken, { historyDelta: [started("a")] }),
    ];
    const outcomes = await Promise.allSettled(acks);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(bench.provider.abandonOrchestrationItem(lockToken)).rejects.toMatchObject(code("lock-lost"));
  });
});

describe("a batch", () => {
  test("has what was visible, in order, and only that is acknowledged", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    await bench.enqueue(raised("a", "hidden"), 1_000);
    await bench.enqueue(raised("a", "first"));
    const { lockToken, item } = await bench.take();
    expect(item.messages.map(({ kind }) => kind)).toEqual(["StartOrchestration", "ExternalRaised"]);
    await bench.enqueue(raised("a", "second"));
    await bench.ack(lockToken, { metadata: NAMED, orchestratorItems: [timer("a", 0), raised("a", "third")] });
    expect(labels(await bench.fetch())).toEqual(["second", "TimerFired", "third"]);
  });

  test("takes a name from the instance, the history or the start", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a", null));
    const { item, lockToken } = await bench.take();
    expect(item).toMatchObject({
      orchestrationName: "Test",
      version: "unknown",
      executionId: 1,
      history: [],
    });
    await bench.ack(lockToken, { historyDelta: [started("a")], orchestratorItems: [raised("a")] });
    const unnamed = await bench.take();
    expect(unnamed.item).toMatchObject({ orchestrationName: "Test", version: "1.0.0" });
    await bench.ack(unnamed.lockToken, {
      metadata: { orchestrationName: "Other", orchestrationVersion: "2.0.0" },
      orchestratorItems: [raised("a")],
    });
    expect((await bench.take()).item).toMatchObject({ orchestrationName: "Other", version: "2.0.0" });
  });

  test("without context is kept until its start comes; queue messages are dropped", async () => {
    const bench = new Bench();
    await bench.enqueue(raised("early", "early"));
    await bench.enqueue(queued("lost"));
    await bench.enqueue(start("b"));
    expect((await bench.take()).item.instanceId).toBe("b");
    expect(await bench.fetch()).toBeUndefined();
    expect(await bench.provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 1 });
    await bench.enqueue(start("early"));
    const both = await bench.take();
    expect(labels(both)).toEqual(["early", "StartOrchestration"]);
    expect(both.attemptCount).toBe(1);
  });

  test("counts attempts per message, and reports the highest", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    for (const [ignoreAttempt, expected] of [
      [false, 1],
      [true, 2],
      [true, 2],
      [false, 2],
    ] as const) {
      const { attemptCount, lockToken } = await bench.take();
      expect(attemptCount).toBe(expected);
      await bench.provider.abandonOrchestrationItem(lockToken, { ignoreAttempt });
    }
    await bench.enqueue(raised("a"));
    const { attemptCount, item } = await bench.take();
    expect([attemptCount, item.messages.length]).toEqual([3, 2]);
  });

  test("given back with a delay hides its own messages only", async () => {
    const bench = new Bench();
    await bench.create("a");
    await bench.enqueue(raised("a", "delayed"));
    const { lockToken } = await bench.take();
    await bench.enqueue(raised("a", "free"));
    await bench.provider.abandonOrchestrationItem(lockToken, { delayMs: 5_000 });
    const next = await bench.take();
    expect(labels(next)).toEqual(["free"]);
    await bench.provider.abandonOrchestrationItem(next.lockToken, { ignoreAttempt: true });
    await bench.clock.advance(5_000);
    const both = await bench.take();
    expect(labels(both)).toEqual(["delayed", "free"]);
    expect(both.attemptCount).toBe(2);
  });
});

describe("an acknowledgement", () => {
  test("commits everything", async () => {
    const bench = new Bench();
    await bench.create("a", {
      workerItems: [work("a", 2), work("a", 3), work("a", 4)],
      orchestratorItems: [start("child"), timer("a", 1), raised("a")],
    });
    expect([
      (await bench.takeWork()).item.id,
      (await bench.takeWork()).item.id,
      (await bench.takeWork()).item.id,
    ]).toEqual([2, 3, 4]);
    expect((await bench.take()).item).toMatchObject({ instanceId: "child", executionId: 1 });
    expect(labels(await bench.fetch())).toEqual(["TimerFired", "poke"]);
  });

  test("commits nothing when it is refused, and keeps the lock", async () => {
    const bench = new Bench();
    await bench.create("a");
    await bench.enqueue(raised("a"));
    const { lockToken } = await bench.take();
    const refused: [readonly ReturnType<typeof started>[], string][] = [
      [[event("a", 1, "OrchestrationCompleted", { output: "2" })], "duplicate-event"],
      [
        [event("a", 2, "TimerCreated", { fire_at_ms: 1 }), event("a", 2, "TimerCreated", { fire_at_ms: 1 })],
        "duplicate-event",
      ],
      [[event("a", 0, "TimerCreated", { fire_at_ms: 1 })], "invalid-input"],
    ];
    for (const [historyDelta, expected] of refused) {
      const ack = bench.ack(lockToken, {
        historyDelta,
        workerItems: [work("a", 9)],
        metadata: { status: "Completed" },
      });
      await expect(ack).rejects.toMatchObject(code(expected));
    }
    expect(await bench.provider.readHistory("a")).toEqual([started("a")]);
    expect(await bench.fetchWork()).toBeUndefined();
    expect(await bench.fetch()).toBeUndefined();
    expect(await bench.provider.getInstanceStatus("a")).toMatchObject({ status: "Running" });
    await bench.ack(lockToken);
  });

  test("delivers a timer when it is due", async () => {
    const bench = new Bench();
    await bench.create("a", { orchestratorItems: [timer("a", bench.clock.now() + 5_000)] });
    await bench.clock.advance(4_999);
    expect(await bench.fetch()).toBeUndefined();
    await bench.clock.advance(1);
    expect(labels(await bench.fetch())).toEqual(["TimerFired"]);
  });

  test("schedules before it cancels, and cancels locked activities too", async () => {
    const bench = new Bench();
    await bench.create("a", { workerItems: [work("a", 2), work("a", 3)] });
    const { lockToken } = await bench.takeWork();
    const cancelled = [2, 4, 99].map((activityId) => ({ instanceId: "a", executionId: 1, activityId }));
    await bench.turn("a", { workerItems: [work("a", 4), work("a", 5)], cancelledActivities: cancelled });
    await expect(bench.provider.renewWorkItemLock(lockToken, 1)).rejects.toMatchObject(code("lock-lost"));
    await expect(bench.provider.ackWorkItem(lockToken, completed("a", 2))).rejects.toMatchObject(
      code("lock-lost"),
    );
    expect([
      (await bench.takeWork()).item.id,
      (await bench.takeWork()).item.id,
      await bench.fetchWork(),
    ]).toEqual([3, 5, undefined]);
  });

  test("creates the instance only when it names it", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    expect(await bench.provider.getInstanceStatus("a")).toBeUndefined();
    const { lockToken } = await bench.take();
    await bench.ack(lockToken, {
      historyDelta: [started("a")],
      metadata: { orchestrationName: "Test", status: "Completed", output: "1" },
    });
    expect(await bench.provider.getInstanceStatus("a")).toBeUndefined();
    expect(await bench.provider.admin.getExecutionInfo("a", 1)).toMatchObject({
      status: "Completed",
      output: "1",
      eventCount: 1,
    });
  });
});

test("a history that the caller holds is left out; any other commit brings it back", async () => {
  const bench = new Bench();
  await bench.enqueue(start("a"));
  const { lockToken } = await bench.take();
  const tag = await bench.ack(lockToken, {
    historyDelta: [started("a")],
    metadata: NAMED,
    orchestratorItems: [raised("a")],
  });
  const held = await bench.take({ held: tag ?? "" });
  expect(held.item).toMatchObject({ historyOmitted: true, history: [] });
  await bench.provider.abandonOrchestrationItem(held.lockToken);
  await bench.provider.appendHistory("a", 1, [event("a", 2, "TimerCreated", { fire_at_ms: 1 })]);
  const stale = await bench.take({ held: tag ?? "" });
  expect(stale.item.historyOmitted).toBeUndefined();
  expect(stale.item.history).toHaveLength(2);
});
