/**
 * Ids, keys and payloads come back exactly as they were given, whatever characters they have. The validation kit
 * has the usual ones; here are those that SQLite and Node have their own ideas about, NUL above all.
 */
import {
  ack,
  activity,
  completion,
  createInstance,
  eventOf,
  fetchWork,
  given,
  mustFetch,
  raised,
  started,
  startItem,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect } from "vitest";
import { onFile } from "./support/fixture.ts";

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
  onFile("may be any text, and differs from every other", async (store) => {
    const { provider } = store;
    for (const id of IDS) await createInstance(store, id, { parentInstanceId: "p\0" });
    const { instances } = await provider.admin.queryInstances();
    const instanceIds = instances.map(({ instanceId }) => instanceId);
    expect(instanceIds).toEqual([...IDS].reverse());
    const children = await provider.admin.queryInstances({ filter: { parentId: "p\0" } });
    expect(children.instances).toEqual(instances);
    for (const id of IDS) {
      expect(await provider.readHistory(id)).toEqual([started(id)]);
      expect(await provider.admin.getInstanceInfo(id)).toMatchObject({
        instanceId: id,
        parentInstanceId: "p\0",
      });
      await provider.enqueueForOrchestrator(raised(id, "e"));
      const fetched = await mustFetch(store);
      expect(fetched.item.instanceId).toBe(id);
      await ack(store, fetched);
      await provider.admin.deleteInstance(id, { force: true });
    }
    expect((await provider.admin.queryInstances()).instances.map(({ instanceId }) => instanceId)).toEqual([]);
  });

  onFile("with a lone surrogate is stored as the text that UTF-8 can express", async (store) => {
    await createInstance(store, "a\ud800b");
    expect(
      (await store.provider.admin.queryInstances()).instances.map(({ instanceId }) => instanceId),
    ).toEqual(["a\ufffdb"]);
    expect(await store.provider.getInstanceStatus("a\ud800b")).toBeDefined();
  });
});

describe("payloads", () => {
  const text = "\0\u0001\u0002 'quoted' \"double\" \\ \n 日本 😀";

  onFile("of messages, events, outputs and statuses are kept", async (store) => {
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i", { input: text, version: text }));
    const fetched = await mustFetch(store);
    expect(fetched.item.messages).toEqual([startItem("i", { input: text, version: text })]);
    const work = { ...activity("i", 3, { tag: text, session_id: text }), input: text };
    await ack(store, fetched, {
      historyDelta: [
        started("i", 1, { input: text }),
        eventOf("CustomStatusUpdated", "i", 2, { status: text }),
      ],
      workerItems: [work],
      metadata: { orchestrationName: text, orchestrationVersion: text },
    });
    const found = given(
      await fetchWork(store, {
        tagFilter: { kind: "tags", tags: [text] },
        session: { ownerId: text, lockTimeoutMs: 1_000 },
      }),
      "the activity",
    );
    expect(found).toMatchObject({ item: work, orchestration: { name: text, version: text } });
    await provider.ackWorkItem(found.lockToken, completion("i", 3, text));
    expect(await provider.getInstanceStatus("i")).toMatchObject({
      customStatus: text,
      customStatusVersion: 1,
    });
    await turn(store, "i", { metadata: { status: "Completed", output: text } });
    expect(await provider.getInstanceStatus("i")).toMatchObject({ output: text, customStatus: text });
    expect((await provider.admin.listExecutions("i", 1))[0]).toMatchObject({ output: text });
    expect((await provider.readHistory("i"))[0]).toEqual(started("i", 1, { input: text }));
  });

  onFile("of key-value entries are kept, and counted without what escapes them", async (store) => {
    const { provider } = store;
    const entries = { "": "", "nul\0": "a\0b\u0001c\0", "\u0001\u0002": text };
    const historyDelta = Object.entries(entries).map(([key, value], index) =>
      eventOf("KeyValueSet", "i", index + 2, { key, value, last_updated_at_ms: 1 }),
    );
    await createInstance(store, "i", { historyDelta });
    const bytes = Object.values(entries).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    const expectKept = async (): Promise<void> => {
      expect(Object.fromEntries(await provider.getKvValues("i"))).toEqual(entries);
      for (const [key, value] of Object.entries(entries)) {
        expect((await provider.getKvValues("i", key)).get(key)).toBe(value);
      }
      expect(await provider.getInstanceStats("i")).toMatchObject({
        kvUserKeyCount: 3,
        kvTotalValueBytes: bytes,
      });
    };
    await expectKept();
    await turn(store, "i", { metadata: { status: "Completed", output: "" } });
    await expectKept();
    await provider.enqueueForOrchestrator(raised("i", "look"));
    const { kvSnapshot } = (await mustFetch(store)).item;
    expect([...kvSnapshot].map(([key, { value }]) => [key, value]).sort()).toEqual(
      Object.entries(entries).sort(),
    );
  });
});

onFile("the name of an orchestration is the same in a later start of its instance", async (store) => {
  const orchestration = "a\0b\u0001";
  await createInstance(store, "i", { metadata: { orchestrationName: orchestration } });
  const start = startItem("i", { orchestration });
  const { provider } = store;
  expect(await provider.enqueueForOrchestrator(start, 0, { ifTaken: "tell" })).toBe("reused");
  expect(await provider.startInstance(start, { ifExists: "fail", messages: [] })).toEqual({
    kind: "exists",
    orchestration,
    status: "Running",
  });
});
