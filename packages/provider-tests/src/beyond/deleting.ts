/** Deleting by list and by date, in parts, and beside live work (hazards W11, W46 and W50). */
import { casesOf, type ProviderCase } from "../case.ts";
import { checkDeleted, createCompleted, createFamily } from "../catalogue/instance-steps.ts";
import { activity, continueItem, raised, started, startItem } from "../messages.ts";
import { executionInfo, instanceIds } from "../reads.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  fetchWork,
  firstTurn,
  mustFetch,
  turn,
} from "../steps.ts";

/** Their deletion takes longer than a turn. */
const OTHERS = 30;

const CANCELLED = { kind: "CancelInstance", instance: "child", reason: "no more" } as const;

export const deleting: readonly ProviderCase[] = casesOf("deleting", {
  async "live instances that were continued are not taken for finished ones"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    await check.rejects(admin.deleteInstance("a"), "instance-still-running", "a delete without force");
    check.equal((await admin.deleteInstances({})).instancesDeleted, 0, "a bulk delete");
    check.equal((await provider.getInstanceStatus("a"))?.status, "Running", "the status");
  },

  async "a tree with a running part is kept whole, unless the deletion is forced"(context) {
    const { provider, check, admin } = context;
    await createFamily(context);
    await createInstance(context, "busy", { parentInstanceId: "leaf", workerItems: [activity("busy", 2)] });
    await provider.enqueueForOrchestrator(raised("left", "late"));
    await check.rejects(admin.deleteInstance("root"), "instance-still-running", "a delete without force");
    check.equal((await instanceIds(admin)).length, 5, "instances after it");
    const counts = { instancesDeleted: 5, executionsDeleted: 5, eventsDeleted: 5, queueMessagesDeleted: 2 };
    check.equal(await admin.deleteInstance("root", { force: true }), counts, "what is deleted with force");
  },

  async "a child whose parent does not exist is deleted like a root, alone and in bulk"(context) {
    const { provider, check, admin } = context;
    for (const id of ["one", "two", "three"]) {
      await createInstance(context, id, { parentInstanceId: "gone" });
      if (id !== "three") await complete(context, id);
    }
    check.equal((await admin.deleteInstance("one")).instancesDeleted, 1, "a deletion");
    check.equal((await admin.deleteInstances({ instanceIds: ["two"] })).instancesDeleted, 1, "by a list");
    await check.rejects(admin.deleteInstance("three"), "instance-still-running", "one that runs");
    await complete(context, "three");
    check.equal((await admin.deleteInstances({})).instancesDeleted, 1, "a deletion of all");
    await createInstance(context, "gone");
    await createInstance(context, "one", { parentInstanceId: "gone" });
    await complete(context, "one");
    await check.rejects(admin.deleteInstance("one"), "sub-orchestration", "one whose parent exists");
    check.present(await provider.getInstanceStatus("one"), "the child");
  },

  async "the queued starts of children go with their parent"(context) {
    const { provider, check, admin } = context;
    const start = startItem("child", { parent_instance: "parent", parent_id: 2 });
    await createInstance(context, "parent", { orchestratorItems: [start, startItem("other")] });
    const metadata = { status: "Completed", output: "{}" } as const;
    const other = await mustFetch(context);
    await provider.abandonOrchestrationItem(other.lockToken);
    await provider.enqueueForOrchestrator(raised("parent", "last"));
    for (let next = await fetchOrchestration(context); next; next = await fetchOrchestration(context)) {
      if (next.item.instanceId === "parent") await ack(context, next, { metadata });
      else await provider.abandonOrchestrationItem(next.lockToken, { delayMs: 500 });
    }
    const { instancesDeleted, queueMessagesDeleted } = await admin.deleteInstance("parent");
    check.equal([instancesDeleted, queueMessagesDeleted], [1, 1], "instances and messages");
    await context.time.pass(600);
    check.equal((await mustFetch(context)).item.instanceId, "other", "what is left to fetch");
    check.absent(await fetchOrchestration(context), "a fetch of the child");
  },

  async "what was sent to a child that has not begun goes with its parent, and does not reach a later one"(
    context,
  ) {
    const { provider, check, admin } = context;
    const start = startItem("child", { parent_instance: "parent", parent_id: 2 });
    const early = raised("child", "early");
    const send = () => provider.enqueueForOrchestrator(early, 0, { messageId: "one" });
    await createInstance(context, "parent", { orchestratorItems: [start] });
    await provider.enqueueForOrchestrator(CANCELLED);
    await send();
    const { queueMessagesDeleted } = await admin.deleteInstance("parent", { force: true });
    check.equal(queueMessagesDeleted, 3, "messages");
    await createInstance(context, "parent", { orchestratorItems: [start] });
    await send();
    check.equal((await mustFetch(context)).item.messages, [start, early], "what the later child receives");
  },

  async "a child whose first turn runs does not begin after its parent was deleted"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "parent");
    await provider.enqueueForOrchestrator(startItem("child", { parent_instance: "parent", parent_id: 2 }));
    const held = await mustFetch(context);
    await admin.deleteInstance("parent", { force: true });
    const commit = firstTurn(context, held, { parentInstanceId: "parent" });
    await check.rejects(commit, "lock-lost", "its commit");
    check.absent(await provider.getInstanceStatus("child"), "the child");
    await provider.enqueueForOrchestrator(startItem("child"));
    check.equal((await mustFetch(context)).item.messages, [startItem("child")], "a later instance");
  },

  async "what was sent to a child stays if another parent starts it too"(context) {
    const { provider, check, admin } = context;
    const startOf = (parent: string) => startItem("child", { parent_instance: parent, parent_id: 2 });
    await createInstance(context, "parent");
    await createInstance(context, "other");
    const kept = [startOf("other"), CANCELLED];
    for (const item of [startOf("parent"), ...kept]) await provider.enqueueForOrchestrator(item);
    const { queueMessagesDeleted } = await admin.deleteInstance("parent", { force: true });
    check.equal(queueMessagesDeleted, 1, "messages");
    check.equal((await mustFetch(context)).item.messages, kept, "what the child receives");
  },

  async "a filter may name an instance twice or one that is not there"(context) {
    const { check, admin } = context;
    for (const id of ["a", "b", "c"]) await createCompleted(context, id);
    checkDeleted(context, await admin.deleteInstances({ instanceIds: [] }), 0);
    checkDeleted(context, await admin.deleteInstances({ instanceIds: ["a", "b", "b", "nobody"] }), 2);
    check.equal(await instanceIds(admin), ["c"], "what is left");
  },

  async "an instance between two executions runs, so it is deleted by force only"(context) {
    const { check, admin } = context;
    await createInstance(context, "a");
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "next" },
      orchestratorItems: [continueItem("a")],
    });
    await check.rejects(admin.deleteInstance("a"), "instance-still-running", "deleting it");
    const later = Number.MAX_SAFE_INTEGER;
    for (const filter of [{}, { instanceIds: ["a"] }, { completedBeforeMs: later }, { idPrefix: "a" }])
      checkDeleted(context, await admin.deleteInstances(filter), 0);
    check.equal(await instanceIds(admin, { completedBeforeMs: later }), [], "those that have ended");
    check.equal(await instanceIds(admin), ["a"], "what is left");
    checkDeleted(context, await admin.deleteInstance("a", { force: true }), 1);
  },

  async "a deletion by filter leaves a root of which a child has not ended"(context) {
    const { check, admin } = context;
    for (const id of ["root", "other"]) await createCompleted(context, id);
    await createCompleted(context, "child", { parentInstanceId: "root" });
    await createInstance(context, "leaf", { parentInstanceId: "child" });
    checkDeleted(context, await admin.deleteInstances({}), 1);
    check.equal((await instanceIds(admin)).toSorted(), ["child", "leaf", "root"], "what is left");
    await turn(context, "leaf", { metadata: { status: "Completed", output: "{}" } });
    checkDeleted(context, await admin.deleteInstances({}), 3);
  },

  async "a deletion by filter deletes only what matches every condition"(context) {
    const { check, admin } = context;
    await createInstance(context, "old", {
      version: "2.0.0",
      metadata: { status: "Completed", output: "{}" },
    });
    await createCompleted(context, "kept");
    await createInstance(context, "failed", { metadata: { status: "Failed", output: "{}" } });
    await createInstance(context, "running", { version: "2.0.0" });
    checkDeleted(context, await admin.deleteInstances({ version: ["2.0.0"] }), 1);
    checkDeleted(context, await admin.deleteInstances({ status: ["Failed"], idPrefix: "f" }), 1);
    checkDeleted(context, await admin.deleteInstances({ status: ["Running"] }), 0);
    checkDeleted(context, await admin.deleteInstances({ name: [] }), 0);
    check.equal(await instanceIds(admin), ["running", "kept"], "what is left");
  },

  async "all conditions of a bulk delete must hold, and what ended at the very instant of its date stays"(
    context,
  ) {
    const { check, admin } = context;
    for (const id of ["a", "b"]) await createCompleted(context, id);
    const { completedAtMs = 0 } = await executionInfo(admin, "a", 1);
    const remove = async (completedBeforeMs: number): Promise<number> =>
      (await admin.deleteInstances({ instanceIds: ["a", "nobody"], completedBeforeMs })).instancesDeleted;
    check.equal(await remove(completedAtMs), 0, "with the instant of the end");
    check.equal(await remove(completedAtMs + 1), 1, "with the next one");
    check.equal(await instanceIds(admin), ["b"], "what is left");
  },

  async "the limit of a bulk delete counts roots, and may be zero"(context) {
    const { check, admin } = context;
    await createFamily(context);
    check.equal((await admin.deleteInstances({}, { limit: 0 })).instancesDeleted, 0, "of no root");
    check.equal(
      (await admin.deleteInstances({}, { limit: 1 })).instancesDeleted,
      4,
      "of one root with its tree",
    );
  },

  async "a bulk delete by date goes by the end of the instance, not by later messages"(context) {
    const { check, admin, time } = context;
    await createInstance(context, "a");
    await complete(context, "a");
    await time.pass(50);
    const completedBeforeMs = time.now();
    await time.pass(50);
    await turn(context, "a");
    check.equal((await admin.deleteInstances({ completedBeforeMs })).instancesDeleted, 1, "instances");
  },

  async "a bulk delete by date leaves an instance that begins and ends anew while it deletes others"(
    context,
  ) {
    const { provider, check, admin, time } = context;
    for (let n = 0; n < OTHERS; n++) await createCompleted(context, `other-${n}`);
    // The last one, because the oldest end is deleted first.
    await createCompleted(context, "anew");
    await time.pass(50);
    const deleting = admin.deleteInstances({ completedBeforeMs: time.now() });
    await provider.startInstance(startItem("anew"), { ifExists: "restart", messages: [] });
    await createCompleted(context, "anew");
    await deleting;
    check.equal(await instanceIds(admin), ["anew"], "what is left");
  },

  async "a child of a deleted instance is deleted with it, in any partition"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "root");
    await createInstance(context, "child", {
      parentInstanceId: "root",
      workerItems: [activity("child", 2)],
    });
    await provider.enqueueForOrchestrator(raised("child", "poke"));
    const held = await mustFetch(context);
    await admin.deleteInstance("root", { force: true });
    await check.rejects(
      ack(context, held, { historyDelta: [started("child", 2)] }),
      "lock-lost",
      "the child's commit",
    );
    check.absent(await provider.getInstanceStatus("child"), "the child");
    check.absent(await fetchWork(context), "the child's activity");
  },
});
