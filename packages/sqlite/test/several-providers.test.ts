/** Several providers on one file: each sees the others' commits, and waits for a file that is in use. */
import {
  ack,
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  raised,
  scheduled,
  startItem,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { onFile, openFile } from "./support/fixture.ts";

describe("two providers on one file", () => {
  onFile("acknowledge and renew for each other, since a token says all", async (store) => {
    const other = await store.openAnother();
    await createInstance(store, "i");
    await store.provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await mustFetch(other);
    await store.provider.renewOrchestrationItemLock(fetched.lockToken, 60_000);
    await ack(store, fetched, { historyDelta: [scheduled("i", 2)] });
    expect(await other.provider.readHistory("i")).toHaveLength(2);
    await expect(ack(other, fetched)).rejects.toMatchObject({ code: "lock-lost" });
  });

  it("notify each other's fetches within the poll interval (wake-ups.U1)", async () => {
    await using store = await openFile({ pollIntervalMs: 50 });
    const other = await store.openAnother();
    const waiting = fetchOrchestration(other, { pollTimeoutMs: 10_000 });
    await store.clock.advance(500);
    await store.provider.enqueueForOrchestrator(startItem("i"));
    let settledAtMs = Number.POSITIVE_INFINITY;
    void waiting.then(() => {
      settledAtMs = store.clock.now();
    });
    const sentAtMs = store.clock.now();
    await store.clock.advance(100);
    expect(settledAtMs - sentAtMs).toBeLessThanOrEqual(50);
    expect((await waiting)?.item.instanceId).toBe("i");
  });

  it("notify each other's workers, and of timers and locks that the other wrote (wake-ups.U2, searches.X2)", async () => {
    await using store = await openFile();
    const { provider, clock } = store;
    const other = await store.openAnother();
    const work = fetchWork(other, { pollTimeoutMs: 100_000 });
    await clock.advance(500);
    await provider.enqueueForWorker(activity("i", 1));
    await clock.advance(50);
    expect((await work)?.item.id).toBe(1);
    const orchestration = fetchOrchestration(other, { pollTimeoutMs: 100_000 });
    await clock.advance(500);
    await provider.enqueueForOrchestrator(startItem("i"), 2_000);
    await clock.advance(2_000);
    const { lockToken } = given(await orchestration, "the start");
    const next = fetchOrchestration(store, { pollTimeoutMs: 100_000 });
    await other.provider.renewOrchestrationItemLock(lockToken, 60_000);
    await clock.advance(60_000);
    expect(await next).toMatchObject({ attemptCount: 2 });
  });

  onFile("take no lock while nothing is committed (searches.X1)", async (store) => {
    const { clock } = store;
    await createInstance(store, "i");
    const waiting = Promise.all([
      fetchOrchestration(store, { pollTimeoutMs: 60_000 }),
      fetchWork(store, { pollTimeoutMs: 60_000 }),
    ]);
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    await clock.advance(60_000);
    expect(await waiting).toEqual([undefined, undefined]);
    raw.exec("ROLLBACK");
  });
});

describe("while another process writes", () => {
  it("calls wait, and succeed when it has finished", async () => {
    await using store = await openFile({ busyTimeoutMs: 1_000 });
    const { provider, clock } = store;
    await createInstance(store, "i");
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    const sent = provider.enqueueForOrchestrator(raised("i", "e"));
    await clock.advance(100);
    expect(await provider.getInstanceStatus("i")).toBeDefined();
    raw.exec("COMMIT");
    await clock.advance(40);
    await sent;
    expect(await fetchOrchestration(store)).toBeDefined();
  });

  it("calls give up after the busy timeout, each by its own time, with an error that may be retried", async () => {
    await using store = await openFile({ busyTimeoutMs: 200 });
    const { provider, clock } = store;
    await createInstance(store, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await mustFetch(store);
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    const first = provider.enqueueForOrchestrator(raised("i", "one"));
    const refused = expect(first).rejects.toMatchObject({
      code: "unavailable",
      operation: "enqueueForOrchestrator",
      retryable: true,
    });
    await clock.advance(150);
    const second = ack(store, fetched, { historyDelta: [scheduled("i", 2)] });
    await clock.advance(100);
    await refused;
    raw.exec("COMMIT");
    await clock.advance(40);
    await second;
    expect(await provider.readHistory("i")).toHaveLength(2);
    expect(await fetchOrchestration(store)).toBeUndefined();
  });

  it("a fetch says that there is nothing, or that it could not search (parked-fetches.P1)", async () => {
    await using store = await openFile({ busyTimeoutMs: 200 });
    const { provider, clock } = store;
    await createInstance(store, "i");
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    expect(await fetchOrchestration(store)).toBeUndefined();
    const sent = provider.enqueueForOrchestrator(raised("i", "later"), 60_000);
    expect(await fetchOrchestration(store)).toBeUndefined();
    raw.exec("COMMIT");
    await clock.advance(40);
    await sent;
    await turn(store, "i", { orchestratorItems: [raised("i", "e")] });
    raw.exec("BEGIN IMMEDIATE");
    const failing = expect(fetchOrchestration(store)).rejects.toMatchObject({ code: "unavailable" });
    await clock.advance(250);
    await failing;
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 10_000 });
    await clock.advance(300);
    raw.exec("COMMIT");
    await clock.advance(40);
    expect(await waiting).toMatchObject({ attemptCount: 1 });
  });

  it("a provider that is closed writes what it was given first (store.S1)", async () => {
    await using store = await openFile({ busyTimeoutMs: 1_000 });
    const other = await store.openAnother();
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    const sent = other.provider.enqueueForOrchestrator(startItem("i"));
    const closed = other.provider[Symbol.asyncDispose]();
    await store.clock.advance(100);
    raw.exec("COMMIT");
    await store.clock.advance(40);
    await Promise.all([sent, closed]);
    expect((await mustFetch(store)).item.instanceId).toBe("i");
  });
});
