/** The choices of SQLite where the contract leaves one, and the validation kit accepts more than one answer. */
import {
  activity,
  continueAsNew,
  createInstance,
  failed,
  fetchOrchestration,
  mustFetch,
  mustFetchWork,
  raised,
  scheduled,
  semver,
  started,
  turn,
  turnOf,
  versions,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect } from "vitest";
import { inMemory, onFile } from "./support/fixture.ts";

const COMPLETED = { metadata: { status: "Completed", output: "1" } } as const;

describe("a commit", () => {
  inMemory("with an event id twice is refused as one with a duplicate", async (store) => {
    await createInstance(store, "i");
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    const historyDelta = [scheduled("i", 2), scheduled("i", 2)];
    const twice = store.provider.ackOrchestrationItem(turnOf(await mustFetch(store), { historyDelta }));
    await expect(twice).rejects.toMatchObject({ code: "duplicate-event" });
  });
});

describe("a fetch", () => {
  inMemory("knows a pre-release from the version that it precedes", async (store) => {
    await createInstance(store, "i", { metadata: { pinnedVersion: semver("1.0.0-rc.1") } });
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    const fetch = (min: string): ReturnType<typeof fetchOrchestration> =>
      fetchOrchestration(store, { supportedVersions: versions(min, "2.0.0") });
    expect(await fetch("1.0.0")).toBeUndefined();
    expect(await fetch("1.0.0-rc.1")).toBeDefined();
  });

  onFile("says of a history that cannot be read what is wrong with it", async (store) => {
    await createInstance(store, "i", { orchestratorItems: [raised("i", "e")] });
    store.openRaw().exec("UPDATE history SET event = 'not json'");
    expect((await mustFetch(store)).item.historyError).toMatch(/event/);
  });

  inMemory("of an activity says which orchestration asked for it", async (store) => {
    await createInstance(store, "i", { version: "2.1.0", workerItems: [activity("i", 2)] });
    await store.provider.enqueueForWorker(activity("i", 3));
    const known = { name: "TestOrch", version: "2.1.0" };
    for (let n = 0; n < 2; n++) expect((await mustFetchWork(store)).orchestration).toEqual(known);
  });
});

describe("the status of an instance", () => {
  inMemory("has the details of the failure", async (store) => {
    await createInstance(store, "i");
    await turn(store, "i", {
      historyDelta: [failed("i", 2, "first"), failed("i", 3, "boom")],
      metadata: { status: "Failed", output: "boom" },
    });
    expect(await store.provider.getInstanceStatus("i")).toEqual({
      executionId: 1,
      status: "Failed",
      output: "boom",
      failure: { Application: { kind: "OrchestrationFailed", message: "boom", retryable: false } },
      customStatus: null,
      customStatusVersion: 0,
    });
  });

  inMemory("is that of an execution which began with events that were appended", async (store) => {
    const { provider } = store;
    await createInstance(store, "i", COMPLETED);
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
    expect(await fetchOrchestration(store)).toBeUndefined();
  });

  inMemory("is announced to a watcher when it ends, and for nothing else", async (store) => {
    const { provider, clock } = store;
    let calls = 0;
    let others = 0;
    const stop = provider.watchInstance("i", () => calls++);
    provider.watchInstance("other", () => others++);
    await createInstance(store, "i");
    await turn(store, "i", { historyDelta: [scheduled("i", 2)] });
    await clock.settle();
    expect(calls).toBe(0);
    await turn(store, "i", COMPLETED);
    await clock.settle();
    expect(calls).toBe(1);
    stop();
    await provider.admin.deleteInstance("i");
    await clock.settle();
    expect([calls, others]).toEqual([1, 0]);
  });
});

function named(instanceId: string): unknown {
  return expect.objectContaining({ instanceId });
}

describe("a list of instances", () => {
  inMemory("says with its last page that it is the last, also where that is full", async (store) => {
    for (const id of ["a", "b", "c", "d"]) await createInstance(store, id, COMPLETED);
    await continueAsNew(store, "a", 2);
    const { admin } = store.provider;
    const { continuation = "" } = await admin.queryInstances({ limit: 2 });
    const last = await admin.queryInstances({ limit: 2, continuation });
    expect(last).toEqual({ instances: [named("b"), named("a")] });
    const completed = await admin.queryInstances({ limit: 3, filter: { status: ["Completed"] } });
    expect(completed).toEqual({ instances: [named("d"), named("c"), named("b")] });
  });
});
