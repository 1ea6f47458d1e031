/** Counts by status come from the totals of the file, not from its instances (count-statuses.CS1). */
import { type ListedStatus, SCHEDULE_ORCHESTRATION } from "@duroxide-ts/core/stores";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  failed,
  mustFetch,
  started,
  startItem,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect } from "vitest";
import { type FileFixture, onFile } from "./support/fixture.ts";

const NAMED = { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" };

async function countsOf({ provider }: FileFixture, status?: readonly ListedStatus[]): Promise<object> {
  const { counts } = await provider.admin.countInstances({ ...(status && { status }) }, ["status"]);
  return Object.fromEntries(counts.map(({ key, count }) => [key[0], count]));
}

async function listed({ provider }: FileFixture): Promise<object> {
  const tally: Record<string, number> = {};
  const { instances } = await provider.admin.queryInstances();
  for (const { status } of instances) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
}

async function scheduleFor(store: FileFixture, id: string, startsAtMs: number): Promise<void> {
  await store.provider.enqueueForOrchestrator(startItem(id, { start_at_ms: startsAtMs }));
  const first = { historyDelta: [started(id, 1, { start_at_ms: startsAtMs })], metadata: NAMED };
  await ack(store, await mustFetch(store), first);
}

onFile("are those of the list after every change of a status", async (store) => {
  const { provider } = store;
  const ended = async (id: string, status: "Completed" | "Failed", output = "{}"): Promise<void> => {
    await createInstance(store, id);
    await turn(store, id, { metadata: { status, output } });
  };
  await createInstance(store, "running");
  await ended("completed", "Completed");
  await createInstance(store, "declined");
  await turn(store, "declined", {
    historyDelta: [failed("declined", 2, "no")],
    metadata: { status: "Failed", output: "no" },
  });
  await ended("cancelled", "Failed", "canceled: no longer wanted");
  await createInstance(store, "again");
  await continueAsNew(store, "again", 2);
  await ended("revived", "Completed");
  await provider.appendHistory("revived", 2, [started("revived", 2)]);
  await ended("late", "Failed");
  await complete(store, "late");
  await ended("deleted", "Completed");
  await provider.admin.deleteInstance("deleted");
  await scheduleFor(store, "later", store.clock.now() + 60_000);
  await scheduleFor(store, "begun", store.clock.now() + 1_000);
  await createInstance(store, "held");
  store
    .openRaw()
    .exec("UPDATE instances SET held_since = 5, limit_key = 'k' WHERE instance_id IN ('held', 'later')");
  for (const id of ["schedule", "schedule-of-old"])
    await createInstance(store, id, { metadata: { ...NAMED, orchestrationName: SCHEDULE_ORCHESTRATION } });
  await complete(store, "schedule-of-old");
  await provider.appendHistory("schedule-of-old", 2, [started("schedule-of-old", 2)]);
  await store.clock.advance(1_000);
  const expected = { Running: 4, Scheduled: 1, Waiting: 1, Completed: 2, Failed: 1, Cancelled: 1 };
  expect(await listed(store)).toEqual(expected);
  expect(await countsOf(store)).toEqual(expected);
  expect(await countsOf(store, ["Failed", "Waiting"])).toEqual({ Waiting: 1, Failed: 1 });
  expect((await provider.admin.countInstances({ status: ["Running"] })).counts).toEqual([
    { key: [], count: 4 },
  ]);
  expect((await provider.admin.countInstances()).counts).toEqual([{ key: [], count: 10 }]);
});

onFile("read no instance of those that only run or have ended", async (store) => {
  store.openRaw().exec("UPDATE totals SET instances = 9, running = 4, completed = 3, failed = 2");
  expect(await countsOf(store)).toEqual({ Running: 4, Completed: 3, Failed: 2 });
});

/** Stores instances of the name "n" that have completed. */
function storeMany(store: FileFixture, count: number): void {
  store.openRaw().exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO instances
      (instance_id, orchestration_name, orchestration_version, status, created_at, updated_at, starts_at)
      SELECT 'i' || i, 'n', '1.0.0', 'Completed', i, i, i FROM n`);
}

/** Rounds of the event loop until the end of a count. */
async function roundsOf(count: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  const next = (): void => {
    rounds++;
    again = setImmediate(next);
  };
  let again = setImmediate(next);
  await count();
  clearImmediate(again);
  return rounds;
}

onFile("read no instance whose delayed start is over", async (store) => {
  storeMany(store, 50_000);
  await scheduleFor(store, "later", store.clock.now() + 60_000);
  expect(await roundsOf(async () => expect(await countsOf(store)).toEqual({ Scheduled: 1 }))).toBe(0);
});

onFile("by name let the event loop run between their steps", async (store) => {
  storeMany(store, 50_000);
  const rounds = await roundsOf(async () => {
    const { counts } = await store.provider.admin.countInstances({}, ["name"]);
    expect(counts).toEqual([{ key: ["n"], count: 50_000 }]);
  });
  expect(rounds).toBeGreaterThanOrEqual(2);
});
