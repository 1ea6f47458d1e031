/**
 * Activities that are fetched in the transaction in which a turn schedules them: they are inserted as locked rows
 * (open-activities.A1 to open-activities.A3). Each case has calls that share one transaction.
 */
import type { FetchedWork, FetchWorkOptions } from "@duroxide-ts/core/stores";
import {
  ack,
  activity,
  createInstance,
  fetchWork,
  mustFetch,
  mustFetchWork,
  raised,
  scheduled,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { type Fixture, inMemory, onFile, openMemory } from "./support/fixture.ts";

const ANY = { kind: "any" } as const;
const GPU = { kind: "tags", tags: ["gpu"] } as const;

/** A fetch that waits while the calls of a test are made. */
async function waiting(
  store: Fixture,
  more: Partial<FetchWorkOptions> = {},
): Promise<{ readonly fetched: Promise<FetchedWork | undefined> }> {
  const fetched = fetchWork(store, { pollTimeoutMs: 1_000, ...more });
  await store.clock.settle();
  return { fetched };
}

async function lockedTurn(store: Fixture, instance: string) {
  await createInstance(store, instance);
  await store.provider.enqueueForOrchestrator(raised(instance, "poke"));
  return mustFetch(store);
}

const idOf = (work: FetchedWork | undefined) => work && Number(work.item.id);

/** The ids of all activities that may be fetched, in the order of the queue. */
async function rest(store: Fixture): Promise<(number | undefined)[]> {
  const ids: (number | undefined)[] = [];
  for (let work = await fetchWork(store, { tagFilter: ANY }); work; ) {
    ids.push(idOf(work));
    work = await fetchWork(store, { tagFilter: ANY });
  }
  return ids;
}

describe("an activity that a waiting fetch takes in the transaction of its turn", () => {
  onFile("is one statement, and a locked row with one attempt", async (store) => {
    const turn = await lockedTurn(store, "i");
    const { fetched } = await waiting(store, { lockTimeoutMs: 5_000 });
    await ack(store, turn, { workerItems: [activity("i", 2), activity("i", 3)] });
    const work = await fetched;
    expect(work).toMatchObject({
      attemptCount: 1,
      lockedUntilMs: store.clock.now() + 5_000,
      item: activity("i", 2),
      orchestration: { name: "TestOrch", version: "1.0.0" },
    });
    const rows = "SELECT activity_id, attempt_count, due_at > 0 AS locked FROM worker_queue ORDER BY id";
    expect(store.openRaw().prepare(rows).all()).toEqual([
      { activity_id: 2, attempt_count: 1, locked: 1 },
      { activity_id: 3, attempt_count: 0, locked: 0 },
    ]);
    await store.provider.renewWorkItemLock(work?.lockToken ?? "", 5_000);
    await store.provider.ackWorkItem(work?.lockToken ?? "");
    expect(await rest(store)).toEqual([3]);
  });

  it("may be fetched again when the lock has ended, before those behind it (open-activities.A2)", async () => {
    await using store = await openMemory();
    const turn = await lockedTurn(store, "i");
    const { fetched } = await waiting(store, { lockTimeoutMs: 5_000 });
    await ack(store, turn, { workerItems: [activity("i", 2), activity("i", 3)] });
    await fetched;
    await store.clock.advance(5_000);
    const again = await mustFetchWork(store);
    expect([idOf(again), again.attemptCount]).toEqual([2, 2]);
  });

  inMemory("comes after one that is stored already (open-activities.A2)", async (store) => {
    const turn = await lockedTurn(store, "i");
    const { fetched } = await waiting(store);
    const stored = store.provider.enqueueForWorker(activity("i", 9));
    await Promise.all([stored, ack(store, turn, { workerItems: [activity("i", 2)] })]);
    expect(idOf(await fetched)).toBe(9);
    expect(await rest(store)).toEqual([2]);
  });

  it("comes before one that is queued by itself later (open-activities.A1, open-activities.A2)", async () => {
    await using store = await openMemory();
    const turn = await lockedTurn(store, "i");
    const acked = ack(store, turn, { workerItems: [activity("i", 2)] });
    await Promise.all([acked, store.provider.enqueueForWorker(activity("i", 9))]);
    expect(await rest(store)).toEqual([2, 9]);
  });

  it("keeps its place before one of another tag, which another fetch takes (open-activities.A2)", async () => {
    await using store = await openMemory();
    const turn = await lockedTurn(store, "i");
    const { fetched } = await waiting(store, { tagFilter: GPU });
    const workerItems = [activity("i", 2), activity("i", 3, { tag: "gpu" }), activity("i", 4)];
    await ack(store, turn, { workerItems });
    const work = await fetched;
    expect(idOf(work)).toBe(3);
    await store.provider.abandonWorkItem(work?.lockToken ?? "");
    expect(await rest(store)).toEqual([2, 3, 4]);
  });

  it("keeps its place before one of a session (open-activities.A1, open-activities.A3)", async () => {
    await using store = await openMemory();
    const turn = await lockedTurn(store, "i");
    const session = { ownerId: "o", lockTimeoutMs: 1_000 };
    const { fetched } = await waiting(store, { session });
    const workerItems = [activity("i", 2), activity("i", 3, { session_id: "s" }), activity("i", 4)];
    await ack(store, turn, { workerItems });
    expect(idOf(await fetched)).toBe(2);
    expect(idOf(await fetchWork(store, { session }))).toBe(3);
    expect(await rest(store)).toEqual([4]);
  });

  it("does not run where a turn of the same transaction cancels it (open-activities.A1)", async () => {
    await using store = await openMemory();
    const turn = await lockedTurn(store, "i");
    const other = await lockedTurn(store, "other");
    const { fetched } = await waiting(store);
    await Promise.all([
      ack(store, turn, {
        workerItems: [activity("i", 2), activity("i", 3)],
        historyDelta: [scheduled("i", 2)],
      }),
      ack(store, other, { cancelledActivities: [{ instanceId: "i", executionId: 1, activityId: 2 }] }),
    ]);
    expect(idOf(await fetched)).toBe(3);
    expect(await rest(store)).toEqual([]);
  });

  it("does not run where its instance is deleted in the same transaction (open-activities.A1)", async () => {
    await using store = await openMemory();
    const turn = await lockedTurn(store, "i");
    const { fetched } = await waiting(store);
    const acked = ack(store, turn, { workerItems: [activity("i", 2)] });
    await Promise.all([acked, store.provider.admin.deleteInstance("i", { force: true })]);
    await store.clock.advance(1_000);
    expect(await fetched).toBeUndefined();
  });

  inMemory("serves several fetches in their order", async (store) => {
    const turn = await lockedTurn(store, "i");
    const fetches = await Promise.all(Array.from({ length: 9 }, () => waiting(store)));
    const workerItems = Array.from({ length: 12 }, (_, n) => activity("i", n + 2));
    await ack(store, turn, { workerItems });
    const taken = await Promise.all(fetches.map(({ fetched }) => fetched));
    expect(taken.map(idOf)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await rest(store)).toEqual([11, 12, 13]);
  });
});
