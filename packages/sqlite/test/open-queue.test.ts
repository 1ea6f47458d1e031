/**
 * A turn that begins in the transaction in which its messages came, and comes back within it: they never become rows
 * (open-queue.Q1 to open-queue.Q5). Each case lets something else happen in between.
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import {
  ack,
  createInstance,
  fetchOrchestration,
  mustFetch,
  raised,
  scheduled,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { type FileFixture, onFile, openFile, proveTurnsShort } from "./support/fixture.ts";

interface EarlyTurn {
  readonly fetched: FetchedOrchestration;
  /** Settles with the transaction. */
  readonly sent: Promise<unknown>;
}

async function earlyTurn(store: FileFixture): Promise<EarlyTurn> {
  await proveTurnsShort(store);
  const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000, lockTimeoutMs: 10_000 });
  await store.clock.settle();
  const sent = store.provider.enqueueForOrchestrator(startItem("i"));
  const fetched = await waiting;
  if (fetched === undefined) return expect.fail("nothing was fetched");
  expect(store.openRaw().prepare("SELECT count(*) AS rows FROM instances").get()).toMatchObject({ rows: 0 });
  return { fetched, sent };
}

const METADATA = { orchestrationName: "T", orchestrationVersion: "1.0.0" };

function kindsOf({ item }: FetchedOrchestration): readonly string[] {
  return item.messages.map(({ kind }) => kind);
}

describe("a turn that begins before its lock is committed", () => {
  onFile("leaves a message that came after it began for the next turn (open-queue.Q5)", async (store) => {
    const { fetched, sent } = await earlyTurn(store);
    const late = store.provider.enqueueForOrchestrator(raised("i", "late"));
    const acked = ack(store, fetched, { historyDelta: [started("i")], metadata: METADATA });
    await Promise.all([sent, late, acked]);
    const next = await mustFetch(store);
    expect(kindsOf(next)).toEqual(["ExternalRaised"]);
    expect(next.attemptCount).toBe(1);
  });

  it("keeps its messages before a delayed one that came after it began (open-queue.Q3)", async () => {
    await using store = await openFile();
    const { fetched, sent } = await earlyTurn(store);
    const delayed = store.provider.enqueueForOrchestrator(raised("i", "delayed"), 1_000);
    await Promise.all([sent, delayed]);
    expect(kindsOf(fetched)).toEqual(["StartOrchestration"]);
    await store.clock.advance(10_000);
    expect(kindsOf(await mustFetch(store))).toEqual(["StartOrchestration", "ExternalRaised"]);
  });

  onFile("is counted where it is given back, and its messages wait (open-queue.Q2)", async (store) => {
    const { fetched, sent } = await earlyTurn(store);
    const givenBack = store.provider.abandonOrchestrationItem(fetched.lockToken, { delayMs: 5_000 });
    await Promise.all([sent, givenBack]);
    expect(await fetchOrchestration(store)).toBeUndefined();
    await store.clock.advance(5_000);
    const again = await mustFetch(store);
    expect(kindsOf(again)).toEqual(["StartOrchestration"]);
    expect(again.attemptCount).toBe(2);
  });

  onFile("is not counted where it is given back without an attempt (open-queue.Q2)", async (store) => {
    const { fetched, sent } = await earlyTurn(store);
    const givenBack = store.provider.abandonOrchestrationItem(fetched.lockToken, { ignoreAttempt: true });
    await Promise.all([sent, givenBack]);
    expect((await mustFetch(store)).attemptCount).toBe(1);
  });

  it("is counted once where it is renewed first and acknowledged never (open-queue.Q2)", async () => {
    await using store = await openFile();
    const { fetched, sent } = await earlyTurn(store);
    await Promise.all([sent, store.provider.renewOrchestrationItemLock(fetched.lockToken, 20_000)]);
    await store.clock.advance(19_999);
    expect(await fetchOrchestration(store)).toBeUndefined();
    await store.clock.advance(1);
    expect((await mustFetch(store)).attemptCount).toBe(2);
  });

  onFile("keeps its lock when its acknowledgement is refused (open-queue.Q4)", async (store) => {
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const { historyTag } = await createInstance(store, "i");
    await provider.enqueueForOrchestrator(raised("i", "first"));
    await ack(store, await mustFetch(store), { historyDelta: [scheduled("i", 2)] });
    await provider.enqueueForOrchestrator(raised("i", "second"));
    const { historyTag: tag = historyTag } = await ack(store, await mustFetch(store), {
      historyDelta: [scheduled("i", 3)],
    });
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000, heldHistory: () => tag });
    await clock.settle();
    const sent = provider.enqueueForOrchestrator(raised("i", "third"));
    const fetched = await waiting;
    if (fetched === undefined) return expect.fail("nothing was fetched");
    const refused = ack(store, fetched, { historyDelta: [scheduled("i", 2)] });
    await expect(refused).rejects.toMatchObject({ code: "duplicate-event" });
    await sent;
    await ack(store, fetched, { historyDelta: [scheduled("i", 4)] });
    expect(await provider.readHistory("i")).toHaveLength(4);
    expect(await fetchOrchestration(store)).toBeUndefined();
  });

  onFile("cannot commit into an instance that was deleted meanwhile (open-queue.Q2)", async (store) => {
    const { provider, clock } = store;
    await proveTurnsShort(store);
    const { historyTag: tag } = await createInstance(store, "i");
    const waiting = fetchOrchestration(store, { pollTimeoutMs: 1_000, heldHistory: () => tag });
    await clock.settle();
    const sent = provider.enqueueForOrchestrator(raised("i", "e"));
    const fetched = await waiting;
    if (fetched === undefined) return expect.fail("nothing was fetched");
    const deleted = provider.admin.deleteInstance("i", { force: true });
    const acked = ack(store, fetched, { historyDelta: [scheduled("i", 2)] });
    await expect(acked).rejects.toMatchObject({ code: "lock-lost" });
    await Promise.all([sent, deleted]);
    expect(await provider.getInstanceStatus("i")).toBeUndefined();
    expect(await provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 0 });
  });
});
