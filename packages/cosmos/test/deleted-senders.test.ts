/**
 * Tests what a deletion does about messages that its instances have sent (admin/settle-messages.ts, admin/deletion.ts).
 */
import {
  ack,
  createInstance,
  eventOf,
  fetchOrchestration,
  mustFetch,
  queueMessage,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import type { Actor } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("deleted-senders");

const CHILD = startItem("b", { parent_instance: "a", parent_id: 2 });
const CANCELLATION = { kind: "CancelInstance", instance: "b", reason: "dropped" } as const;
const BEGINS_CHILD = eventOf("SubOrchestrationScheduled", "a", 2, {
  name: "Child",
  instance: "b",
  input: "1",
});

/** "a" has sent these messages, and its process has died before it delivered them. */
async function sendAndDie(messages: readonly (typeof CHILD | typeof CANCELLATION)[]): Promise<void> {
  await createInstance(stage, "a");
  await stage.provider.enqueueForOrchestrator(queueMessage("a", "go"));
  const sender = await stage.openAnother();
  const turn = await mustFetch(sender);
  sender.trap.meanwhile(/^batch \["a"\]/, async () => sender.trap.forbidAfter(0));
  await ack(sender, turn, { orchestratorItems: messages, metadata: { status: "Completed" } });
}

/** A process has read these messages, and delivers them whatever has become of their sender. */
async function readUndelivered(): Promise<() => Promise<readonly number[]>> {
  const intents = (await allDocuments(stage.raw)).filter(({ type }) => type === "outbox_intent");
  const rows = intents.map(
    ({ payload }) => JSON.parse(String(payload)) as { id: string; instanceId: string },
  );
  return () =>
    Promise.all(
      rows.map(async (row) => {
        const receipt = { id: `receipt:${row.id}`, instanceId: row.instanceId, type: "receipt", source: "a" };
        const creates = [receipt, row].map(
          (resourceBody) => ({ operationType: "Create", resourceBody }) as const,
        );
        return (await stage.raw.items.batch(creates, row.instanceId)).code ?? 0;
      }),
    );
}

const deleteA = ({ provider }: Pick<Actor, "provider">) =>
  provider.admin.deleteInstance("a", { force: true });

// settle-messages.M1
it("a message to another instance arrives, although its sender is deleted before", async () => {
  await sendAndDie([startItem("other")]);
  await deleteA(stage);
  expect((await mustFetch(stage)).item).toMatchObject({
    instanceId: "other",
    messages: [startItem("other")],
  });
});

// settle-messages.M1
it("a message that its target refuses for good is deleted with its sender, with a warning", async () => {
  await sendAndDie([startItem("other")]);
  const deleting = await stage.openAnother();
  const full = { index: 0, status: 403, substatus: 1014 };
  deleting.trap.refuse((sent) =>
    sent.some(({ resourceBody }) => resourceBody?.type === "receipt") ? full : undefined,
  );
  expect(await deleteA(deleting)).toMatchObject({ instancesDeleted: 1 });
  expect(deleting.warnings).toContain("a message of a is deleted with it, because it is refused");
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

const UNKNOWN = { targetInstanceId: "b", payload: JSON.stringify({ id: "row", workItem: '{"Unknown":{}}' }) };

it.each([{}, UNKNOWN])("a message that cannot be decoded is deleted with its sender (%o)", async (fields) => {
  await createInstance(stage, "a");
  const intent = { id: "intent", instanceId: "a", type: "outbox_intent", status: "pending", ...fields };
  await stage.raw.items.create(intent);
  expect(await deleteA(stage)).toMatchObject({ instancesDeleted: 1 });
  expect(await allDocuments(stage.raw)).toEqual([]);
});

// settle-messages.M2
it("a message to a child that a process has under way is refused after the deletion", async () => {
  await sendAndDie([CHILD, CANCELLATION]);
  const deliver = await readUndelivered();
  expect(await deleteA(stage)).toMatchObject({ instancesDeleted: 1, queueMessagesDeleted: 2 });
  expect(await deliver()).toEqual([207, 207]);
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

// settle-messages.M2
it("a message to a child that arrived before the deletion is deleted, although its intent is still stored", async () => {
  await sendAndDie([CHILD, CANCELLATION]);
  expect(await (await readUndelivered())()).toEqual([200, 200]);
  expect(await deleteA(stage)).toMatchObject({ instancesDeleted: 1, queueMessagesDeleted: 2 });
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

// settle-messages.M2
it("the cancellation of a child that arrived before its start is deleted with it", async () => {
  await sendAndDie([CHILD]);
  await stage.provider.enqueueForOrchestrator(CANCELLATION);
  expect(await deleteA(stage)).toMatchObject({ queueMessagesDeleted: 2 });
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
});

// settle-messages.M3
it("messages are settled by another process, if the one that deletes their sender dies", async () => {
  await sendAndDie([startItem("other"), CHILD]);
  const deliver = await readUndelivered();
  const dying = await stage.openAnother();
  dying.trap.meanwhile(/^batch \["a"\] Create delete_intent/, async () => dying.trap.forbidAfter(0));
  await expect(deleteA(dying)).rejects.toThrow();
  await (await stage.openAnother()).provider.close();
  await stage.reconcile();
  expect(await deliver()).toEqual([207, 207]);
  const left = (await allDocuments(stage.raw)).filter(({ type }) => type === "orch_queue");
  expect(left.map(({ instanceId }) => instanceId)).toEqual(["other"]);
});

// settle-messages.M4
it("messages of a later instance with the id are left alone by a process that completes the deletion late", async () => {
  await createInstance(stage, "a", { historyDelta: [BEGINS_CHILD] });
  const dying = await stage.openAnother();
  dying.trap.meanwhile(/^batch \["a"\] Delete/, async () => dying.trap.forbidAfter(0));
  await expect(deleteA(dying)).rejects.toThrow();
  // The next pass meets the deletion, and leaves the new messages to a later one.
  await stage.clock.advance(14_000);
  await sendAndDie([CHILD]);
  await stage.reconcile();
  const deliver = await readUndelivered();
  expect(await deliver()).toEqual([200]);
  const other = await stage.openAnother();
  expect((await mustFetch(other)).item).toMatchObject({ instanceId: "b", messages: [CHILD] });
});

/** "a" has begun a child, whose start is queued, and a process that deletes "a" dies when it has marked it. */
async function dieWhileDeleting(): Promise<void> {
  await createInstance(stage, "a", { historyDelta: [BEGINS_CHILD] });
  await stage.provider.enqueueForOrchestrator(CHILD);
  const dying = await stage.openAnother();
  dying.trap.meanwhile(/^batch \["a"\] Create delete_intent/, async () => dying.trap.forbidAfter(0));
  await expect(deleteA(dying)).rejects.toThrow();
}

async function beginChild(): Promise<void> {
  const metadata = { orchestrationName: "Child", orchestrationVersion: "1.0.0", parentInstanceId: "a" };
  await ack(stage, await mustFetch(stage), { historyDelta: [started("b")], metadata });
}

// deletion.D4
it("a child that has not begun is deleted by the process that goes on with the deletion of its parent", async () => {
  await dieWhileDeleting();
  await stage.reconcile();
  expect(await allDocuments(stage.raw)).toEqual([]);
});

// deletion.D4
it("a child that has begun since is deleted by the process that goes on with the deletion of its parent", async () => {
  await dieWhileDeleting();
  await beginChild();
  await createInstance(stage, "c", { parentInstanceId: "b" });
  await stage.reconcile();
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
  expect((await allDocuments(stage.raw)).filter(({ type }) => type === "instance")).toEqual([]);
});

// deletion.D4
it("a child that was found by a process that died is deleted by the next one", async () => {
  await dieWhileDeleting();
  await beginChild();
  await createInstance(stage, "c", { parentInstanceId: "b" });
  const dying = await stage.openAnother();
  dying.trap.meanwhile(/^batch \["c"\] Delete/, async () => dying.trap.forbidAfter(0));
  await expect(deleteA(dying)).rejects.toThrow();
  await stage.reconcile();
  expect((await allDocuments(stage.raw)).filter(({ type }) => type !== "receipt")).toEqual([]);
});

// deletion.D4
it("the id of a deleted instance is free when its children are gone", async () => {
  await dieWhileDeleting();
  const restarting = await stage.openAnother();
  await restarting.provider.startInstance(startItem("a"), { ifExists: "fail", messages: [] });
  expect((await mustFetch(stage)).item).toMatchObject({ instanceId: "a", messages: [startItem("a")] });
  expect(await fetchOrchestration(stage)).toBeUndefined();
});
