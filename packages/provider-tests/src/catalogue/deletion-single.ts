/** One instance is deleted with everything it owns, and cannot come back. Catalogue: deletion. */
import type { HistoryEvent } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, completion, eventOf, NAMED, raised, scheduled, started, startItem } from "../messages.ts";
import { ack, createInstance, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";
import { checkDeleted, checkGone, checkThere, createCompleted } from "./instance-steps.ts";

export const deletionSingle: readonly ProviderCase[] = casesOf("deletion", {
  async test_delete_terminal_instances(context) {
    await createCompleted(context, "completed");
    const metadata = { status: "Failed", output: "why" } as const;
    await createInstance(context, "failed", { metadata });
    await createInstance(context, "cancelled", { metadata, historyDelta: [cancelled("cancelled")] });

    for (const [instance, events] of [
      ["completed", 1],
      ["failed", 1],
      ["cancelled", 2],
    ] as const) {
      const result = await context.admin.deleteInstance(instance);
      context.check.equal(result.instancesDeleted, 1, `instances deleted with ${instance}`);
      context.check.equal(result.executionsDeleted, 1, `executions deleted with ${instance}`);
      context.check.equal(result.eventsDeleted, events, `events deleted with ${instance}`);
      await checkGone(context, instance);
    }
  },

  async test_delete_running_rejected_force_succeeds(context) {
    const { admin, check } = context;
    await createInstance(context, "a");

    const error = await check.rejects(
      admin.deleteInstance("a"),
      "instance-still-running",
      "deleting what runs",
    );
    check.matches(error.message, /still running/i, "the message");
    check.equal(error.retryable, false, "whether it is worth another try");
    await checkThere(context, "a");

    checkDeleted(context, await admin.deleteInstance("a", { force: true }), 1);
    await checkGone(context, "a");
  },

  async test_delete_nonexistent_instance(context) {
    const { admin, check } = context;
    await createCompleted(context, "gone");
    await admin.deleteInstance("gone");

    for (const [id, force] of [
      ["nobody", false],
      ["nobody", true],
      ["gone", false],
    ] as const) {
      const deletion = admin.deleteInstance(id, { force });
      const error = await check.rejects(deletion, "instance-not-found", `deleting ${id}, force: ${force}`);
      check.matches(error.message, /not found/i, "the message");
      check.equal(error.retryable, false, "whether it is worth another try");
    }
  },

  async test_delete_cleans_queues_and_locks(context) {
    const { provider, admin, check } = context;
    await createCompleted(context, "a", { workerItems: [activity("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "late"));
    await mustFetch(context);

    const { queueMessagesDeleted } = await admin.deleteInstance("a");

    check.equal(queueMessagesDeleted, 2, "rows deleted: the activity, and the message under a lock");
    check.absent(await fetchWork(context), "the activity of what was deleted");
    const start = startItem("a", { orchestration: "OtherOrch", version: "2.0.0" });
    await provider.enqueueForOrchestrator(start);
    const first = await mustFetch(context);
    check.equal(first.item.messages, [start], "the messages of the new instance");
    await ack(context, first, {
      historyDelta: [started("a")],
      metadata: { orchestrationName: "OtherOrch", orchestrationVersion: "2.0.0" },
    });
    const info = await admin.getInstanceInfo("a");
    check.equal(info.orchestrationName, "OtherOrch", "the name of the new instance");
    check.equal(info.orchestrationVersion, "2.0.0", "the version of the new instance");
    check.equal(info.status, "Running", "the status of the new instance");
    check.equal(await provider.readHistory("a"), [started("a")], "the history of the new instance");
  },

  async test_force_delete_prevents_ack_recreation(context) {
    const { provider, admin, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const held = await mustFetch(context);
    await admin.deleteInstance("a", { force: true });

    const late = ack(context, held, {
      historyDelta: [scheduled("a", 2)],
      workerItems: [activity("a", 2)],
      metadata: NAMED,
    });

    await check.rejects(late, "lock-lost", "the ack under the lock of before");
    await checkGone(context, "a");
    check.absent(await fetchWork(context), "the activity of the late ack");
  },

  async test_stale_activity_after_delete_recreate(context) {
    const { provider, admin, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const stale = await mustFetchWork(context);
    await admin.deleteInstance("a", { force: true });
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });

    const late = provider.ackWorkItem(stale.lockToken, completion("a", 2, "stale"));

    await check.rejects(late, "lock-lost", "the ack of the old activity");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context);
    check.equal(item.messages, [raised("a", "poke")], "messages of the new instance");
    check.equal((await fetchWork(context))?.item, activity("a", 2), "the activity of the new instance");
  },
});

/** Returns what the runtime stores of an instance that was cancelled from outside; its status is Failed. */
function cancelled(instance: string): HistoryEvent {
  const kind = { Cancelled: { reason: "enough" } };
  const details = { Application: { kind, message: "canceled: enough", retryable: false } };
  return eventOf("OrchestrationFailed", instance, 2, { details });
}
