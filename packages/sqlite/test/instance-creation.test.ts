/** An instance comes into being by an acknowledgement that names it, and by nothing else (contract §2, §7). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { raised, scheduled, started, startItem } from "./support/messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, turn } from "./support/turns.ts";

describe("an instance", () => {
  it("does not exist for having been enqueued or fetched", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    await mustFetch(provider);
    expect(await provider.getInstanceStatus("i")).toBeUndefined();
    expect(await provider.getInstanceStats("i")).toBeUndefined();
    expect((await provider.admin.listInstances()).instanceIds).toEqual([]);
    expect(await provider.readHistory("i")).toEqual([]);
  });

  it("does not exist for an acknowledgement without name and version, though its history does", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    await ack(provider, await mustFetch(provider), {
      historyDelta: [started("i")],
      metadata: { orchestrationName: "TestOrch" },
    });
    expect(await provider.getInstanceStatus("i")).toBeUndefined();
    expect(await provider.readHistory("i")).toHaveLength(1);
    expect(await provider.admin.listExecutions("i")).toEqual([1]);
  });

  it("is known by its start message until an acknowledgement says otherwise", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const first = await mustFetch(provider);
    expect(first.item).toMatchObject({ orchestrationName: "TestOrch", version: "1.0.0", executionId: 1 });
    expect(first.item.history).toEqual([]);
    await ack(provider, first, {
      historyDelta: [started("i")],
      metadata: { orchestrationName: "TestOrch", orchestrationVersion: "2.0.0" },
    });
    await provider.enqueueForOrchestrator(startItem("i"));
    const second = await mustFetch(provider);
    expect(second.item).toMatchObject({ version: "2.0.0" });
    expect(second.item.history).toEqual([started("i")]);
  });

  it('has the version "unknown" where the start leaves it open', async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i", { version: null }));
    expect((await mustFetch(store.provider)).item.version).toBe("unknown");
  });

  it("without a name is known by the first event of its history", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    await ack(provider, await mustFetch(provider), {
      historyDelta: [started("i", 1, { name: "FromHistory", version: "3.0.0" })],
    });
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const { item } = await mustFetch(provider);
    expect(item).toMatchObject({ orchestrationName: "FromHistory", version: "3.0.0" });
  });

  it("takes over a new name and version, and never another parent", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { parentInstanceId: "p" });
    const metadata = { orchestrationName: "Renamed", orchestrationVersion: "2.0.0", parentInstanceId: "q" };
    await turn(provider, "i", { metadata });
    expect(await provider.admin.getInstanceInfo("i")).toMatchObject({
      orchestrationName: "Renamed",
      orchestrationVersion: "2.0.0",
      parentInstanceId: "p",
    });
  });

  it("that was created without a parent never gets one", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    const metadata = { orchestrationName: "T", orchestrationVersion: "1.0.0", parentInstanceId: "q" };
    await turn(provider, "i", { metadata });
    expect(await provider.admin.getParentId("i")).toBeUndefined();
  });

  it("can be started by the turn of another one, and is fetched at once", async () => {
    await using store = await openMemory();
    const { provider } = store;
    const child = startItem("child", { orchestration: "ChildOrch", version: null, parent_instance: "i" });
    await createInstance(provider, "i", { orchestratorItems: [child] });
    const fetched = await mustFetch(provider);
    expect(fetched.item).toMatchObject({ instanceId: "child", orchestrationName: "ChildOrch" });
    await ack(provider, fetched, {
      historyDelta: [started("child")],
      metadata: { orchestrationName: "ChildOrch", orchestrationVersion: "1.5.0" },
    });
    await provider.enqueueForOrchestrator(raised("child", "e"));
    expect((await mustFetch(provider)).item.version).toBe("1.5.0");
  });
});

describe("history", () => {
  it("can be appended outside a turn, once per event", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.appendHistory("i", 1, [scheduled("i", 2), scheduled("i", 3)]);
    const twice = provider.appendHistory("i", 1, [scheduled("i", 4), scheduled("i", 3)]);
    await expect(twice).rejects.toMatchObject({ code: "duplicate-event", retryable: false });
    expect((await provider.readHistory("i")).map((event) => event.event_id)).toEqual([1, 2, 3]);
  });

  it("appended to an execution that did not exist makes it the current one", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { metadata: { status: "Completed", output: "1" } });
    await provider.appendHistory("i", 2, [started("i", 2)]);
    expect(await provider.getInstanceStatus("i")).toMatchObject({
      executionId: 2,
      status: "Running",
      output: null,
    });
    expect(await provider.admin.getSystemMetrics()).toMatchObject({
      runningInstances: 1,
      completedInstances: 0,
    });
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });
});
