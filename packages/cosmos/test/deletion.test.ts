/** Deletions and prunings beside starts, other processes and deaths (docs/decisions/cosmos-deletions.md). */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import {
  ack,
  createInstance,
  given,
  mustFetch,
  queueMessage,
  scheduled,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, describe, expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import { planned } from "./support/plan.ts";
import type { Actor } from "./support/stage.ts";
import { begin, carryOut, commit, finishWork, mustWork, settle } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("deletion");

/** The query for what a partition owns. */
const OWNED = /^query \["a"\] ?$/;
/** The query for the executions of an instance. */
const EXECUTIONS = /^query \["a"\].* execution/;
/** The query for what a pruning deletes. */
const PRUNED = OWNED;

async function idsOf(instanceId: string): Promise<readonly string[]> {
  return (await allDocuments(stage.raw)).filter((each) => each.instanceId === instanceId).map(({ id }) => id);
}

/** "a" runs again, as a later instance with the id. */
async function startAgain(instanceId = "a"): Promise<void> {
  await stage.clock.advance(1);
  await createInstance(stage, instanceId);
}

/** "a" has ended. While the process reads what it owns, another one deletes it and starts it again. */
async function openWhereEndedRunsAgain(): Promise<Actor> {
  await createInstance(stage, "a");
  await stage.provider.enqueueForOrchestrator(queueMessage("a", "end"));
  await ack(stage, await mustFetch(stage), { metadata: { status: "Completed" } });
  const deleting = await stage.openAnother();
  deleting.trap.meanwhile(OWNED, async () => {
    await stage.provider.admin.deleteInstance("a");
    await startAgain();
  });
  return deleting;
}

describe("an instance whose documents fit one batch", () => {
  it("is deleted by one batch", async () => {
    await createInstance(stage, "a");
    stage.trap.set(undefined);
    await stage.provider.admin.deleteInstance("a", { force: true });
    expect(stage.trap.labels.filter((label) => label.startsWith("batch"))).toEqual(['batch ["a"] Delete']);
    expect(await idsOf("a")).toEqual([]);
  });

  it("leaves a start that comes before the batch", async () => {
    await createInstance(stage, "a");
    const deleting = await stage.openAnother();
    deleting.trap.meanwhile(OWNED, () => stage.provider.enqueueForOrchestrator(startItem("a")));
    await deleting.provider.admin.deleteInstance("a", { force: true });
    expect((await mustFetch(stage)).item.messages).toMatchObject([{ kind: "StartOrchestration" }]);
  });

  it("is deleted with the outcome of an activity that ends before the batch", async () => {
    await begin(stage, "a");
    await carryOut(stage, "a", { activities: [{ label: "x" }] });
    const work = await mustWork(stage);
    const deleting = await stage.openAnother();
    deleting.trap.meanwhile(OWNED, () => finishWork(stage, work));
    await deleting.provider.admin.deleteInstance("a", { force: true });
    expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  });

  // delete-with-guard.G2
  it("is deleted with the session whose activity is locked before the batch", async () => {
    await begin(stage, "a");
    await carryOut(stage, "a", { activities: [{ label: "x", session: "s" }] });
    const deleting = await stage.openAnother();
    deleting.trap.meanwhile(OWNED, () => mustWork(stage));
    await letTimePass(stage.clock, deleting.provider.admin.deleteInstance("a", { force: true }));
    expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  });

  it("is not deleted if it begins to run again", async () => {
    const deleting = await openWhereEndedRunsAgain();
    await expect(deleting.provider.admin.deleteInstance("a")).rejects.toMatchObject({
      code: "instance-still-running",
    });
    expect(await idsOf("a")).toContain("a:instance");
  });

  it("is not found if another process deletes it first", async () => {
    await createInstance(stage, "a");
    const deleting = await stage.openAnother();
    deleting.trap.meanwhile(/^GET docs \["a"\]/, () =>
      stage.provider.admin.deleteInstance("a", { force: true }),
    );
    await expect(deleting.provider.admin.deleteInstance("a", { force: true })).rejects.toMatchObject({
      code: "instance-not-found",
    });
  });

  it("is counted once if the answer is lost", async () => {
    await createInstance(stage, "a");
    stage.trap.loseAnswerOf(/^batch \["a"\] Delete/, async () => {});
    const deletion = stage.provider.admin.deleteInstance("a", { force: true });
    expect(await deletion).toMatchObject({ instancesDeleted: 1, eventsDeleted: 1 });
  });
});

// delete-with-guard.G2
it("a deletion ends although its query always has several pages", async () => {
  await begin(stage, "a", "b");
  await carryOut(stage, "a", { continueAsNew: true });
  await settle(stage);
  const match = { operation: "item.query", container: stage.place.container } as const;
  stage.endpoint.faults.add({
    match: { ...match, partitionKey: "a" },
    effect: { kind: "shortPage", items: 1 },
  });
  await letTimePass(
    stage.clock,
    stage.provider.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 }),
  );
  expect(await stage.provider.admin.listExecutions("a")).toMatchObject([{ executionId: 2 }]);
  await letTimePass(stage.clock, stage.provider.admin.deleteInstance("a", { force: true }));
  stage.endpoint.faults.clear();
  expect((await idsOf("a")).filter((id) => !id.startsWith("receipt:"))).toEqual([]);
});

it("a deletion of many leaves a root that begins to run again", async () => {
  const deleting = await openWhereEndedRunsAgain();
  expect(await deleting.provider.admin.deleteInstances({})).toMatchObject({ instancesDeleted: 0 });
  expect(await idsOf("a")).toContain("a:instance");
});

it("a deletion of many asks for the late children of five hundred at a time", async () => {
  const metadata = { status: "Completed", output: "{}" } as const;
  for (let n = 0; n < 501; n++) await createInstance(stage, `i${n}`, { metadata });
  stage.trap.set(undefined);
  expect(await stage.provider.admin.deleteInstances({})).toMatchObject({ instancesDeleted: 501 });
  expect(stage.trap.labels.filter((label) => label === "query orch_queue, instance")).toHaveLength(2);
  expect(await allDocuments(stage.raw)).toEqual([]);
});

describe("a tree", () => {
  beforeEach(plantTree);

  it("is deleted with a child that comes meanwhile", async () => {
    const deleting = await stage.openAnother();
    deleting.trap.meanwhile(/^GET docs \["c"\]/, () => createInstance(stage, "d", { parentInstanceId: "c" }));
    expect(await deleting.provider.admin.deleteInstance("a", { force: true })).toMatchObject({
      instancesDeleted: 4,
    });
    expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  });

  it("is deleted by two processes, which count each instance and event once", async () => {
    const other = await stage.openAnother();
    const results = await Promise.all(
      [stage, other].map(({ provider }) =>
        provider.admin.deleteInstance("a", { force: true }).catch(() => undefined),
      ),
    );
    const sum = (name: "instancesDeleted" | "eventsDeleted"): number =>
      results.reduce((total, each) => total + (each?.[name] ?? 0), 0);
    expect([sum("instancesDeleted"), sum("eventsDeleted")]).toEqual([3, 123]);
  });

  it("is deleted without a later instance, by a process that goes on after another has completed it", async () => {
    const slow = await stage.openAnother();
    slow.trap.meanwhile(OWNED, async () => {
      // Completes the deletion first.
      await stage.provider.startInstance(startItem("a"), { ifExists: "fail", messages: [] });
      await stage.clock.advance(1);
      const metadata = { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" };
      await ack(stage, await mustFetch(stage), { historyDelta: [started("a")], metadata });
    });
    await slow.provider.admin.deleteInstance("a", { force: true });
    expect(await idsOf("a")).toEqual(expect.arrayContaining(["a:instance", "a:history:1:1"]));
  });

  it("is deleted without a later instance, if the process died at its end", async () => {
    await dieAfter((labels) => labels.findLastIndex((label) => label.startsWith("batch")) - 1);
    await startAgain();
    await stage.reconcile();
    expect(await idsOf("a")).toEqual(expect.arrayContaining(["a:instance", "a:history:1:1"]));
    expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  });

  /**
   * A replica that lags behind does not show an instance to the first read of the process that goes on (deletion.D5).
   */
  it.each(["a", "b", "c"])("is deleted although the first read does not find %j", async (instanceId) => {
    await dieAfter((labels) => labels.findIndex(isMarking("a")));
    const match = {
      operation: "item.read",
      container: stage.place.container,
      partitionKey: [instanceId],
    } as const;
    stage.endpoint.faults.add({ match, next: 1, effect: { kind: "error", status: 404 } });
    await stage.reconcile();
    expect(stage.endpoint.faults.list()).toEqual([]);
    expect(await allDocuments(stage.raw)).toEqual([]);
  });

  it("is deleted although another process changes its root, and replicas do not show that", async () => {
    await dieAfter((labels) => labels.findIndex(isMarking("a")));
    const match = { operation: "item.read", container: stage.place.container, partitionKey: ["a"] } as const;
    stage.trap.meanwhile(OWNED, async () => {
      await stage.raw.item("a:instance", "a").patch([{ op: "set", path: "/type", value: "instance" }]);
      stage.endpoint.faults.add({ match, effect: { kind: "staleRead", writesBehind: 1 } });
    });
    await letTimePass(stage.clock, stage.reconcile());
    expect(await allDocuments(stage.raw)).toEqual([]);
  });

  // deletion.D2
  it("is deleted after an older deletion that a process left at its end", async () => {
    await dieAfter((labels) => labels.findLastIndex((label) => label.startsWith("batch")) - 1);
    await stage.clock.advance(1);
    await plantTree();
    expect(await stage.provider.admin.deleteInstance("a", { force: true })).toMatchObject({
      instancesDeleted: 3,
    });
    expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  });

  // deletion.D1
  it.each(["a", "c"])("is deleted without a start of %j that came after the mark", async (instanceId) => {
    await dieAfter((labels) => labels.findIndex(isMarking(instanceId)));
    await stage.provider.enqueueForOrchestrator(startItem(instanceId));
    await stage.provider.enqueueForOrchestrator(queueMessage(instanceId, "hello"));
    await stage.reconcile();
    const other = await stage.openAnother();
    const fetched = await mustFetch(other);
    expect(fetched.item.messages.map(({ kind }) => kind)).toEqual(["StartOrchestration", "QueueMessage"]);
    await ack(other, fetched, { historyDelta: [started(instanceId)] });
    const left = await allDocuments(stage.raw);
    expect(left.filter(({ type }) => type === "instance")).toMatchObject([{ instanceId }]);
    expect(leftoversIn(left)).toEqual([]);
  });

  it("is deleted with what its activity sends after the mark, beside a start", async () => {
    let work: FetchedWork | undefined;
    await dieAfter(
      (labels) => labels.findIndex(isMarking("a")),
      async () => {
        await stage.provider.enqueueForOrchestrator(planned("a", { activities: [{ label: "x" }] }));
        await commit(stage, await mustFetch(stage));
        work = await mustWork(stage);
      },
    );
    await stage.provider.enqueueForOrchestrator(startItem("a"));
    await finishWork(stage, given(work, "no activity"));
    await stage.reconcile();
    const { item } = await mustFetch(await stage.openAnother());
    expect(item.messages).toMatchObject([{ kind: "StartOrchestration" }]);
  });

  const isMarking =
    (instanceId: string) =>
    (label: string): boolean =>
      label.startsWith(`batch ["${instanceId}"] Create delete_intent`);

  /** Another process dies after this request of the deletion. */
  async function dieAfter(
    select: (labels: readonly string[]) => number,
    prepare: () => Promise<void> = async () => {},
  ): Promise<void> {
    const rehearsing = await stage.openAnother();
    rehearsing.trap.set(undefined);
    await rehearsing.provider.admin.deleteInstance("a", { force: true });
    const last = select(rehearsing.trap.labels);
    await stage.clock.advance(1);
    await plantTree();
    await prepare();
    const dying = await stage.openAnother();
    dying.trap.forbidAfter(last + 1);
    await expect(dying.provider.admin.deleteInstance("a", { force: true })).rejects.toThrow();
  }
});

/** "c" has more events than one batch deletes. */
async function plantTree(): Promise<void> {
  await createInstance(stage, "a");
  await createInstance(stage, "b", { parentInstanceId: "a" });
  const historyDelta = Array.from({ length: 120 }, (_, n) => scheduled("c", n + 2));
  await createInstance(stage, "c", { parentInstanceId: "b", historyDelta });
}

it("a pruning that goes on after its instance was deleted leaves a later instance with the id alone", async () => {
  await createOld();
  const slow = await stage.openAnother();
  slow.trap.meanwhile(PRUNED, async () => {
    await stage.provider.admin.deleteInstance("a", { force: true });
    await stage.clock.advance(1);
    await createOld();
  });
  await slow.provider.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 });
  expect(await idsOf("a")).toContain("a:history:1:1");
});

it("a pruning that begins after its instance was deleted leaves a later instance with the id alone", async () => {
  await createOld();
  const slow = await stage.openAnother();
  slow.trap.meanwhile(EXECUTIONS, async () => {
    await stage.provider.admin.deleteInstance("a", { force: true });
    await startAgain();
  });
  const pruned = slow.provider.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 });
  expect(await letTimePass(stage.clock, pruned)).toMatchObject({ executionsDeleted: 0 });
  expect(await idsOf("a")).toContain("a:history:1:1");
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

it("a pruning completes an older one first", async () => {
  await createOld();
  const dying = await stage.openAnother();
  dying.trap.meanwhile(/^batch \["a"\] Create prune_intent/, async () => dying.trap.forbidAfter(0));
  await expect(
    dying.provider.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 }),
  ).rejects.toThrow();
  await carryOut(stage, "a", { continueAsNew: true });
  await settle(stage);
  expect(await stage.provider.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 })).toMatchObject({
    executionsDeleted: 2,
  });
  expect(await stage.provider.admin.listExecutions("a")).toMatchObject([{ executionId: 3 }]);
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

/** "a" in its second execution. */
async function createOld(): Promise<void> {
  await begin(stage, "a");
  await carryOut(stage, "a", { continueAsNew: true });
  await settle(stage);
}
