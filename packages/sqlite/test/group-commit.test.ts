/**
 * Operations of one event-loop turn share a transaction, but neither failures nor refusals
 * (docs/decisions/sqlite-commits.md).
 */
import type { CancelTimer } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import {
  ack,
  activity,
  createInstance,
  eventOf,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  raised,
  scheduled,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { onFile, openFile, openMemory, proveTurnsShort } from "./support/fixture.ts";

const KB = 1024;

const large = (kb: number): string => "x".repeat(kb * KB);

describe("of many operations at the same time", () => {
  it("those that are refused change nothing and do not disturb the others (writer.W3)", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const id of ["a", "b", "c"]) await createInstance(store, id);
    for (const id of ["a", "b", "c"]) await provider.enqueueForOrchestrator(raised(id, "e"));
    const [a, b, c] = [await mustFetch(store), await mustFetch(store), await mustFetch(store)];
    const outcomes = await Promise.allSettled([
      ack(store, a, { historyDelta: [scheduled("a", 2)], metadata: { status: "Completed", output: "" } }),
      ack(store, b, { historyDelta: [started("b"), scheduled("b", 2)], workerItems: [activity("b", 2)] }),
      provider.admin.deleteInstance("c"),
      provider.renewWorkItemLock("1.0.unknown", 1_000),
      ack(store, c, { historyDelta: [scheduled("c", 2)] }),
      provider.admin.deleteInstance("a"),
    ]);
    expect(outcomes.map((each) => (each.status === "fulfilled" ? "ok" : each.reason.code))).toEqual([
      "ok",
      "duplicate-event",
      "instance-still-running",
      "lock-lost",
      "ok",
      "ok",
    ]);
    expect(await provider.readHistory("b")).toHaveLength(1);
    expect(await provider.readHistory("c")).toHaveLength(2);
    expect(await provider.admin.getSystemMetrics()).toMatchObject({ totalInstances: 2, totalEvents: 3 });
    await ack(store, b, { historyDelta: [scheduled("b", 2)] });
  });

  it("one that does not fit on the disk leaves room for those that do (writer.W3)", async () => {
    await using store = await openFile({ maxSizeBytes: 512 * KB });
    const { provider } = store;
    await createInstance(store, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await mustFetch(store);
    const output = large(1024);
    const [first, huge, last] = await Promise.allSettled([
      provider.enqueueForOrchestrator(startItem("one")),
      ack(store, fetched, {
        historyDelta: [scheduled("i", 2), eventOf("OrchestrationCompleted", "i", 3, { output })],
        workerItems: [activity("i", 2)],
      }),
      provider.enqueueForOrchestrator(startItem("two")),
    ]);
    expect([first.status, last.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(huge).toMatchObject({ status: "rejected", reason: { code: "store-full", retryable: false } });
    expect(await provider.readHistory("i")).toEqual([started("i")]);
    expect(await provider.admin.getQueueDepths()).toMatchObject({ workerQueue: 0 });
    await ack(store, fetched, { historyDelta: [scheduled("i", 2)] });
    const ids = [await mustFetch(store), await mustFetch(store)].map(({ item }) => item.instanceId);
    expect(ids).toEqual(["one", "two"]);
  });
});

describe("a full disk", () => {
  it("loses nothing that was acknowledged, and refuses the rest until there is room (writer.W1)", async () => {
    await using store = await openFile({ maxSizeBytes: 512 * KB });
    const stored: string[] = [];
    for (let n = 0; ; n++) {
      const item = { ...startItem(`i-${n}`), input: large(10) };
      try {
        await store.provider.enqueueForOrchestrator(item);
        stored.push(item.instance);
      } catch (error) {
        expect(error).toMatchObject({ code: "store-full", operation: "enqueueForOrchestrator" });
        break;
      }
    }
    expect(stored.length).toBeGreaterThan(20);
    expect((await store.provider.admin.getQueueDepths()).orchestratorQueue).toBe(stored.length);
    const roomy = await store.openAnother({ maxSizeBytes: 1024 * KB });
    const fetched: string[] = [];
    for (let next = await fetchOrchestration(roomy); next; next = await fetchOrchestration(roomy)) {
      fetched.push(next.item.instanceId);
      await ack(roomy, next, { metadata: { orchestrationName: "T", orchestrationVersion: "1.0.0" } });
    }
    expect(fetched).toEqual(stored);
    await store.provider.enqueueForOrchestrator(startItem("now there is room"));
  });
});

describe("a fetch", () => {
  onFile("is served by the transaction that makes it possible (parked-fetches.P6)", async (store) => {
    const { provider } = store;
    await createInstance(store, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await mustFetch(store);
    const raw = store.openRaw();
    const version = (): unknown => raw.prepare("PRAGMA data_version").get();
    const before = version();
    const work = provider.fetchWorkItem({
      lockTimeoutMs: 1_000,
      pollTimeoutMs: 1_000,
      tagFilter: { kind: "default-only" },
    });
    await store.clock.settle();
    expect(version()).toEqual(before);
    const acked = ack(store, fetched, { workerItems: [activity("i", 2)] });
    await acked;
    const rows = raw.prepare("SELECT attempt_count, lock_token IS NULL AS free FROM worker_queue").all();
    expect(rows.map((row) => ({ ...row }))).toEqual([{ attempt_count: 1, free: 0 }]);
    expect(await work).toBeDefined();
  });

  onFile("that finds nothing writes nothing", async (store) => {
    await createInstance(store, "i");
    const raw = store.openRaw();
    const before = raw.prepare("PRAGMA data_version").get();
    raw.exec("BEGIN IMMEDIATE");
    expect(await fetchOrchestration(store)).toBeUndefined();
    raw.exec("ROLLBACK");
    expect(raw.prepare("PRAGMA data_version").get()).toEqual(before);
  });
});

describe("a turn that begins before its lock is committed", () => {
  interface State {
    readonly committed: number;
    readonly locked: number;
  }

  it("is that of a client's message in the same transaction; both commit with its result (parked-fetches.P4)", async () => {
    await using store = await openFile();
    await proveTurnsShort(store);
    const raw = store.openRaw();
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    await store.clock.settle();
    const sent = store.provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await waiting;
    expect(raw.prepare("SELECT count(*) AS rows FROM instances").get()).toMatchObject({ rows: 0 });
    if (fetched === undefined) return expect.fail("nothing fetched");
    await ack(store, fetched, { historyDelta: [started("i")] });
    await sent;
    expect(raw.prepare("SELECT count(*) AS rows FROM history").get()).toMatchObject({ rows: 1 });
  });

  it("is never the first of its orchestration, of which nothing is known (early-turns.E1)", async () => {
    await using store = await openFile();
    const raw = store.openRaw();
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    await store.clock.settle();
    const sent = store.provider.enqueueForOrchestrator(startItem("i"));
    await waiting;
    expect(raw.prepare("SELECT count(lock_token) AS locked FROM instances").get()).toMatchObject({
      locked: 1,
    });
    raw.exec("BEGIN IMMEDIATE; ROLLBACK");
    await sent;
  });

  onFile("belongs to an instance whose history the caller has in memory", async (store) => {
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const { historyTag: tag } = await createInstance(store, "i", { workerItems: [activity("i", 2)] });
    const raw = store.openRaw();
    const state = (): State =>
      raw
        .prepare(
          "SELECT (SELECT count(*) FROM orchestrator_queue) AS committed, (SELECT count(lock_token) FROM instances) AS locked",
        )
        .get() as unknown as State;
    const held = { pollTimeoutMs: 1_000, heldHistory: () => tag };
    const warm = fetchOrchestration(store, held);
    await clock.settle();
    const work = await provider.fetchWorkItem({
      lockTimeoutMs: 1_000,
      pollTimeoutMs: 0,
      tagFilter: { kind: "default-only" },
    });
    void provider.ackWorkItem(work?.lockToken ?? "", {
      kind: "ActivityCompleted",
      instance: "i",
      execution_id: 1,
      id: 2,
      result: "",
    });
    await warm;
    expect({ ...state() }).toEqual({ committed: 0, locked: 0 });
    await clock.advance(30_000);
    expect((await mustFetch(store)).attemptCount).toBe(2);
  });

  it("never loses the count of an attempt in a crash, because the lock is committed first", async () => {
    await using store = await openFile();
    const { provider, clock } = store;
    await createInstance(store, "i");
    const raw = store.openRaw();
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    await clock.settle();
    void provider.enqueueForOrchestrator(raised("i", "e"));
    await waiting;
    const another = fetchOrchestration(store, { pollTimeoutMs: 60_000 });
    await clock.advance(30_000);
    await another;
    const row = raw.prepare("SELECT attempt_count FROM orchestrator_queue").get();
    expect(row).toMatchObject({ attempt_count: 2 });
  });

  it.each(["time is over", "provider is closed"])(
    "loses no lock of another fetch whose %s meanwhile",
    async (ending) => {
      const deadlines: (() => void)[] = [];
      const clock = new (class extends VirtualClock {
        override schedule(delayMs: number, callback: () => void): CancelTimer {
          if (delayMs === 1_234) deadlines.push(callback);
          return super.schedule(delayMs, callback);
        }
      })();
      await using store = await openFile({ clock });
      const { provider } = store;
      await proveTurnsShort(store);
      const turn = fetchOrchestration(store, { pollTimeoutMs: 60_000 });
      const work = fetchWork(store, { pollTimeoutMs: 1_234 });
      await clock.settle();
      const sent = Promise.all([
        provider.enqueueForOrchestrator(startItem("i")),
        provider.enqueueForWorker(activity("i", 1)),
      ]);
      expect(await turn).toBeDefined();
      if (ending === "time is over") deadlines[0]?.();
      else await provider.close();
      await sent;
      expect(await work).toMatchObject({ attemptCount: 1 });
    },
  );

  it("fails with its transaction, and the message is there for the next one (writer.W4)", async () => {
    await using store = await openFile({ maxSizeBytes: 512 * KB });
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    await clock.settle();
    const sent = provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await waiting;
    if (fetched === undefined) return expect.fail("nothing fetched");
    const historyDelta = [started("i", 1, { input: large(1024) })];
    await expect(ack(store, fetched, { historyDelta })).rejects.toMatchObject({ code: "lock-lost" });
    await sent;
    const again = await mustFetch(store);
    expect([again.item.messages.length, again.attemptCount]).toEqual([1, 1]);
    await ack(store, again, { historyDelta: [started("i")] });
    expect(await provider.readHistory("i")).toEqual([started("i")]);
  });

  onFile("is not visible to reads before the commit (writer.W2)", async (store) => {
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000 });
    await clock.settle();
    void provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await waiting;
    if (fetched === undefined) return expect.fail("nothing fetched");
    const order: string[] = [];
    const metadata = { orchestrationName: "T", orchestrationVersion: "1.0.0" };
    const acked = ack(store, fetched, { historyDelta: [started("i")], metadata }).then(() =>
      order.push("ack"),
    );
    const read = provider.getInstanceStatus("i").then((status) => order.push(`read ${status?.status}`));
    await Promise.all([acked, read]);
    expect(order.sort()).toEqual(["ack", "read Running"]);
  });
});
