/**
 * Activities are served whatever became of their orchestration; they end by being taken out of the queue.
 * Catalogue: cancellation.
 */
import type { ActivityExecute, ActivityId, ExecutionMetadata } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, continueItem, raised, scheduled } from "../messages.ts";
import {
  ack,
  complete,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  turn,
} from "../steps.ts";

export const cancellation: readonly ProviderCase[] = casesOf("cancellation", {
  async test_fetch_returns_running_state_for_active_orchestration(context) {
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    await expectServed(context, activity("a", 2));
  },

  async test_fetch_returns_terminal_state_when_orchestration_completed(context) {
    await endWithActivity(context, { status: "Completed", output: "{}" });
    await expectServed(context, activity("a", 2));
  },

  async test_fetch_returns_terminal_state_when_orchestration_failed(context) {
    await endWithActivity(context, { status: "Failed", output: "{}" });
    await expectServed(context, activity("a", 2));
  },

  async test_fetch_returns_terminal_state_when_orchestration_continued_as_new(context) {
    await createInstance(context, "a");
    await turn(context, "a", {
      workerItems: [activity("a", 2)],
      orchestratorItems: [continueItem("a")],
      metadata: { status: "ContinuedAsNew", output: "{}" },
    });
    await expectServed(context, activity("a", 2));
  },

  async test_fetch_returns_missing_state_when_instance_deleted(context) {
    await context.provider.enqueueForWorker(activity("unknown", 1));
    await expectServed(context, activity("unknown", 1));
  },

  async test_renew_returns_running_when_orchestration_active(context) {
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context, { lockTimeoutMs: SHORT_MS });
    await expectRenewable(context, lockToken);
  },

  async test_renew_returns_terminal_when_orchestration_completed(context) {
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context, { lockTimeoutMs: SHORT_MS });
    await complete(context, "a");
    await expectRenewable(context, lockToken);
  },

  async test_renew_returns_missing_when_instance_deleted(context) {
    await context.provider.enqueueForWorker(activity("unknown", 1));
    const { lockToken } = await mustFetchWork(context, { lockTimeoutMs: SHORT_MS });
    await expectRenewable(context, lockToken);
  },

  async test_ack_work_item_none_deletes_without_enqueue(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context);

    await provider.ackWorkItem(lockToken);

    check.absent(await fetchWork(context), "an activity");
    check.absent(await fetchOrchestration(context), "a message");
  },

  async test_cancelled_activities_deleted_from_worker_queue(context) {
    await createInstance(context, "a", { workerItems: activities(2, 3, 4) });

    await turn(context, "a", { cancelledActivities: ids(2, 3) });

    await expectServed(context, activity("a", 4));
    context.check.absent(await fetchWork(context), "another activity");
  },

  async test_ack_work_item_fails_when_entry_deleted(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context);
    await provider.ackWorkItem(lockToken, completion("a", 2));

    const again = provider.ackWorkItem(lockToken, completion("a", 2));

    const error = await check.rejects(again, "lock-lost", "a second ack");
    check.equal(error.retryable, false, "retryable");
    check.equal(
      (await fetchOrchestration(context))?.item.messages,
      [completion("a", 2)],
      "the completion of the first ack alone",
    );
  },

  async test_renew_fails_when_entry_deleted(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context);
    await turn(context, "a", { cancelledActivities: ids(2) });

    const renewal = provider.renewWorkItemLock(lockToken, context.lockMs);

    await check.rejects(renewal, "lock-lost", "a renewal after the activity was taken away");
  },

  async test_cancelling_nonexistent_activities_is_idempotent(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "next"));

    await ack(context, await mustFetch(context), {
      historyDelta: [scheduled("a", 3)],
      cancelledActivities: [
        ...ids(98, 99),
        { instanceId: "a", executionId: 7, activityId: 2 },
        { instanceId: "unknown", executionId: 1, activityId: 2 },
      ],
    });

    const committed = (await provider.readHistory("a")).map((event) => event.event_id);
    check.equal(committed, [1, 3], "the events of the ack that cancels what never was");
    await expectServed(context, activity("a", 2));
  },

  async test_batch_cancellation_deletes_multiple_activities(context) {
    await createInstance(context, "a", { workerItems: activities(2, 3, 4, 5, 6) });

    await turn(context, "a", { cancelledActivities: ids(2, 3, 4, 5, 6) });

    context.check.absent(await fetchWork(context), "an activity");
  },

  async test_same_activity_in_worker_items_and_cancelled_is_noop(context) {
    await createInstance(context, "a");

    await turn(context, "a", { workerItems: activities(2, 3), cancelledActivities: ids(2) });

    await expectServed(context, activity("a", 3));
    context.check.absent(await fetchWork(context), "the activity that was scheduled and cancelled");
  },

  /** The table lets a queued activity survive; the contract (§16) says that it goes with its instance. */
  async test_orphan_activity_after_instance_force_deletion(context) {
    const { provider, admin, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });

    await admin.deleteInstance("a", { force: true });

    check.absent(await provider.getInstanceStatus("a"), "the instance");
    check.absent(await fetchWork(context), "its activity");
  },
});

/** The first lease where a case waits for its end. */
const SHORT_MS = 1_000;

function activities(...activityIds: readonly number[]): readonly ActivityExecute[] {
  return activityIds.map((id) => activity("a", id));
}

function ids(...activityIds: readonly number[]): readonly ActivityId[] {
  return activityIds.map((activityId) => ({ instanceId: "a", executionId: 1, activityId }));
}

/** The last turn of "a" schedules an activity and ends the orchestration. */
async function endWithActivity(context: CaseContext, metadata: ExecutionMetadata): Promise<void> {
  await createInstance(context, "a");
  await turn(context, "a", { workerItems: [activity("a", 2)], metadata });
}

async function expectServed(context: CaseContext, expected: ActivityExecute): Promise<void> {
  context.check.equal((await fetchWork(context))?.item, expected, "the activity that is served");
}

/** Checks that the renewal is accepted, and holds beyond the end of the first lease. */
async function expectRenewable(context: CaseContext, lockToken: string): Promise<void> {
  const { provider, check, time, lockMs } = context;
  await provider.renewWorkItemLock(lockToken, lockMs);
  await time.pass(SHORT_MS);
  check.absent(await fetchWork(context), "a fetch when the first lease is over");
}
