/** Ids, keys and payloads come back exactly as they were given, whatever characters they have. */
import { describe, expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";
import { activity, completion, eventOf, raised, started, startItem } from "./support/messages.ts";
import { ack, createInstance, fetchWork, mustFetch, turn } from "./support/turns.ts";

const IDS = [
  "a",
  "A",
  " a ",
  "a\0",
  "a\0b",
  "a\u0001",
  "a\u0001\u0002",
  "a'b\"c",
  "ä/日本?#😀",
  "",
  "x".repeat(5_000),
];

describe("an instance id", () => {
  it("may be any text, and is told from every other", async () => {
    await using store = await openFile();
    const { provider } = store;
    for (const id of IDS) await createInstance(provider, id, { parentInstanceId: "p\0" });
    const { instanceIds } = await provider.admin.listInstances();
    expect(instanceIds).toEqual([...IDS].reverse());
    expect(await provider.admin.listChildren("p\0")).toEqual(IDS);
    for (const id of IDS) {
      expect(await provider.readHistory(id)).toEqual([started(id)]);
      expect(await provider.admin.getInstanceInfo(id)).toMatchObject({
        instanceId: id,
        parentInstanceId: "p\0",
      });
      await provider.enqueueForOrchestrator(raised(id, "e"));
      const { item, lockToken } = await mustFetch(provider);
      expect(item.instanceId).toBe(id);
      await ack(provider, { item, lockToken, attemptCount: 1 });
      await provider.admin.deleteInstancesAtomic([id], { force: true });
    }
    expect((await provider.admin.listInstances()).instanceIds).toEqual([]);
  });

  it("with a lone surrogate is stored as the text that UTF-8 can express", async () => {
    await using store = await openFile();
    await createInstance(store.provider, "a\ud800b");
    expect((await store.provider.admin.listInstances()).instanceIds).toEqual(["a\ufffdb"]);
    expect(await store.provider.getInstanceStatus("a\ud800b")).toBeDefined();
  });
});

describe("payloads", () => {
  const text = "\0\u0001\u0002 'quoted' \"double\" \\ \n 日本 😀";

  it("of messages, events, outputs and statuses are kept", async () => {
    await using store = await openFile();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i", { input: text, version: text }));
    const fetched = await mustFetch(provider);
    expect(fetched.item.messages).toEqual([startItem("i", { input: text, version: text })]);
    const work = { ...activity("i", 3, { tag: text, session_id: text }), input: text };
    await ack(provider, fetched, {
      historyDelta: [
        started("i", 1, { input: text }),
        eventOf("CustomStatusUpdated", "i", 2, { status: text }),
      ],
      workerItems: [work],
      metadata: { orchestrationName: text, orchestrationVersion: text },
    });
    const found = await fetchWork(provider, {
      tagFilter: { kind: "tags", tags: [text] },
      session: { ownerId: text, lockTimeoutMs: 1_000 },
    });
    expect(found).toMatchObject({ item: work, orchestration: { name: text, version: text } });
    await provider.ackWorkItem(found?.lockToken ?? "", completion("i", 3, text));
    expect(await provider.getCustomStatus("i", 0)).toEqual({ status: text, version: 1 });
    await turn(provider, "i", { metadata: { status: "Completed", output: text } });
    expect(await provider.getInstanceStatus("i")).toMatchObject({ output: text, customStatus: text });
    expect(await provider.admin.getExecutionInfo("i", 1)).toMatchObject({ output: text });
    expect((await provider.readHistory("i"))[0]).toEqual(started("i", 1, { input: text }));
  });

  it("keep the version stamp and fields that this version does not know", async () => {
    await using store = await openFile();
    const event = { ...started("i"), duroxide_version: "0.1.30", future: { field: [1, null] } };
    await createInstance(store.provider, "i");
    await store.provider.appendHistory("i", 2, [event as never]);
    expect(await store.provider.readHistory("i", 2)).toEqual([event]);
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    expect((await mustFetch(store.provider)).item.history).toEqual([event]);
  });

  it("keep integers beyond what a number can hold", async () => {
    await using store = await openFile();
    const event = { ...started("i"), timestamp_ms: 2n ** 64n - 1n };
    await createInstance(store.provider, "i");
    await store.provider.appendHistory("i", 2, [event]);
    expect(await store.provider.readHistory("i", 2)).toEqual([event]);
  });
});
