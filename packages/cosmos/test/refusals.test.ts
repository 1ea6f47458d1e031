/**
 * Checks that what the service refuses for good does not count as a sign that others were faster: it is reported with
 * its status, nothing is lost, and nothing is tried without a pause. 1014 is the sub-status of a logical partition that
 * is full.
 */
import type { FaultEffect, FaultMatch } from "@duroxide-ts/cosmos-emulator";
import {
  activity,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  queueMessage,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import { undecodableRow } from "./support/queue-row.ts";
import { serve } from "./support/stage.ts";
import { begin, carryOut, commit, fetchPlanned, finishWork, mustWork, settle } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("refusals");

const FULL: Extract<FaultEffect, { kind: "operationError" }> = {
  kind: "operationError",
  status: 403,
  substatus: 1014,
};

/** Batches of this stage's container. */
function refuse(effect: FaultEffect, match: FaultMatch = {}, next?: number): number {
  const { container } = stage.place;
  return stage.endpoint.faults.add({
    match: { operation: "item.batch", container, ...match },
    effect,
    ...(next !== undefined && { next }),
  });
}

/** Number of queries in ten seconds, in which a process that has nothing to do asks once a second. */
const MOST_QUERIES = 40;

const queriesMade = (): number => stage.trap.labels.filter((label) => label.startsWith("query")).length;

const hits = (id: number): number => stage.endpoint.faults.list().find((fault) => fault.id === id)?.hits ?? 0;

describe.each([
  [403, 1014],
  [413, undefined],
  [400, undefined],
])("a batch of which one operation is refused with %i/%s", (status, substatus) => {
  const effect = { kind: "operationError", status, ...(substatus && { substatus }) } as const;
  const told = substatus === undefined ? `${status}` : `${status}/${substatus}`;

  it.each(["start", "event", "queue message", "activity"])(
    "rejects an enqueued %s and stores nothing",
    async (what) => {
      const rule = refuse(effect);
      const { provider } = stage;
      const call: Promise<unknown> =
        what === "activity"
          ? provider.enqueueForWorker(activity("a", 2))
          : provider.enqueueForOrchestrator(
              what === "start"
                ? startItem("a")
                : what === "event"
                  ? raised("a", "e")
                  : queueMessage("a", "q"),
            );
      await expect(letTimePass(stage.clock, call)).rejects.toMatchObject({
        message: expect.stringContaining(`(${told})`) as string,
        operation: what === "activity" ? "enqueueForWorker" : "enqueueForOrchestrator",
      });
      expect(hits(rule)).toBeLessThanOrEqual(5);
      expect(await allDocuments(stage.raw)).toEqual([]);
    },
  );

  // commit.K5
  it("rejects the commit of a turn, which is done at the next attempt", async () => {
    await begin(stage, "a");
    const fetched = await fetchPlanned(stage, "a", { activities: [{ label: "x" }], end: true });
    const rule = refuse(effect);
    await expect(letTimePass(stage.clock, commit(stage, fetched))).rejects.toMatchObject({
      message: expect.stringContaining(`(${told})`) as string,
    });
    expect(hits(rule)).toBeLessThanOrEqual(30);
    stage.endpoint.faults.clear();
    await commit(stage, fetched);
    expect(await stage.provider.getInstanceStatus("a")).toMatchObject({ status: "Completed" });
  });
});

// commit.K3, commit.K5
it("a history event that the service refuses is not reported as one that is there already", async () => {
  await begin(stage, "a");
  const fetched = await fetchPlanned(stage, "a", { end: true });
  refuse({ ...FULL, operationType: "Create" });
  await expect(commit(stage, fetched)).rejects.toMatchObject({ code: "internal" });
});

it("a lock that the service refuses is reported, retried with pauses, and does not stop other instances", async () => {
  await begin(stage, "a", "b");
  await stage.provider.enqueueForOrchestrator(raised("a", "one"));
  const rule = refuse(FULL, { partitionKey: "a" });
  stage.trap.set(undefined);
  await stage.provider.enqueueForOrchestrator(raised("b", "two"));
  const served = await letTimePass(stage.clock, mustFetch(stage, { pollTimeoutMs: 5_000 }));
  expect(served.item.instanceId).toBe("b");
  await commit(stage, served);
  const fromMs = stage.clock.now();
  expect(
    await letTimePass(stage.clock, fetchOrchestration(stage, { pollTimeoutMs: 10_000 })),
  ).toBeUndefined();
  expect(hits(rule)).toBeLessThanOrEqual((12 * (stage.clock.now() - fromMs)) / 1_000);
  expect(queriesMade()).toBeLessThan(MOST_QUERIES);
  expect(stage.warnings).toContainEqual(expect.stringMatching(/403\/1014.*tried again in/));
  stage.endpoint.faults.clear();
  const again = await letTimePass(stage.clock, mustFetch(stage, { pollTimeoutMs: 60_000 }));
  expect(again.item.messages).toEqual([raised("a", "one")]);
});

it("the lock of an activity that the service refuses is tried with pauses", async () => {
  await begin(stage, "a", "b");
  await carryOut(stage, "a", { activities: [{ label: "x" }] });
  await carryOut(stage, "b", { activities: [{ label: "y" }] });
  const rule = refuse(FULL, { partitionKey: "a" });
  stage.trap.set(undefined);
  const other = await letTimePass(stage.clock, mustWork(stage));
  expect(other.item.instance).toBe("b");
  const none = fetchWork(stage, { pollTimeoutMs: 10_000, tagFilter: { kind: "any" } });
  expect(await letTimePass(stage.clock, none)).toBeUndefined();
  expect(hits(rule)).toBeLessThanOrEqual(120);
  expect(queriesMade()).toBeLessThan(MOST_QUERIES);
  expect(stage.warnings).toContainEqual(expect.stringContaining("403/1014"));
  stage.endpoint.faults.clear();
  await finishWork(stage, other);
  const again = fetchWork(stage, { pollTimeoutMs: 60_000, tagFilter: { kind: "any" } });
  expect((await letTimePass(stage.clock, again))?.item.instance).toBe("a");
});

// fetch-work-item.FW3
it("an activity that can neither be decoded nor put aside keeps no other from being found", async () => {
  await stage.raw.items.create(undecodableRow("worker_queue", "full"));
  const rule = refuse(FULL, { partitionKey: "full" });
  await stage.provider.enqueueForWorker(activity("b", 2));
  const other = await stage.openAnother();
  const options = { pollTimeoutMs: 5_000, tagFilter: { kind: "any" } } as const;
  const found = await letTimePass(stage.clock, fetchWork({ ...stage, ...other }, options));
  expect(found?.item.instance).toBe("b");
  await other.provider.ackWorkItem(found?.lockToken ?? "");
  const none = fetchWork({ ...stage, ...other }, { ...options, pollTimeoutMs: 60_000 });
  expect(await letTimePass(stage.clock, none)).toBeUndefined();
  expect(hits(rule)).toBeLessThan(10);
  expect(other.warnings).toContainEqual(expect.stringMatching(/403\/1014.*tried again in 1 s/));
  stage.endpoint.faults.clear();
  expect(
    await letTimePass(stage.clock, fetchWork({ ...stage, ...other }, { ...options, pollTimeoutMs: 120_000 })),
  ).toBeUndefined();
  expect((await allDocuments(stage.raw)).map(({ type }) => type)).toContain("dead_letter");
});

it("where the service refuses every lock, the fetch fails", async () => {
  await begin(stage, "a", "b", "c", "d");
  for (const id of ["a", "b", "c", "d"]) await stage.provider.enqueueForOrchestrator(raised(id, "one"));
  refuse(FULL);
  const fetch = letTimePass(stage.clock, fetchOrchestration(stage, { pollTimeoutMs: 5_000 }));
  await expect(fetch).rejects.toMatchObject({ code: "internal" });
});

it("a delivery that is refused for a while keeps its intent, is reported, and arrives afterwards", async () => {
  await begin(stage, "a");
  refuse(FULL, { partitionKey: "child" });
  await letTimePass(stage.clock, carryOut(stage, "a", { children: [{ id: "child" }] }));
  expect(stage.warnings).toContainEqual(expect.stringMatching(/not delivered yet.*403\/1014/));
  const intents = (await allDocuments(stage.raw)).filter(({ type }) => type === "outbox_intent");
  expect(intents).toMatchObject([{ status: "pending", targetInstanceId: "child" }]);
  await stage.clock.advance(5_000);
  stage.endpoint.faults.clear();
  await stage.clock.advance(60_000);
  const child = await mustFetch(stage);
  expect(child.item.instanceId).toBe("child");
  await commit(stage, child);
  await stage.clock.advance(60_000);
  await commit(stage, await mustFetch(stage));
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

it("a message behind one that is refused for good is delivered, and not abandoned with it", async () => {
  await begin(stage, "a", "b");
  const messages = ["refused", "behind"].map((name) => ({ to: "b", name }));
  const fetched = await fetchPlanned(stage, "a", { messages });
  stage.trap.refuse((operations) => {
    const isRefused = operations.some(({ resourceBody }) =>
      JSON.stringify(resourceBody ?? {}).includes("refused"),
    );
    return isRefused && operations[0]?.resourceBody?.type === "receipt" ? { index: 0, ...FULL } : undefined;
  });

  await commit(stage, fetched);
  await serveFor(60);

  const intents = (await allDocuments(stage.raw)).filter(({ type }) => type === "outbox_intent");
  expect(intents).toMatchObject([{ status: "dead", attemptCount: 10 }]);
  expect(stage.warnings.filter((text) => text.includes("was abandoned"))).toHaveLength(1);
  stage.trap.refuse(undefined);
});

/** Passes of the reconciler come at most once a minute. */
async function serveFor(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await serve(stage.provider);
    await stage.clock.advance(60_000);
    await stage.trap.idle();
  }
}

it("a delivered message that cannot be removed is reported once, and its removal is tried again with pauses", async () => {
  await begin(stage, "a");
  const fetched = await fetchPlanned(stage, "a", { children: [{ id: "child" }] });
  let refused = 0;
  stage.trap.refuse(([first]) => {
    if (first?.operationType !== "Delete" || first.id?.startsWith("intent:") !== true) return undefined;
    refused++;
    return { index: 0, ...FULL };
  });
  await commit(stage, fetched);
  await serveFor(20);
  const told = stage.warnings.filter((text) => text.includes("be removed"));
  expect(told).toEqual([expect.stringMatching(/1 delivered message.*\(deliver\).*403\/1014.*tried again/)]);
  expect(refused).toBeGreaterThan(10);
  expect(refused).toBeLessThan(40);

  stage.trap.refuse(undefined);
  await serveFor(3);
  const intents = (await allDocuments(stage.raw)).filter(({ type }) => type === "outbox_intent");
  expect(intents.filter(({ targetInstanceId }) => targetInstanceId === "child")).toEqual([]);
});

it("an instance whose pruning is refused is reported while others are pruned", async () => {
  await begin(stage, "a", "b");
  for (const id of ["a", "b"]) await carryOut(stage, id, { continueAsNew: true });
  await settle(stage);
  refuse(FULL, { partitionKey: "b" });
  const pruned = stage.provider.admin.pruneInstances({}, { keepLast: 1 });
  expect(await letTimePass(stage.clock, pruned)).toMatchObject({ executionsDeleted: 1 });
  expect(stage.warnings).toEqual([expect.stringMatching(/not pruned.*403\/1014/)]);
});

it.each([
  [449, undefined],
  [429, 3200],
  [403, 3],
])("an operation that is refused for now (%i/%s) is repeated", async (status, substatus) => {
  const effect = { kind: "operationError", status, ...(substatus && { substatus }) } as const;
  const rule = refuse(effect, {}, 2);
  await letTimePass(stage.clock, stage.provider.enqueueForOrchestrator(startItem("a")));
  expect(hits(rule)).toBe(0);
  expect((await mustFetch(stage)).item.instanceId).toBe("a");
});
