/** KV in two layers: what earlier executions left, and what the current one changes (contract §13). */
import type { HistoryEvent, KvEntry } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Fixture, openMemory } from "./support/fixture.ts";
import { eventOf, raised } from "./support/messages.ts";
import { continueAsNew, createInstance, mustFetch, turn } from "./support/turns.ts";

const SET_AT_MS = 1_600_000_000_000;

let nextId = 0;

/** Event ids only have to grow here. */
const id = (): number => 100 + nextId++;

const set = (key: string, value: string): HistoryEvent =>
  eventOf("KeyValueSet", "i", id(), { key, value, last_updated_at_ms: SET_AT_MS });

const clear = (key: string): HistoryEvent => eventOf("KeyValueCleared", "i", id(), { key });

const clearAll = (): HistoryEvent => eventOf("KeyValuesCleared", "i", id(), {});

async function open(...historyDelta: HistoryEvent[]): Promise<Fixture> {
  const store = await openMemory();
  await createInstance(store.provider, "i", { historyDelta });
  return store;
}

const change = ({ provider }: Fixture, ...historyDelta: HistoryEvent[]): Promise<unknown> =>
  turn(provider, "i", { historyDelta });

const complete = ({ provider }: Fixture, ...historyDelta: HistoryEvent[]): Promise<unknown> =>
  turn(provider, "i", { historyDelta, metadata: { status: "Completed", output: "" } });

async function values({ provider }: Fixture, instance = "i"): Promise<Record<string, string>> {
  const all = await provider.getKvAllValues(instance);
  for (const [key, value] of all) expect(await provider.getKvValue(instance, key)).toBe(value);
  return Object.fromEntries(all);
}

async function snapshot({ provider }: Fixture): Promise<Record<string, KvEntry>> {
  await provider.enqueueForOrchestrator(raised("i", "look"));
  const { item, lockToken } = await mustFetch(provider);
  await provider.abandonOrchestrationItem(lockToken);
  return Object.fromEntries(item.kvSnapshot);
}

const entry = (value: string): KvEntry => ({ value, lastUpdatedAtMs: SET_AT_MS });

describe("a client", () => {
  it("sees what the current execution sets, overwrites and clears", async () => {
    await using store = await open(set("a", "1"), set("b", "2"));
    expect(await values(store)).toEqual({ a: "1", b: "2" });
    await change(store, set("a", "3"), clear("b"), clear("never there"));
    expect(await values(store)).toEqual({ a: "3" });
    expect(await store.provider.getKvValue("i", "b")).toBeUndefined();
  });

  it("sees the effects of one turn in the order of its events", async () => {
    await using store = await open(set("a", "1"));
    await change(store, set("b", "2"), clearAll(), set("c", "3"));
    expect(await values(store)).toEqual({ c: "3" });
  });

  it("sees one view of both layers", async () => {
    await using store = await open(set("color", "red"), set("size", "L"), set("gone", "x"));
    await continueAsNew(store.provider, "i", 2);
    await turn(store.provider, "i", {
      executionId: 2,
      historyDelta: [set("color", "blue"), set("shape", "round"), clear("gone")],
    });
    expect(await values(store)).toEqual({ color: "blue", size: "L", shape: "round" });
    expect(await store.provider.getKvValue("i", "gone")).toBeUndefined();
  });

  it("sees nothing of values that a later execution cleared altogether", async () => {
    await using store = await open(set("a", "1"), set("b", "2"));
    await continueAsNew(store.provider, "i", 2);
    await change(store, clearAll(), set("c", "3"));
    expect(await values(store)).toEqual({ c: "3" });
    await complete(store);
    expect(await values(store)).toEqual({ c: "3" });
    expect(await snapshot(store)).toEqual({ c: entry("3") });
  });

  it("gets nothing for unknown keys and instances", async () => {
    await using store = await open();
    expect(await store.provider.getKvValue("i", "a")).toBeUndefined();
    expect(await store.provider.getKvValue("nobody", "a")).toBeUndefined();
    expect(await values(store, "nobody")).toEqual({});
  });

  it("gets empty, large and unusual texts as they were set", async () => {
    const unusual = {
      "": "",
      " a b ": "ü",
      "日本/..": "😀",
      "nul\0": "a\0b\u0001c\0",
      "'\"": "x".repeat(65_536),
    };
    const events = Object.entries(unusual).map(([key, value]) => set(key, value));
    await using store = await open(...events);
    expect(await values(store)).toEqual(unusual);
    await complete(store);
    expect(await values(store)).toEqual(unusual);
    expect(Object.keys(await snapshot(store)).sort()).toEqual(Object.keys(unusual).sort());
  });
});

describe("the snapshot of a fetch", () => {
  it("leaves out what the current execution did", async () => {
    await using store = await open(set("a", "1"));
    expect(await snapshot(store)).toEqual({});
    await complete(store);
    expect(await snapshot(store)).toEqual({ a: entry("1") });
  });

  it("has what earlier executions left, with the times of the events", async () => {
    await using store = await open(set("a", "1"), set("b", "2"));
    await change(store, set("b", "3"));
    await continueAsNew(store.provider, "i", 2);
    await turn(store.provider, "i", { executionId: 2, historyDelta: [set("c", "4"), clear("a")] });
    expect(await snapshot(store)).toEqual({ a: entry("1"), b: entry("3") });
    await continueAsNew(store.provider, "i", 3);
    expect(await snapshot(store)).toEqual({ b: entry("3"), c: entry("4") });
  });

  it.each(["Completed", "Failed", "ContinuedAsNew"] as const)(
    "has what an execution that ends %s did",
    async (status) => {
      await using store = await open(set("a", "1"));
      await turn(store.provider, "i", { historyDelta: [set("b", "2"), clear("a")], metadata: { status } });
      expect(await snapshot(store)).toEqual({ b: entry("2") });
    },
  );
});

describe("KV", () => {
  it("of one instance is not that of another", async () => {
    await using store = await open(set("a", "1"));
    const own = { ...set("a", "2"), instance_id: "other" };
    await createInstance(store.provider, "other", { historyDelta: [own] });
    await change(store, clearAll());
    expect(await values(store)).toEqual({});
    expect(await values(store, "other")).toEqual({ a: "2" });
  });

  it("outlives pruned executions, and goes with the instance", async () => {
    await using store = await open(set("a", "1"));
    await continueAsNew(store.provider, "i", 2);
    await turn(store.provider, "i", { executionId: 2, historyDelta: [set("b", "2")] });
    expect(await store.provider.admin.pruneExecutions("i", { keepLast: 1 })).toMatchObject({
      executionsDeleted: 1,
    });
    expect(await values(store)).toEqual({ a: "1", b: "2" });
    await store.provider.admin.deleteInstance("i", { force: true });
    expect(await values(store)).toEqual({});
    await createInstance(store.provider, "i");
    expect(await values(store)).toEqual({});
    expect(await snapshot(store)).toEqual({});
  });

  it("of children goes with the tree", async () => {
    await using store = await openMemory();
    const status = { status: "Completed" } as const;
    await createInstance(store.provider, "i", { historyDelta: [set("a", "1")], metadata: status });
    const historyDelta = [{ ...set("b", "2"), instance_id: "child" }];
    await createInstance(store.provider, "child", { parentInstanceId: "i", historyDelta, metadata: status });
    await store.provider.admin.deleteInstance("i");
    expect([await values(store), await values(store, "child")]).toEqual([{}, {}]);
  });

  it("is counted by the statistics of the instance", async () => {
    await using store = await open(set("k1", "ab"), set("k2", "cde"));
    const stats = async (): Promise<unknown> => {
      const { kvUserKeyCount, kvTotalValueBytes } = (await store.provider.getInstanceStats("i")) ?? {};
      return [kvUserKeyCount, kvTotalValueBytes];
    };
    expect(await stats()).toEqual([2, 5]);
    await complete(store, set("k1", "äb\0"));
    expect(await stats()).toEqual([2, 7]);
    await change(store, clear("k2"));
    expect(await stats()).toEqual([1, 4]);
  });
});
