/**
 * Tests what a deletion and a restart do to the children of the instance (admin/late-children.ts,
 * docs/decisions/cosmos-deletions.md).
 */
import {
  ack,
  createInstance,
  fetchOrchestration,
  mustFetch,
  queueMessage,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("deleted-children");

/** The query for what a partition owns. */
const OWNED = /^query \["a"\] ?$/;

const answerTo = (parent: string) =>
  ({
    kind: "SubOrchCompleted",
    parent_instance: parent,
    parent_execution_id: 1,
    parent_id: 2,
    result: "1",
  }) as const;

const childOf = (parent: string) => startItem("b", { parent_instance: parent, parent_id: 2 });

/** "a" exists again, as a later instance with the id. */
async function startAgain(): Promise<void> {
  await stage.clock.advance(1);
  await createInstance(stage, "a");
}

it("a child that begins before the batch is deleted", async () => {
  await createInstance(stage, "a");
  const deleting = await stage.openAnother();
  deleting.trap.meanwhile(OWNED, () => createInstance(stage, "b", { parentInstanceId: "a" }));
  expect(await deleting.provider.admin.deleteInstance("a", { force: true })).toMatchObject({
    instancesDeleted: 2,
  });
  expect(await allDocuments(stage.raw)).toEqual([]);
});

// late-children.C1
it("a child that begins before the batch is deleted with its own children", async () => {
  await createInstance(stage, "a");
  const deleting = await stage.openAnother();
  deleting.trap.meanwhile(OWNED, async () => {
    await createInstance(stage, "b", { parentInstanceId: "a" });
    await createInstance(stage, "c", { parentInstanceId: "b" });
    await stage.provider.enqueueForOrchestrator(startItem("d", { parent_instance: "c", parent_id: 2 }));
  });
  expect(await deleting.provider.admin.deleteInstances({ instanceIds: ["a"] })).toMatchObject({
    instancesDeleted: 0,
  });
  expect(await deleting.provider.admin.deleteInstance("a", { force: true })).toMatchObject({
    instancesDeleted: 3,
    queueMessagesDeleted: 1,
  });
  expect(await allDocuments(stage.raw)).toEqual([]);
});

it("the answer of a child that arrives after the batch is deleted", async () => {
  await createInstance(stage, "a");
  const deleting = await stage.openAnother();
  deleting.trap.loseAnswerOf(/^batch \["a"\] Delete/, () =>
    stage.provider.enqueueForOrchestrator(answerTo("a")),
  );
  await deleting.provider.admin.deleteInstance("a", { force: true });
  expect(await allDocuments(stage.raw)).toEqual([]);
});

it("the answer of a child that began before the batch and ends after it is deleted", async () => {
  await createInstance(stage, "a");
  const deleting = await stage.openAnother();
  deleting.trap.meanwhile(OWNED, () => createInstance(stage, "b", { parentInstanceId: "a" }));
  deleting.trap.meanwhile(/^batch \["b"\] Delete/, () =>
    stage.provider.enqueueForOrchestrator(answerTo("a")),
  );
  await deleting.provider.admin.deleteInstance("a", { force: true });
  expect(await allDocuments(stage.raw)).toEqual([]);
});

// late-children.C2
it("a child of a later instance with the id stays, and its answer", async () => {
  await createInstance(stage, "a");
  const deleting = await stage.openAnother();
  deleting.trap.loseAnswerOf(/^batch \["a"\] Delete/, async () => {
    await startAgain();
    await createInstance(stage, "b", { parentInstanceId: "a" });
    await stage.provider.enqueueForOrchestrator(answerTo("a"));
  });
  await deleting.provider.admin.deleteInstance("a", { force: true });
  expect((await allDocuments(stage.raw)).map(({ id }) => id)).toContain("b:instance");
  expect((await mustFetch(stage)).item.messages).toMatchObject([{ kind: "SubOrchCompleted" }]);
});

// late-children.C2
it("the queued start of a child of a later instance with the id stays", async () => {
  await createInstance(stage, "a");
  const deleting = await stage.openAnother();
  deleting.trap.loseAnswerOf(/^batch \["a"\] Delete/, async () => {
    await startAgain();
    await stage.provider.enqueueForOrchestrator(childOf("a"));
  });
  await deleting.provider.admin.deleteInstance("a", { force: true });
  expect((await mustFetch(stage)).item.instanceId).toBe("b");
});

it("what was noted about a child that has not begun is deleted", async () => {
  await createInstance(stage, "a");
  await stage.provider.enqueueForOrchestrator(childOf("a"));
  const { lockToken } = await mustFetch(stage);
  const blocked = { reason: "missing-orchestration", detail: "no worker has it" } as const;
  await stage.provider.abandonOrchestrationItem(lockToken, { blocked, delayMs: 1_000 });
  await stage.provider.admin.deleteInstance("a", { force: true });
  expect(await allDocuments(stage.raw)).toEqual([]);
});

it("a child that begins while its queue is read is deleted", async () => {
  await createInstance(stage, "a");
  await stage.provider.enqueueForOrchestrator(childOf("a"));
  const deleting = await stage.openAnother();
  deleting.trap.meanwhile(/^query \["b"\]/, async () =>
    ack(stage, await mustFetch(stage), {
      historyDelta: [started("b")],
      metadata: { orchestrationName: "Child", orchestrationVersion: "1.0.0", parentInstanceId: "a" },
    }),
  );
  const deletion = deleting.provider.admin.deleteInstance("a", { force: true });
  expect(await letTimePass(stage.clock, deletion)).toMatchObject({ instancesDeleted: 2 });
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

// deletion.D4
it("a restart deletes the queued child of the earlier life, and not that of the next one", async () => {
  await createInstance(stage, "a");
  await stage.provider.enqueueForOrchestrator(queueMessage("a", "end"));
  const ending = await mustFetch(stage);
  await ack(stage, ending, { orchestratorItems: [childOf("a")], metadata: { status: "Completed" } });
  const restarting = await stage.openAnother();
  restarting.trap.meanwhile(/^batch \["a"\] Delete, Upsert/, async () => {
    await stage.clock.advance(1);
    const turn = await mustFetch(stage);
    const metadata = { orchestrationName: "Parent", orchestrationVersion: "1.0.0" };
    await ack(stage, turn, { historyDelta: [started("a")], orchestratorItems: [childOf("a")], metadata });
  });
  await restarting.provider.startInstance(startItem("a"), { ifExists: "restart", messages: [] });
  expect((await mustFetch(stage)).item).toMatchObject({ instanceId: "b", messages: [childOf("a")] });
  expect(await fetchOrchestration(stage)).toBeUndefined();
});
