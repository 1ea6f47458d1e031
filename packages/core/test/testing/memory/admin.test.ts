/** Listing, deleting, pruning (provider contract §15, §16). */
import { describe, expect, test } from "vitest";
import { Bench, code, completed, event, NAMED, raised, start, started, work } from "./support.ts";

const admin = (bench: Bench) => bench.provider.admin;

/** root → (left → leaf), right; all running. */
async function family(): Promise<Bench> {
  const bench = new Bench();
  await bench.create("root");
  for (const [id, parentInstanceId] of [
    ["left", "root"],
    ["right", "root"],
    ["leaf", "left"],
  ] as const) {
    await bench.create(id, { metadata: { parentInstanceId } });
  }
  return bench;
}

describe("listing", () => {
  test("is newest first, by pages and by status", async () => {
    const bench = new Bench();
    for (const id of ["a", "b", "c", "d", "e"]) await bench.create(id);
    await bench.complete("b");
    const first = await admin(bench).listInstances({ limit: 2 });
    expect(first.instanceIds).toEqual(["e", "d"]);
    const rest = await admin(bench).listInstances({ limit: 3, continuation: first.continuation ?? "" });
    expect(rest).toEqual({ instanceIds: ["c", "b", "a"] });
    expect(await admin(bench).listInstances({ status: "Completed" })).toEqual({ instanceIds: ["b"] });
    await expect(admin(bench).listInstances({ limit: 0 })).rejects.toMatchObject(code("invalid-input"));
    await expect(admin(bench).listInstances({ continuation: "x" })).rejects.toMatchObject(
      code("invalid-input"),
    );
  });

  test("knows families", async () => {
    const bench = await family();
    expect(await admin(bench).listChildren("root")).toEqual(["left", "right"]);
    expect(await admin(bench).listChildren("nobody")).toEqual([]);
    expect([await admin(bench).getParentId("root"), await admin(bench).getParentId("leaf")]).toEqual([
      undefined,
      "left",
    ]);
    const { allIds } = await admin(bench).getInstanceTree("root");
    expect([...allIds].sort()).toEqual(["leaf", "left", "right", "root"]);
    expect(allIds.indexOf("leaf")).toBeLessThan(allIds.indexOf("left"));
    expect(await admin(bench).getInstanceTree("nobody")).toEqual({ rootId: "nobody", allIds: ["nobody"] });
  });

  test("tells of instances, executions and totals", async () => {
    const bench = new Bench();
    const createdAtMs = bench.clock.now();
    await bench.create("a");
    await bench.clock.advance(10);
    await bench.complete("a");
    expect(await admin(bench).getInstanceInfo("a")).toEqual({
      instanceId: "a",
      orchestrationName: "Test",
      orchestrationVersion: "1.0.0",
      currentExecutionId: 1,
      status: "Completed",
      output: "done",
      createdAtMs,
      updatedAtMs: createdAtMs + 10,
    });
    expect(await admin(bench).getExecutionInfo("a", 1)).toMatchObject({
      startedAtMs: createdAtMs,
      completedAtMs: createdAtMs + 10,
    });
    expect([await admin(bench).listExecutions("a"), await admin(bench).latestExecutionId("nobody")]).toEqual([
      [1],
      1,
    ]);
    expect(await admin(bench).getSystemMetrics()).toEqual({
      totalInstances: 1,
      totalExecutions: 1,
      runningInstances: 0,
      completedInstances: 1,
      failedInstances: 0,
      totalEvents: 1,
    });
    for (const unknown of [
      admin(bench).getInstanceInfo("x"),
      admin(bench).getExecutionInfo("a", 2),
      admin(bench).getParentId("x"),
    ]) {
      await expect(unknown).rejects.toMatchObject(code("instance-not-found"));
    }
  });

  test("counts what is visible and free", async () => {
    const bench = new Bench();
    await bench.create("a", { workerItems: [work("a", 1), work("a", 2)] });
    await bench.takeWork();
    await bench.enqueue(raised("a"));
    await bench.take();
    await bench.enqueue(start("b"));
    await bench.enqueue(start("c"), 1_000);
    expect(await admin(bench).getQueueDepths()).toEqual({
      orchestratorQueue: 1,
      workerQueue: 1,
      timerQueue: 1,
    });
  });
});

describe("deleting", () => {
  test("is refused where it would hurt, and then deletes nothing", async () => {
    const bench = await family();
    await bench.complete("root");
    for (const [refused, expected] of [
      [admin(bench).deleteInstance("x"), "instance-not-found"],
      [admin(bench).deleteInstance("left", { force: true }), "sub-orchestration"],
      [admin(bench).deleteInstance("root"), "instance-still-running"],
      [admin(bench).deleteInstancesAtomic(["root", "left", "right"], { force: true }), "orphaned-child"],
      [admin(bench).deleteInstancesAtomic(["root", "right"]), "orphaned-child"],
    ] as const) {
      await expect(refused).rejects.toMatchObject(code(expected));
    }
    expect((await admin(bench).getSystemMetrics()).totalInstances).toBe(4);
  });

  test("takes the whole tree with all that it owns", async () => {
    const bench = await family();
    await bench.enqueue(raised("leaf"));
    await bench.provider.enqueueForWorker(work("left", 2));
    expect(await admin(bench).deleteInstance("root", { force: true })).toEqual({
      instancesDeleted: 4,
      executionsDeleted: 4,
      eventsDeleted: 4,
      queueMessagesDeleted: 2,
    });
    expect(await bench.provider.readHistory("root")).toEqual([]);
    expect(await admin(bench).deleteInstancesAtomic([])).toMatchObject({ instancesDeleted: 0 });
  });

  test("is not undone by whoever still works on the instance", async () => {
    const bench = new Bench();
    await bench.create("a", { workerItems: [work("a", 2)] });
    const activity = await bench.takeWork();
    await bench.enqueue(raised("a"));
    const turn = await bench.take();
    await admin(bench).deleteInstance("a", { force: true });
    await expect(bench.ack(turn.lockToken, { metadata: NAMED })).rejects.toMatchObject(code("lock-lost"));
    await bench.create("a");
    await expect(bench.provider.ackWorkItem(activity.lockToken, completed("a", 2))).rejects.toMatchObject(
      code("lock-lost"),
    );
    expect(await bench.fetch()).toBeUndefined();
  });

  test("in bulk takes finished roots that match", async () => {
    const bench = await family();
    for (const id of ["old", "new", "root"]) {
      if (id !== "root") await bench.create(id);
      await bench.complete(id);
      await bench.clock.advance(1_000);
    }
    const bulk = async (filter: object) => (await admin(bench).deleteInstances(filter)).instancesDeleted;
    expect(await bulk({ instanceIds: [] })).toBe(0);
    expect(await bulk({ instanceIds: ["left", "x"] })).toBe(0);
    expect(await bulk({ completedBeforeMs: bench.clock.now() - 3_000 })).toBe(0);
    expect(await bulk({ completedBeforeMs: bench.clock.now() - 2_000 })).toBe(1);
    expect(await bulk({ limit: 1 })).toBe(4);
    expect(await bulk({})).toBe(1);
  });
});

describe("pruning", () => {
  async function withExecutions(id: string, count: number, bench = new Bench()): Promise<Bench> {
    await bench.create(id);
    for (let executionId = 2; executionId <= count; executionId++) {
      await bench.turn(id, { executionId: executionId - 1, metadata: { status: "ContinuedAsNew" } });
      await bench.clock.advance(1_000);
      await bench.turn(id, { executionId, historyDelta: [started(id, executionId)] });
    }
    return bench;
  }

  test.each([
    [{}, [4]],
    [{ keepLast: 0 }, [4]],
    [{ keepLast: 1 }, [4]],
    [{ keepLast: 3 }, [2, 3, 4]],
    [{ keepLast: 9 }, [1, 2, 3, 4]],
    [{ completedBeforeMs: 1_700_000_001_000 }, [2, 3, 4]],
  ])("%o", async (options, left) => {
    const bench = await withExecutions("a", 4);
    const pruned = 4 - left.length;
    expect(await admin(bench).pruneExecutions("a", options)).toEqual({
      instancesProcessed: 1,
      executionsDeleted: pruned,
      eventsDeleted: pruned,
    });
    expect(await admin(bench).listExecutions("a")).toEqual(left);
  });

  test("leaves KV alone, and takes running instances in bulk", async () => {
    const bench = new Bench();
    await bench.create("a", {
      historyDelta: [event("a", 1, "KeyValueSet", { key: "k", value: "1", last_updated_at_ms: 1 })],
    });
    await bench.turn("a", { metadata: { status: "ContinuedAsNew" } });
    await bench.turn("a", { executionId: 2, historyDelta: [started("a", 2)] });
    await withExecutions("b", 3, bench);
    expect(await admin(bench).pruneInstances({}, {})).toEqual({
      instancesProcessed: 2,
      executionsDeleted: 3,
      eventsDeleted: 3,
    });
    expect(await bench.provider.getKvValue("a", "k")).toBe("1");
    await expect(admin(bench).pruneExecutions("x", {})).rejects.toMatchObject(code("instance-not-found"));
    await expect(admin(bench).pruneExecutions("a", { keepLast: -1 })).rejects.toMatchObject(
      code("invalid-input"),
    );
  });
});
