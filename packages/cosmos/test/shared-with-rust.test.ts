/**
 * One container with duroxide-cdb: what Rust wrote goes on here, and what we write is Rust's
 * (docs/reference/wire-format.md §6, docs/reference/upstream/cosmos-hazards.md).
 */
import { type Container, CosmosClient } from "@azure/cosmos";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider, dispatchSlot } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UNHURRIED } from "../../../test/support/stores/requests.ts";
import { type DocumentType, decodeDocument } from "../src/documents/documents.ts";
import { queueRow } from "./support/queue-row.ts";
import { documentVectors } from "./vectors.ts";

const FETCH = { lockTimeoutMs: 5_000, pollTimeoutMs: 0 };

describe("a container that is shared with Rust", () => {
  let emulator: CosmosEmulator;
  let clock: VirtualClock;
  let provider: CosmosProvider;
  let client: CosmosClient;
  let container: Container;
  let requests = 0;

  beforeEach(async () => {
    emulator = await CosmosEmulator.start({ port: 0 });
    clock = new VirtualClock();
    const { connectionString } = emulator;
    provider = await CosmosProvider.connect({
      connectionString,
      clock,
      ...UNHURRIED,
      onRequest: () => requests++,
    });
    client = new CosmosClient({ connectionString });
    container = client.database("duroxide").container("duroxide");
  });
  afterEach(async () => {
    await provider.close();
    client.dispose();
    await emulator[Symbol.asyncDispose]();
  });

  /** Creates an instance as Rust leaves it between turns. */
  async function rustInstance(id: string, changes: object = {}): Promise<void> {
    await container.items.create({
      id: `${id}:instance`,
      instanceId: id,
      type: "instance",
      orchestrationName: "Hello1",
      orchestrationVersion: "1.0.0",
      currentExecutionId: 1,
      status: "Running",
      output: null,
      parentInstanceId: null,
      pinnedDuroxideVersionPacked: 1032,
      customStatus: null,
      customStatusVersion: 0,
      lockToken: null,
      lockedUntil: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      ...changes,
    });
    const started = `{"event_id":1,"source_event_id":null,"instance_id":"${id}","execution_id":1,"timestamp_ms":1,"duroxide_version":"0.1.32","type":"OrchestrationStarted","name":"Hello1","version":"1.0.0","input":"0","parent_instance":null,"parent_id":null}`;
    const scheduled = `{"event_id":2,"source_event_id":null,"instance_id":"${id}","execution_id":1,"timestamp_ms":1,"duroxide_version":"0.1.32","type":"ActivityScheduled","name":"Hello","input":"0"}`;
    for (const [index, eventData] of [started, scheduled].entries()) {
      const eventId = index + 1;
      await container.items.create({
        id: `${id}:history:1:${eventId}`,
        instanceId: id,
        type: "history",
        executionId: 1,
        eventId,
        eventData,
      });
    }
  }

  const rustRow = (type: "orch_queue" | "worker_queue", id: string, workItem: string, changes: object = {}) =>
    queueRow(type, id, {
      id: crypto.randomUUID(),
      workItem,
      dispatchSlot: dispatchSlot(id),
      visibleAt: clock.now(),
      enqueuedAt: clock.now(),
      ...changes,
    });

  const completed = (id: string): string =>
    `{"ActivityCompleted":{"instance":"${id}","execution_id":1,"id":2,"result":"Hello, 0!"}}`;

  it("goes on with an instance that Rust began", async () => {
    await rustInstance("r");
    await container.items.create(rustRow("orch_queue", "r", completed("r")));
    const fetched = await provider.fetchOrchestrationItem(FETCH);
    expect(fetched?.item).toMatchObject({ instanceId: "r", orchestrationName: "Hello1", version: "1.0.0" });
    expect(fetched?.item.history.map(({ type }) => type)).toEqual([
      "OrchestrationStarted",
      "ActivityScheduled",
    ]);
    expect(fetched?.item.messages).toMatchObject([{ kind: "ActivityCompleted", result: "Hello, 0!" }]);
  });

  // commit.K4
  it.each([1, 40])(
    "drops timers that Rust wrote under ids of its own: they stay, %i of them",
    async (count) => {
      await rustInstance("r");
      const fireAtMs = clock.now() + 60_000;
      const ids = Array.from({ length: count }, (_, n) => n + 3);
      for (const id of ids) {
        const fired = `{"TimerFired":{"instance":"r","execution_id":1,"id":${id},"fire_at_ms":${fireAtMs}}}`;
        await container.items.create(rustRow("orch_queue", "r", fired, { visibleAt: fireAtMs }));
      }
      await container.items.create(rustRow("orch_queue", "r", completed("r")));
      const fetched = await provider.fetchOrchestrationItem(FETCH);
      requests = 0;
      await provider.ackOrchestrationItem({
        lockToken: fetched?.lockToken ?? "",
        executionId: 1,
        historyDelta: [],
        workerItems: [],
        orchestratorItems: [],
        metadata: {},
        cancelledActivities: [],
        droppedTimers: ids.map((timerId) => ({ executionId: 1, timerId, fireAtMs })),
      });
      expect(requests).toBeLessThanOrEqual(2);
      expect((await provider.admin.getQueueDepths()).timerQueue).toBe(count);
    },
  );

  it("leaves alone what a Rust worker has locked, and takes it over when the lock is over", async () => {
    const lock = { lockToken: "rust", lockedUntil: clock.now() + 5_000 };
    await rustInstance("r", lock);
    await container.items.create(rustRow("orch_queue", "r", completed("r"), { ...lock, attemptCount: 1 }));
    expect(await provider.fetchOrchestrationItem(FETCH)).toBeUndefined();
    await clock.advance(5_000);
    expect((await provider.fetchOrchestrationItem(FETCH))?.attemptCount).toBe(2);
  });

  // commit.K1
  it("loses a lock that a Rust worker takes over, with everything that it would have written", async () => {
    await rustInstance("r");
    await container.items.create(rustRow("orch_queue", "r", completed("r")));
    const fetched = await provider.fetchOrchestrationItem(FETCH);
    const { resource } = await container.item("r:instance", "r").read();
    const { duroxideTs: _, ...known } = resource;
    await container.items.upsert({ ...known, lockToken: "rust", lockedUntil: clock.now() + 9_000 });
    const ack = provider.ackOrchestrationItem({
      lockToken: fetched?.lockToken ?? "",
      executionId: 1,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: [],
      metadata: { status: "Completed", output: "ours" },
      cancelledActivities: [],
    });
    await expect(ack).rejects.toMatchObject({ code: "lock-lost" });
    const query = "SELECT VALUE c.type FROM c";
    const { resources } = await container.items.query<string>(query, { partitionKey: "r" }).fetchAll();
    expect(resources.sort()).toEqual(["history", "history", "instance", "orch_queue"]);
  });

  it("runs activities of Rust, and answers with messages that Rust reads", async () => {
    await rustInstance("r");
    const workItem =
      '{"ActivityExecute":{"instance":"r","execution_id":1,"id":2,"name":"Hello","input":"0"}}';
    await container.items.create(rustRow("worker_queue", "r", workItem, { executionId: 1, activityId: 2 }));
    const work = await provider.fetchWorkItem({ ...FETCH, tagFilter: { kind: "default-only" } });
    expect(work?.item).toMatchObject({ instance: "r", name: "Hello", input: "0" });
    await provider.ackWorkItem(work?.lockToken ?? "", {
      kind: "ActivityCompleted",
      instance: "r",
      execution_id: 1,
      id: 2,
      result: "Hello, 0!",
    });
    const query = "SELECT * FROM c WHERE c.type = 'orch_queue'";
    const { resources } = await container.items.query(query, { partitionKey: "r" }).fetchAll();
    expect(resources).toMatchObject([{ workItem: completed("r"), attemptCount: 0 }]);
  });

  it("delivers what a Rust process could not", async () => {
    const intent = documentVectors.find(({ raw }) => raw.includes('"type":"outbox_intent"'));
    const document = JSON.parse(intent?.raw ?? "{}") as Record<string, string>;
    await container.items.create({ ...document, createdAt: clock.now(), attemptCount: 0, status: "pending" });
    const target = String(document["targetInstanceId"]);
    const query = "SELECT VALUE c.type FROM c WHERE c.type = 'orch_queue' OR c.type = 'worker_queue'";
    const delivered = async (): Promise<readonly string[]> =>
      (await container.items.query<string>(query, { partitionKey: target }).fetchAll()).resources;
    // As many passes as it takes; each is a few requests of real time. Only processes that fetch make them.
    for (let passes = 0; passes < 20 && (await delivered()).length === 0; passes++) {
      await provider.fetchWorkItem({ lockTimeoutMs: 30_000, pollTimeoutMs: 0, tagFilter: { kind: "any" } });
      await clock.advance(8_000);
    }
    expect(await delivered()).toHaveLength(1);
  });

  // Two such queries in each commit of Rust, and one for each activity.
  it.each(["instance", "worker_queue"])("costs Rust no more for each %s that it has", async (type) => {
    const query = "SELECT * FROM c WHERE c.type = @type AND c.lockToken = @token";
    const parameters = [type, "t"].map((value, at) => ({ name: at === 0 ? "@type" : "@token", value }));
    const costs = async (): Promise<number> =>
      (await container.items.query({ query, parameters }).fetchAll()).requestCharge;
    const before = await costs();
    const document = { type, instanceId: "a", output: "x".repeat(10_000), ownLockToken: "t" };
    for (let n = 0; n < 50; n++) await container.items.create({ id: `d${n}`, ...document });
    expect(await costs()).toBe(before);
  });

  // Rust never resets the status (hazard W11), and what we read is that status.
  it("does not delete an instance that Rust runs in its second execution", async () => {
    await rustInstance("r", { status: "ContinuedAsNew", output: "1", currentExecutionId: 2 });
    expect(await provider.admin.deleteInstances({})).toMatchObject({ instancesDeleted: 0 });
    const code = "instance-still-running";
    await expect(provider.admin.deleteInstance("r")).rejects.toMatchObject({ code });
    expect(await provider.admin.getInstanceInfo("r")).toMatchObject({ status: "Running", output: null });
  });

  // The owner that Rust has written is not remembered, so that every poll for work reads two documents.
  it("asks no more for a session that a Rust worker has, for as long as its lock lasts", async () => {
    await container.items.create({
      id: "r:session:s",
      instanceId: "r",
      type: "session",
      sessionId: "s",
      ownerId: "rust",
      lockedUntil: clock.now() + 30_000,
      lastActivity: clock.now(),
      createdAt: clock.now(),
    });
    await provider.enqueueForWorker({
      kind: "ActivityExecute",
      instance: "r",
      execution_id: 1,
      id: 2,
      name: "Hello",
      input: "0",
      session_id: "s",
    });
    const session = { ownerId: "ours", lockTimeoutMs: 5_000 };
    const fetch = () => provider.fetchWorkItem({ ...FETCH, tagFilter: { kind: "default-only" }, session });
    expect(await fetch()).toBeUndefined();
    const mark = emulator.requestLog.mark();
    for (let look = 0; look < 5; look++) expect(await fetch()).toBeUndefined();
    expect(emulator.requestLog.since(mark).byOperation.get("item.read")).toBeUndefined();
    await clock.advance(30_000);
    expect(await fetch()).toMatchObject({ item: { instance: "r", session_id: "s" } });
  });

  it("writes documents of Rust's types with Rust's fields, and few more that Rust ignores", async () => {
    const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
    const child = orchestration("child", async (ctx, name: string) => ctx.scheduleActivity(greet, name));
    const parent = orchestration("parent", async (ctx, name: string) => {
      ctx.setCustomStatus("working");
      ctx.kv.set("key", name);
      void ctx.scheduleActivity(greet, name, { tag: "of no worker" });
      void ctx.scheduleSubOrchestration(child, name);
      void ctx.scheduleTimer({ hours: 1 });
      await ctx.waitForEvent("never");
    });
    const { connectionString } = emulator;
    await using real = await CosmosProvider.connect({ connectionString });
    {
      await using _runtime = await Runtime.start({
        provider: real,
        activities: [greet],
        orchestrations: [parent, child],
      });
      await new Client(real).start(parent, { instanceId: "p", input: "you" });
      const children = () => real.admin.queryInstances({ filter: { parentId: "p" } });
      await expect.poll(children, { timeout: 240_000 }).toMatchObject({ instances: [{}] });
    }
    const { resources } = await container.items.query("SELECT * FROM c").fetchAll();
    const known = new Set(documentVectors.map(({ raw }) => (JSON.parse(raw) as { type: string }).type));
    const ours = resources.filter(({ type }) => known.has(type));
    expect(new Set(ours.map(({ type }) => type)).size).toBeGreaterThanOrEqual(4);
    for (const document of ours) {
      expect(() => decodeDocument(document.type as DocumentType, document)).not.toThrow();
      const vector = documentVectors.find(
        ({ raw }) => (JSON.parse(raw) as { type: string }).type === document.type,
      );
      const fields = new Set([...Object.keys(JSON.parse(vector?.raw ?? "{}")), "tag", "duroxideTs"]);
      if (document.type.endsWith("_queue")) fields.add("sequence");
      expect(Object.keys(document).filter((name) => !name.startsWith("_") && !fields.has(name))).toEqual([]);
    }
  });
});
