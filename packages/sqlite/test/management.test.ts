/** Looking at instances, executions, totals and queues (contract §14, §15). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { activity, failed, raised, scheduled, started, startItem, timer } from "./support/messages.ts";
import { ack, continueAsNew, createInstance, fail, fetchWork, mustFetch, turn } from "./support/turns.ts";

describe("the list of instances", () => {
  it("comes newest first in pages, each with the next one's address", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (let n = 1; n <= 5; n++) await createInstance(provider, `i-${n}`);
    const first = await provider.admin.listInstances({ limit: 2 });
    expect(first.instanceIds).toEqual(["i-5", "i-4"]);
    const second = await provider.admin.listInstances({ limit: 2, continuation: first.continuation ?? "" });
    expect(second.instanceIds).toEqual(["i-3", "i-2"]);
    await createInstance(provider, "i-6");
    const third = await provider.admin.listInstances({ limit: 2, continuation: second.continuation ?? "" });
    expect(third).toEqual({ instanceIds: ["i-1"] });
  });

  it("can be that of one status of the current execution", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const id of ["a", "b", "c", "d"]) await createInstance(provider, id);
    await turn(provider, "b", { metadata: { status: "Completed", output: "" } });
    await turn(provider, "d", { metadata: { status: "Completed", output: "" } });
    await turn(provider, "c", { metadata: { status: "Failed", output: "" } });
    const list = async (status: "Running" | "Completed" | "Failed"): Promise<unknown> =>
      (await provider.admin.listInstances({ status })).instanceIds;
    expect(await list("Running")).toEqual(["a"]);
    expect(await list("Completed")).toEqual(["d", "b"]);
    expect(await list("Failed")).toEqual(["c"]);
    const page = await provider.admin.listInstances({ status: "Completed", limit: 1 });
    const rest = await provider.admin.listInstances({
      status: "Completed",
      limit: 1,
      continuation: page.continuation ?? "",
    });
    expect(rest).toEqual({ instanceIds: ["b"] });
  });

  it("refuses limits and continuations that make no sense", async () => {
    await using store = await openMemory();
    await fail(store.provider.admin.listInstances({ limit: 0 }), "invalid-input");
    await fail(store.provider.admin.listInstances({ continuation: "../../" }), "invalid-input");
  });
});

describe("information", () => {
  it("about an instance is that of its current execution", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    const createdAtMs = clock.now();
    await createInstance(provider, "i");
    await clock.advance(1_000);
    await turn(provider, "i", { metadata: { status: "Completed", output: "42" } });
    expect(await provider.admin.getInstanceInfo("i")).toEqual({
      instanceId: "i",
      orchestrationName: "TestOrch",
      orchestrationVersion: "1.0.0",
      currentExecutionId: 1,
      status: "Completed",
      output: "42",
      createdAtMs,
      updatedAtMs: createdAtMs + 1_000,
    });
    await fail(provider.admin.getInstanceInfo("nobody"), "instance-not-found");
  });

  it("about an execution is its own, named or not", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    const startedAtMs = clock.now();
    await provider.enqueueForOrchestrator(startItem("i"));
    await clock.advance(500);
    await ack(provider, await mustFetch(provider), {
      historyDelta: [started("i"), scheduled("i", 2)],
      metadata: { status: "Completed", output: "42" },
    });
    const instants = { startedAtMs: startedAtMs + 500, completedAtMs: startedAtMs + 500 };
    expect(await provider.admin.getExecutionInfo("i", 1)).toEqual({
      executionId: 1,
      status: "Completed",
      output: "42",
      eventCount: 2,
      ...instants,
    });
    await fail(provider.admin.getExecutionInfo("i", 2), "instance-not-found");
    await fail(provider.admin.getExecutionInfo("nobody", 1), "instance-not-found");
    expect(await provider.admin.listExecutions("nobody")).toEqual([]);
    expect(await provider.admin.latestExecutionId("nobody")).toBe(1);
  });
});

describe("the status of an instance", () => {
  it("has the details of a failure while it has failed", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await turn(provider, "i", {
      historyDelta: [failed("i", 2, "first"), failed("i", 3, "boom")],
      metadata: { status: "Failed", output: "boom" },
    });
    expect(await provider.getInstanceStatus("i")).toEqual({
      executionId: 1,
      status: "Failed",
      output: "boom",
      failure: { Application: { kind: "OrchestrationFailed", message: "boom", retryable: false } },
      customStatus: null,
      customStatusVersion: 0,
    });
    expect(await provider.getInstanceStatus("nobody")).toBeUndefined();
  });

  it("tells a watcher when it may have changed, until the watcher has enough", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    let calls = 0;
    let others = 0;
    const stop = provider.watchInstance("i", () => calls++);
    provider.watchInstance("other", () => others++);
    await createInstance(provider, "i");
    await clock.settle();
    expect(calls).toBe(1);
    await turn(provider, "i", { historyDelta: [scheduled("i", 2)] });
    await clock.settle();
    expect(calls).toBe(1);
    await turn(provider, "i", { metadata: { status: "Completed", output: "1" } });
    await clock.settle();
    expect(calls).toBe(2);
    stop();
    await provider.admin.deleteInstance("i");
    await clock.settle();
    expect([calls, others]).toEqual([2, 0]);
  });
});

describe("the statistics of an instance", () => {
  it("count events and bytes of the current execution, and what it inherited", async () => {
    await using store = await openMemory();
    const { provider } = store;
    expect(await provider.getInstanceStats("nobody")).toBeUndefined();
    await createInstance(provider, "i", { historyDelta: [failed("i", 2, "ü")] });
    const bytes = (await provider.readHistory("i")).map((event) => Buffer.byteLength(JSON.stringify(event)));
    expect(await provider.getInstanceStats("i")).toEqual({
      historyEventCount: 2,
      historySizeBytes: bytes.reduce((sum, each) => sum + each),
      queuePendingCount: 0,
      kvUserKeyCount: 0,
      kvTotalValueBytes: 0,
    });
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const carried = [
      ["q", "1"],
      ["q", "2"],
      ["q", "3"],
    ] as const;
    await ack(provider, await mustFetch(provider), {
      executionId: 2,
      historyDelta: [started("i", 2, { carry_forward_events: carried })],
    });
    expect(await provider.getInstanceStats("i")).toMatchObject({
      historyEventCount: 1,
      queuePendingCount: 3,
    });
  });
});

describe("system metrics", () => {
  it("follow instances through their lives", async () => {
    await using store = await openMemory();
    const { provider } = store;
    const metrics = (): Promise<unknown> => provider.admin.getSystemMetrics();
    const zero = {
      totalInstances: 0,
      totalExecutions: 0,
      runningInstances: 0,
      completedInstances: 0,
      failedInstances: 0,
      totalEvents: 0,
    };
    expect(await metrics()).toEqual(zero);
    for (const id of ["a", "b", "c"]) await createInstance(provider, id);
    await turn(provider, "a", { metadata: { status: "Completed", output: "" } });
    await turn(provider, "b", {
      metadata: { status: "Failed", output: "" },
      historyDelta: [failed("b", 2, "x")],
    });
    await continueAsNew(provider, "c", 2);
    expect(await metrics()).toEqual({
      totalInstances: 3,
      totalExecutions: 4,
      runningInstances: 1,
      completedInstances: 1,
      failedInstances: 1,
      totalEvents: 5,
    });
    await provider.admin.pruneExecutions("c", {});
    expect(await metrics()).toMatchObject({ totalExecutions: 3, totalEvents: 4 });
    for (const id of ["a", "b", "c"]) await provider.admin.deleteInstance(id, { force: true });
    expect(await metrics()).toEqual(zero);
  });

  it("are not changed by what was refused", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "a");
    await provider.enqueueForOrchestrator(raised("a", "e"));
    await fail(ack(provider, await mustFetch(provider), { historyDelta: [started("a")] }), "duplicate-event");
    expect(await provider.admin.getSystemMetrics()).toMatchObject({ totalInstances: 1, totalEvents: 1 });
  });
});

describe("queue depths", () => {
  it("count what is visible and not locked, and timers apart", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    const depths = (): Promise<unknown> => provider.admin.getQueueDepths();
    const fireAtMs = clock.now() + 60_000;
    await createInstance(provider, "a", { orchestratorItems: [timer("a", fireAtMs)] });
    await provider.enqueueForOrchestrator(raised("a", "e"));
    await provider.enqueueForOrchestrator(startItem("b"));
    for (const id of [1, 2]) await provider.enqueueForWorker(activity("a", id));
    await provider.enqueueForWorker(activity("a", 3, { session_id: "s" }));
    expect(await depths()).toEqual({ orchestratorQueue: 2, workerQueue: 3, timerQueue: 1 });
    await mustFetch(provider, { lockTimeoutMs: 90_000 });
    await fetchWork(provider, { lockTimeoutMs: 1_000 });
    expect(await depths()).toEqual({ orchestratorQueue: 1, workerQueue: 2, timerQueue: 1 });
    await clock.advance(60_000);
    expect(await depths()).toEqual({ orchestratorQueue: 1, workerQueue: 3, timerQueue: 0 });
  });
});
