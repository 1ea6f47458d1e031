/** Deleting instances and trees: all of it or nothing, and no traces for whoever comes after (contract §16). */
import type { Provider } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { activity, completion, raised, scheduled } from "./support/messages.ts";
import {
  ack,
  continueAsNew,
  createInstance,
  fail,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
} from "./support/turns.ts";

const COMPLETED = { metadata: { status: "Completed", output: "" } } as const;

/** root → (left → leaf, right) */
async function createTree(provider: Provider): Promise<void> {
  await createInstance(provider, "root", COMPLETED);
  await createInstance(provider, "left", { parentInstanceId: "root", ...COMPLETED });
  await createInstance(provider, "right", { parentInstanceId: "root", ...COMPLETED });
  await createInstance(provider, "leaf", { parentInstanceId: "left", ...COMPLETED });
}

async function ids({ admin }: Provider): Promise<readonly string[]> {
  return (await admin?.listInstances())?.instanceIds ?? [];
}

describe("deleting an instance", () => {
  it.each(["Completed", "Failed"] as const)(
    "that is %s needs no force and takes all it owns",
    async (status) => {
      await using store = await openMemory();
      const { provider } = store;
      await createInstance(provider, "i", {
        historyDelta: [scheduled("i", 2)],
        workerItems: [activity("i", 2)],
        orchestratorItems: [raised("i", "e")],
      });
      await ack(provider, await mustFetch(provider), { metadata: { status, output: "" } });
      await provider.enqueueForOrchestrator(raised("i", "late"));
      expect(await provider.admin.deleteInstance("i")).toEqual({
        instancesDeleted: 1,
        executionsDeleted: 1,
        eventsDeleted: 2,
        queueMessagesDeleted: 2,
      });
      expect(await provider.getInstanceStatus("i")).toBeUndefined();
      expect(await provider.readHistory("i")).toEqual([]);
      expect(await provider.admin.listExecutions("i")).toEqual([]);
      expect(await fetchOrchestration(provider)).toBeUndefined();
      expect(await fetchWork(provider)).toBeUndefined();
    },
  );

  it("that runs needs force", async () => {
    await using store = await openMemory();
    await createInstance(store.provider, "i");
    const refused = store.provider.admin.deleteInstance("i");
    await expect(refused).rejects.toMatchObject({ code: "instance-still-running", retryable: false });
    await expect(refused).rejects.toThrow(/still running/);
    expect(await ids(store.provider)).toEqual(["i"]);
    expect(await store.provider.admin.deleteInstance("i", { force: true })).toMatchObject({
      instancesDeleted: 1,
    });
    expect(await ids(store.provider)).toEqual([]);
  });

  it("that is not there, or no longer, is an error", async () => {
    await using store = await openMemory();
    await createInstance(store.provider, "i", COMPLETED);
    await store.provider.admin.deleteInstance("i");
    await fail(store.provider.admin.deleteInstance("i"), "instance-not-found");
    await fail(store.provider.admin.deleteInstance("nobody", { force: true }), "instance-not-found");
  });

  it("frees its id for an instance that knows nothing of it", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { historyDelta: [scheduled("i", 2)], ...COMPLETED });
    await continueAsNew(provider, "i", 2);
    await provider.admin.deleteInstance("i", { force: true });
    await createInstance(provider, "i", { version: "9.0.0" });
    expect(await provider.admin.getInstanceInfo("i")).toMatchObject({
      orchestrationVersion: "9.0.0",
      currentExecutionId: 1,
      status: "Running",
    });
    expect(await provider.readHistory("i")).toHaveLength(1);
    expect(await provider.admin.listExecutions("i")).toEqual([1]);
  });

  it("takes the lock from a turn in progress, which cannot bring the instance back", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await mustFetch(provider);
    await provider.admin.deleteInstance("i", { force: true });
    const metadata = { orchestrationName: "T", orchestrationVersion: "1.0.0" };
    await fail(ack(provider, fetched, { historyDelta: [scheduled("i", 2)], metadata }), "lock-lost");
    await createInstance(provider, "i");
    await fail(ack(provider, fetched, { historyDelta: [scheduled("i", 2)], metadata }), "lock-lost");
    expect(await provider.readHistory("i")).toHaveLength(1);
  });

  it("keeps the outcome of an activity in progress from its successor", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { workerItems: [activity("i", 2)] });
    const { lockToken } = await mustFetchWork(provider);
    await provider.admin.deleteInstance("i", { force: true });
    await createInstance(provider, "i");
    await fail(provider.ackWorkItem(lockToken, completion("i", 2)), "lock-lost");
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });
});

describe("a tree", () => {
  it("can be walked in both directions", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createTree(provider);
    const { admin } = provider;
    expect(await admin.listChildren("root")).toEqual(["left", "right"]);
    expect(await admin.listChildren("leaf")).toEqual([]);
    expect(await admin.listChildren("nobody")).toEqual([]);
    expect(await admin.getParentId("leaf")).toBe("left");
    expect(await admin.getParentId("root")).toBeUndefined();
    await fail(admin.getParentId("nobody"), "instance-not-found");
    const { rootId, allIds } = await admin.getInstanceTree("root");
    expect([rootId, [...allIds].sort()]).toEqual(["root", ["leaf", "left", "right", "root"]]);
    expect(allIds.indexOf("leaf")).toBeLessThan(allIds.indexOf("left"));
    expect(allIds.at(-1)).toBe("root");
    expect((await admin.getInstanceTree("leaf")).allIds).toEqual(["leaf"]);
    expect((await admin.getInstanceTree("nobody")).allIds).toEqual(["nobody"]);
  });

  it("goes with its root, and no part of it without", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createTree(provider);
    for (const child of ["left", "leaf"]) {
      await fail(provider.admin.deleteInstance(child), "sub-orchestration");
      await fail(provider.admin.deleteInstance(child, { force: true }), "sub-orchestration");
    }
    const deleted = { instancesDeleted: 4, executionsDeleted: 4, eventsDeleted: 4, queueMessagesDeleted: 0 };
    expect(await provider.admin.deleteInstance("root")).toEqual(deleted);
    expect(await ids(provider)).toEqual([]);
  });

  it("is kept as a whole when a part of it runs", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createTree(provider);
    await createInstance(provider, "busy", { parentInstanceId: "leaf" });
    await fail(provider.admin.deleteInstance("root"), "instance-still-running");
    expect(await ids(provider)).toHaveLength(5);
    expect(await provider.admin.deleteInstance("root", { force: true })).toMatchObject({
      instancesDeleted: 5,
    });
  });
});

describe("deleting a list", () => {
  it("deletes exactly what exists of it", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const id of ["a", "b", "c"]) await createInstance(provider, id, COMPLETED);
    expect(await provider.admin.deleteInstancesAtomic([])).toMatchObject({ instancesDeleted: 0 });
    const result = await provider.admin.deleteInstancesAtomic(["a", "b", "b", "nobody"]);
    expect(result).toMatchObject({ instancesDeleted: 2, executionsDeleted: 2 });
    expect(await ids(provider)).toEqual(["c"]);
  });

  it("deletes nothing where one of it runs", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "a", COMPLETED);
    await createInstance(provider, "b");
    await fail(provider.admin.deleteInstancesAtomic(["a", "b"]), "instance-still-running");
    expect(await ids(provider)).toEqual(["b", "a"]);
    expect(await provider.admin.deleteInstancesAtomic(["a", "b"], { force: true })).toMatchObject({
      instancesDeleted: 2,
    });
  });

  it("deletes nothing where a child would be left behind", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createTree(provider);
    await fail(provider.admin.deleteInstancesAtomic(["root", "left", "right"]), "orphaned-child");
    expect(await ids(provider)).toHaveLength(4);
    const all = ["root", "left", "right", "leaf"];
    expect(await provider.admin.deleteInstancesAtomic(all)).toMatchObject({ instancesDeleted: 4 });
  });
});

describe("deleting by filter", () => {
  it("takes finished roots that satisfy all of it, each with its tree", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createTree(provider);
    await createInstance(provider, "running");
    await clock.advance(10);
    const cutOff = clock.now();
    await createInstance(provider, "new", COMPLETED);
    const remove = (filter: object): Promise<unknown> => provider.admin.deleteInstances(filter);
    expect(await remove({ instanceIds: [] })).toMatchObject({ instancesDeleted: 0 });
    expect(await remove({ instanceIds: ["nobody", "running", "left"] })).toMatchObject({
      instancesDeleted: 0,
    });
    expect(await remove({ instanceIds: ["new"], completedBeforeMs: cutOff })).toMatchObject({
      instancesDeleted: 0,
    });
    expect(await remove({ completedBeforeMs: cutOff - 10 })).toMatchObject({ instancesDeleted: 0 });
    expect(await remove({ completedBeforeMs: cutOff })).toMatchObject({ instancesDeleted: 4 });
    expect(await remove({})).toMatchObject({ instancesDeleted: 1 });
    expect(await ids(provider)).toEqual(["running"]);
  });

  it("stops at its limit of roots", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const id of ["a", "b", "c", "d"]) await createInstance(provider, id, COMPLETED);
    const counts = [];
    for (const limit of [0, 3, 3, 3]) {
      counts.push((await provider.admin.deleteInstances({ limit })).instancesDeleted);
    }
    expect(counts).toEqual([0, 3, 1, 0]);
    await fail(provider.admin.deleteInstances({ limit: -1 }), "invalid-input");
  });
});
