/** Activities are cancelled by removing their rows, locked or not (contract §7.11, §10). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { activity, completion } from "./support/messages.ts";
import { createInstance, fail, fetchOrchestration, fetchWork, mustFetchWork, turn } from "./support/turns.ts";

const cancel = (instanceId: string, ...ids: number[]): object => ({
  cancelledActivities: ids.map((activityId) => ({ instanceId, executionId: 1, activityId })),
});

describe("cancelled activities", () => {
  it("are removed, and only they", async () => {
    await using store = await openMemory();
    const { provider } = store;
    const workerItems = [1, 2, 3].map((id) => activity("i", id));
    await createInstance(provider, "i", { workerItems });
    await createInstance(provider, "other", { workerItems: [activity("other", 1)] });
    await turn(provider, "i", cancel("i", 1, 2));
    expect((await mustFetchWork(provider)).item).toEqual(activity("i", 3));
    expect((await mustFetchWork(provider)).item).toEqual(activity("other", 1));
    expect(await fetchWork(provider)).toBeUndefined();
  });

  it("of another execution with the same id stay", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForWorker(activity("i", 1, { execution_id: 2 }));
    await turn(provider, "i", cancel("i", 1));
    expect(await fetchWork(provider)).toBeDefined();
  });

  it("take the lock from a worker that runs them, which notices when it renews or acknowledges", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { workerItems: [activity("i", 1)] });
    const { lockToken } = await mustFetchWork(provider);
    await turn(provider, "i", cancel("i", 1));
    await fail(provider.renewWorkItemLock(lockToken, 1_000), "lock-lost");
    await fail(provider.ackWorkItem(lockToken, completion("i", 1)), "lock-lost");
    await fail(provider.abandonWorkItem(lockToken), "lock-lost");
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });

  it("that are not there are ignored, also those of unknown instances", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await turn(provider, "i", cancel("i", 7, 8));
    await turn(provider, "i", cancel("nobody", 1));
  });

  it("that are scheduled in the same turn are never seen", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await turn(provider, "i", { workerItems: [activity("i", 2), activity("i", 3)], ...cancel("i", 2) });
    expect((await mustFetchWork(provider)).item.id).toBe(3);
    expect(await fetchWork(provider)).toBeUndefined();
  });
});

describe("an activity", () => {
  it.each(["Completed", "Failed", "ContinuedAsNew"] as const)(
    "is served, renewed and acknowledged although its orchestration is %s",
    async (status) => {
      await using store = await openMemory();
      const { provider } = store;
      const metadata = { status, output: "x" };
      await createInstance(provider, "i");
      await turn(provider, "i", { workerItems: [activity("i", 2)], metadata });
      const { lockToken } = await mustFetchWork(provider);
      await provider.renewWorkItemLock(lockToken, 1_000);
      await provider.ackWorkItem(lockToken, completion("i", 2));
      expect(await fetchOrchestration(provider)).toBeDefined();
    },
  );

  it("is served although its instance is unknown", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForWorker(activity("nobody", 1));
    const { lockToken, orchestration } = await mustFetchWork(store.provider);
    expect(orchestration).toBeUndefined();
    await store.provider.renewWorkItemLock(lockToken, 1_000);
    await store.provider.ackWorkItem(lockToken);
    expect(await fetchWork(store.provider)).toBeUndefined();
  });

  it("that is dropped without an outcome leaves nothing behind", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { workerItems: [activity("i", 2)] });
    await provider.ackWorkItem((await mustFetchWork(provider)).lockToken);
    expect(await fetchWork(provider)).toBeUndefined();
    expect(await fetchOrchestration(provider)).toBeUndefined();
  });

  it("comes with the name and version of the orchestration that asked for it", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i", { version: "2.1.0", workerItems: [activity("i", 2)] });
    await provider.enqueueForWorker(activity("i", 3));
    const known = { name: "TestOrch", version: "2.1.0" };
    for (let n = 0; n < 2; n++) expect((await mustFetchWork(provider)).orchestration).toEqual(known);
  });
});
