/** Statements that work without a limit pays while rows wait for a full key (docs/decisions/limits.md). */
import { StatementSync } from "node:sqlite";
import {
  ack,
  activity,
  createInstance,
  fetchWork,
  mustFetch,
  raised,
  scheduled,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { type Fixture, openFile } from "./support/fixture.ts";

const METHODS = ["run", "get", "all"] as const;

/** The statements that `act` runs. */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  let statements = 0;
  const originals = METHODS.map((method) => [method, StatementSync.prototype[method]] as const);
  for (const [method, original] of originals) {
    Object.assign(StatementSync.prototype, {
      [method](this: StatementSync, ...values: never[]) {
        statements++;
        return Reflect.apply(original, this, values);
      },
    });
  }
  try {
    await act();
  } finally {
    Object.assign(StatementSync.prototype, Object.fromEntries(originals));
  }
  return statements;
}

/** Searches for activities in a step: where the fetch is parked, and where the activity is stored. */
const SEARCHES = 2;

/** A turn that schedules an activity, and its outcome. */
async function step(store: Fixture, eventId: number): Promise<void> {
  const work = fetchWork(store, { pollTimeoutMs: 1_000 });
  await store.provider.enqueueForOrchestrator(raised("i", "e"));
  const turn = await mustFetch(store);
  await ack(store, turn, {
    historyDelta: [scheduled("i", eventId)],
    workerItems: [activity("i", eventId)],
  });
  await store.provider.ackWorkItem((await work)?.lockToken ?? "");
}

it("a search for work costs one statement more while ranked work waits, however many keys and rows wait", async () => {
  await using store = await openFile();
  await createInstance(store, "i");
  await step(store, 2);
  const alone = await statementsOf(() => step(store, 4));
  for (const [n, key] of ["a", "b", "c"].entries()) {
    await store.provider.limits?.setLimit(key, { rule: { concurrency: 1 }, perMs: 0 });
    const workerItems = [2, 3, 4, 5].map((id) => activity(key, id, { limit: key }));
    await createInstance(store, key, { workerItems });
    expect(await fetchWork(store)).toBeDefined();
    expect(await fetchWork(store)).toBeUndefined();
    await step(store, 6 + 4 * n);
    expect(await statementsOf(() => step(store, 8 + 4 * n))).toBe(alone + SEARCHES);
  }
});
