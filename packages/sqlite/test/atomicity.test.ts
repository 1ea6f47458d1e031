/** A turn is stored as a whole or not at all (docs/reference/provider-contract.md §7). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { activity, raised, scheduled, started, startItem, timer } from "./support/messages.ts";
import {
  ack,
  createInstance,
  fail,
  fetchOrchestration,
  fetchWork,
  LOCK_MS,
  mustFetch,
} from "./support/turns.ts";

describe("a turn", () => {
  it("that repeats an event id changes nothing and keeps its lock", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await mustFetch(provider);
    const repeated = ack(provider, fetched, {
      historyDelta: [started("i")],
      workerItems: [activity("i", 2)],
      orchestratorItems: [raised("other", "e")],
      metadata: { status: "Completed", output: "x" },
    });
    await fail(repeated, "duplicate-event");
    expect(await provider.readHistory("i")).toEqual([started("i")]);
    expect(await fetchWork(provider)).toBeUndefined();
    expect(await fetchOrchestration(provider)).toBeUndefined();
    expect(await provider.getInstanceStatus("i")).toMatchObject({ status: "Running", output: null });
    await ack(provider, fetched, { historyDelta: [scheduled("i", 2)] });
    expect(await provider.readHistory("i")).toHaveLength(2);
  });

  it.each([
    ["within one delta", [scheduled("i", 2), scheduled("i", 2)]],
    ["out of order", [scheduled("i", 3), started("i")]],
  ])("that repeats an event id %s is refused", async (_how, historyDelta) => {
    await using store = await openMemory();
    await createInstance(store.provider, "i");
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    await fail(ack(store.provider, await mustFetch(store.provider), { historyDelta }), "duplicate-event");
    expect(await store.provider.readHistory("i")).toEqual([started("i")]);
  });

  it("stores events, activities and messages together, and messages in their order", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    await ack(provider, await mustFetch(provider), {
      historyDelta: [started("i"), ...[2, 3, 4, 5].map((id) => scheduled("i", id))],
      workerItems: [activity("i", 2), activity("i", 3), activity("i", 4)],
      orchestratorItems: [timer("i", clock.now() - 1_000), raised("i", "e")],
    });
    expect(await provider.readHistory("i")).toHaveLength(5);
    for (const id of [2, 3, 4]) expect((await fetchWork(provider))?.item.id).toBe(id);
    expect(await fetchWork(provider)).toBeUndefined();
    const { item } = await mustFetch(provider);
    expect(item.messages.map(({ kind }) => kind)).toEqual(["TimerFired", "ExternalRaised"]);
  });

  it("with event ids that are out of order is stored in the order of the ids", async () => {
    await using store = await openMemory();
    await createInstance(store.provider, "i");
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    await ack(store.provider, await mustFetch(store.provider), {
      historyDelta: [scheduled("i", 99_999), scheduled("i", 7)],
    });
    const ids = (await store.provider.readHistory("i")).map((event) => event.event_id);
    expect(ids).toEqual([1, 7, 99_999]);
  });

  it("with the event id 0 is refused", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await mustFetch(store.provider);
    await fail(ack(store.provider, fetched, { historyDelta: [scheduled("i", 0)] }), "invalid-input");
    expect(await store.provider.readHistory("i")).toEqual([]);
  });
});

describe("a lock", () => {
  it("survives an acknowledgement with another token, and ends when its time is over", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await mustFetch(provider);
    await fail(ack(provider, { ...fetched, lockToken: "made-up" }), "lock-lost");
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(LOCK_MS);
    expect(await fetchOrchestration(provider)).toBeDefined();
  });

  it("serves for one acknowledgement only, also when two come at once", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await mustFetch(store.provider);
    const both = [1, 2].map(() => ack(store.provider, fetched, { historyDelta: [started("i")] }));
    const outcomes = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(["fulfilled", "rejected"]);
    expect(await store.provider.readHistory("i")).toHaveLength(1);
  });
});
