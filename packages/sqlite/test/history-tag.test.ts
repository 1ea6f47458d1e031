/** A caller that holds the history in memory gets it again only after somebody else has touched the instance. */
import type { FetchedOrchestration, Provider } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";
import { eventOf, raised, scheduled, started } from "./support/messages.ts";
import { ack, continueAsNew, createInstance, mustFetch } from "./support/turns.ts";

const KV = eventOf("KeyValueSet", "i", 2, { key: "k", value: "v", last_updated_at_ms: 1 });

async function fetchHolding(provider: Provider, tag: string | undefined): Promise<FetchedOrchestration> {
  await provider.enqueueForOrchestrator(raised("i", "e"));
  return mustFetch(provider, { heldHistory: (instanceId) => (instanceId === "i" ? tag : undefined) });
}

describe("with the tag of the last turn", () => {
  it("history and KV are left out, and everything else is there", async () => {
    await using store = await openFile();
    const tag = await createInstance(store.provider, "i", { version: "3.0.0", historyDelta: [KV] });
    const { item, attemptCount } = await fetchHolding(store.provider, tag);
    expect(item).toEqual({
      instanceId: "i",
      orchestrationName: "TestOrch",
      version: "3.0.0",
      executionId: 1,
      history: [],
      kvSnapshot: new Map(),
      historyOmitted: true,
      messages: [raised("i", "e")],
    });
    expect(attemptCount).toBe(1);
  });

  it("they are left out again after a turn was given back", async () => {
    await using store = await openFile();
    const tag = await createInstance(store.provider, "i");
    const first = await fetchHolding(store.provider, tag);
    await store.provider.abandonOrchestrationItem(first.lockToken);
    expect((await fetchHolding(store.provider, tag)).item.historyOmitted).toBe(true);
  });
});

describe("history and KV are there", () => {
  it("without a tag, or with the tag of an earlier turn", async () => {
    await using store = await openFile();
    const { provider } = store;
    const old = await createInstance(provider, "i");
    const fetched = await fetchHolding(provider, undefined);
    expect(fetched.item.historyOmitted).toBeUndefined();
    expect(fetched.item.history).toEqual([started("i")]);
    const { historyTag } = await ack(provider, fetched, { historyDelta: [scheduled("i", 2)] });
    expect(historyTag).not.toBe(old);
    expect((await fetchHolding(provider, old)).item.history).toHaveLength(2);
  });

  it("after a turn that another process has committed", async () => {
    await using store = await openFile();
    const tag = await createInstance(store.provider, "i");
    const another = await store.openAnother();
    await ack(another, await fetchHolding(another, tag), { historyDelta: [scheduled("i", 2)] });
    expect((await fetchHolding(store.provider, tag)).item.history).toHaveLength(2);
  });

  it("after events were appended outside a turn", async () => {
    await using store = await openFile();
    const tag = await createInstance(store.provider, "i");
    await store.provider.appendHistory("i", 1, [scheduled("i", 2)]);
    expect((await fetchHolding(store.provider, tag)).item.history).toHaveLength(2);
  });

  it("after the instance was deleted and created anew", async () => {
    await using store = await openFile();
    const tag = await createInstance(store.provider, "i", { historyDelta: [scheduled("i", 2)] });
    await store.provider.admin.deleteInstance("i", { force: true });
    await createInstance(store.provider, "i");
    expect((await fetchHolding(store.provider, tag)).item.history).toEqual([started("i")]);
  });

  it("after a new execution has begun", async () => {
    await using store = await openFile();
    const tag = await createInstance(store.provider, "i");
    await continueAsNew(store.provider, "i", 2);
    const { item } = await fetchHolding(store.provider, tag);
    expect([item.executionId, item.history]).toEqual([2, [started("i", 2)]]);
  });
});
