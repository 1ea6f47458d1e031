/**
 * Instances and sessions whose ids Rust cannot use (`isForRust` of src/documents/ids.ts). One row of theirs that Rust
 * meets fails each of its fetches.
 */
import { Client } from "@duroxide-ts/core";
import { fetchWork, given } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { allDocuments, type Document } from "./invariants/documents.ts";
import { LOCK_MS, START_MS } from "./support/stage.ts";
import {
  begin,
  carryOut,
  fetchPlanned,
  fetchTurn,
  finishWork,
  mustWork,
  settle,
  work,
} from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("not-for-rust");

/**
 * Sends Rust's queries for work: `find_candidate_orch_item`, `find_candidate_work_item` and `query_pending_intents` of
 * duroxide-cdb.
 */
async function metByRust(nowMs: number): Promise<readonly string[]> {
  const query = `SELECT VALUE c.instanceId FROM c WHERE (c.type IN ('orch_queue', 'worker_queue') AND c.visibleAt <= @now
      AND (NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @now))
    OR (c.type = 'outbox_intent' AND c.status = 'pending' AND c.createdAt <= @now)`;
  const parameters = [{ name: "@now", value: nowMs }];
  const { resources } = await stage.raw.items.query<string>({ query, parameters }).fetchAll();
  return [...new Set(resources)];
}

const ofType = async (type: string): Promise<readonly Document[]> =>
  (await allDocuments(stage.raw)).filter((each) => each.type === type);

/** Long after every lock. */
const LATER_MS = START_MS + 100 * LOCK_MS;

it.each(["tenant/42", 'a"b', "a\u0001b"])(
  "an instance %j is served here, and Rust does not meet it",
  async (id) => {
    await begin(stage, id, "plain");
    await fetchPlanned(stage, id, { activities: [{ label: "one" }], children: [{ id: "child" }] });
    expect(await ofType("orch_queue")).toHaveLength(1);
    expect(await metByRust(LATER_MS)).toEqual([]);
    await stage.clock.advance(LOCK_MS + 1);
    await settle(stage);
    expect(await metByRust(LATER_MS)).not.toContain(id);
    const lost = await mustWork(stage);
    expect(await metByRust(LATER_MS)).not.toContain(id);
    await stage.clock.advance(LOCK_MS + 1);
    const other = { ...stage, ...(await stage.openAnother()) };
    const again = given(await fetchWork(other), "no activity");
    expect([again.attemptCount, again.lockToken === lost.lockToken]).toEqual([2, false]);
    await other.provider.abandonWorkItem(again.lockToken);
    expect(await metByRust(LATER_MS)).not.toContain(id);
    await finishWork(other, given(await fetchWork(other), "no activity"));
    expect((await fetchTurn(other))?.item.instanceId).toBe(id);
  },
);

it("operators see no lock on a row that Rust does not meet", async () => {
  await begin(stage, "tenant/42");
  await carryOut(stage, "tenant/42", { activities: [{ label: "one" }] });
  const { admin } = new Client(stage.provider);
  const [free] = (await admin.work({ kind: "worker", overdueByMs: 0 })).work;
  expect(free).not.toHaveProperty("lockedUntilMs");
  expect(await admin.queueDepths()).toMatchObject({ workerQueue: 1 });
  await mustWork(stage);
  expect((await admin.work({ kind: "worker" })).work).toMatchObject([
    { visibleAtMs: START_MS, lockedUntilMs: START_MS + LOCK_MS },
  ]);
});

it.each([
  ["a/b", "plain"],
  ["plain", "a/b"],
])("a message from %j to %j is delivered here, and Rust does not meet it", async (source, target) => {
  await begin(stage, source, target);
  const match = { operation: "item.batch", partitionKey: target } as const;
  stage.endpoint.faults.add({ match, effect: { kind: "error", status: 403, substatus: 1014 } });
  await carryOut(stage, source, { messages: [{ to: target, name: "told" }] });
  expect(await ofType("outbox_intent")).toHaveLength(1);
  expect(await metByRust(LATER_MS)).toEqual([]);
  stage.endpoint.faults.clear();
  await stage.clock.advance(60_000);
  const fetched = given(await fetchTurn(stage), "no turn");
  expect(fetched.item).toMatchObject({ instanceId: target, messages: [{ name: "told" }] });
});

it("an activity of a session with such an id is not met by Rust", async () => {
  await begin(stage, "plain");
  await carryOut(stage, "plain", { activities: [{ label: "one", session: "a/b" }] });
  expect(await metByRust(LATER_MS)).toEqual([]);
  await finishWork(stage, given(await work(stage, "first"), "no activity"));
});

it("rows that Rust can serve are stored as before", async () => {
  await begin(stage, "plain");
  await carryOut(stage, "plain", { activities: [{ label: "one" }] });
  expect(await metByRust(START_MS)).toEqual(["plain"]);
  expect((await ofType("worker_queue"))[0]).not.toHaveProperty("lockedUntil");
});
