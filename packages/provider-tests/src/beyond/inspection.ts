/** Administrative reads of instances, executions, queues and the whole store (hazards W51, W54 and W55). */
import type { ProviderAdmin, QueueDepths, SystemMetrics } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, continueItem, failed, raised, scheduled, started, startItem, timer } from "../messages.ts";
import { executionIds, executionInfo, pruneOne } from "../reads.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  mustFetch,
  mustFetchWork,
  passLock,
  turn,
} from "../steps.ts";

/** The counts that every store has. */
async function countsOf(admin: ProviderAdmin): Promise<Omit<SystemMetrics, "blockedWork" | "deadMessages">> {
  const { blockedWork: _blocked, deadMessages: _dead, ...counts } = await admin.getSystemMetrics();
  return counts;
}

/** The depths and counts that every store has. */
async function depthsOf(admin: ProviderAdmin): Promise<Omit<QueueDepths, "blockedWork">> {
  const { blockedWork: _blocked, ...depths } = await admin.getQueueDepths();
  return depths;
}

export const inspection: readonly ProviderCase[] = casesOf("inspection", {
  async "the depths of the queues are what can be fetched now, and what is due later"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2), activity("a", 3)] });
    await provider.enqueueForOrchestrator(raised("a", "now"));
    await provider.enqueueForOrchestrator(raised("a", "later"), 60_000);
    check.equal(
      await depthsOf(admin),
      { orchestratorQueue: 1, workerQueue: 2, timerQueue: 1, runningInstances: 1 },
      "the depths",
    );
    await mustFetch(context);
    check.equal((await admin.getQueueDepths()).orchestratorQueue, 0, "messages, while they are locked");
    await passLock(context);
    check.equal((await admin.getQueueDepths()).orchestratorQueue, 1, "messages, when the lease is over");
  },

  async "activities count while they are free, and timers until they are due"(context) {
    const { provider, check, admin, time } = context;
    const fireAtMs = time.now() + 2_000;
    await createInstance(context, "a", { orchestratorItems: [timer("a", fireAtMs)] });
    await provider.enqueueForWorker(activity("a", 2));
    await provider.enqueueForWorker(activity("a", 3, { session_id: "s" }));
    await provider.enqueueForWorker(activity("a", 4, { tag: "gpu" }));
    const atFirst = { orchestratorQueue: 0, workerQueue: 3, timerQueue: 1, runningInstances: 1 };
    check.equal(await depthsOf(admin), atFirst, "the depths at first");
    await mustFetchWork(context, { lockTimeoutMs: 2_000 });
    check.equal((await admin.getQueueDepths()).workerQueue, 2, "activities, while one is locked");
    await time.pass(2_100);
    const inTheEnd = { orchestratorQueue: 1, workerQueue: 3, timerQueue: 0, runningInstances: 1 };
    check.equal(await depthsOf(admin), inTheEnd, "the depths when lock and timer are over");
  },

  async "an instance tells when it was created and when it last changed"(context) {
    const { check, admin, time } = context;
    const beforeMs = time.now();
    await createInstance(context, "a");
    const createdMs = time.now();
    await time.pass(1_000);
    await complete(context, "a");
    const { createdAtMs, updatedAtMs, ...info } = await admin.getInstanceInfo("a");
    check.equal(
      info,
      {
        instanceId: "a",
        orchestrationName: "TestOrch",
        orchestrationVersion: "1.0.0",
        currentExecutionId: 1,
        status: "Completed",
        output: "{}",
      },
      "everything but the times",
    );
    check.isTrue(createdAtMs >= beforeMs && createdAtMs <= createdMs, "when it was created");
    check.isTrue(updatedAtMs >= createdMs + 1_000 && updatedAtMs <= time.now(), "when it last changed");
  },

  async "what an ended instance receives does not change when it last changed"(context) {
    const { provider, check, admin, time } = context;
    for (const status of ["Completed", "Failed"] as const) {
      await createInstance(context, status);
      await complete(context, status, status);
      const ended = await admin.getInstanceInfo(status);
      const late = [raised(status, "late"), startItem(status), timer(status, time.now())];
      for (const message of late) {
        await time.pass(1_000);
        await provider.enqueueForOrchestrator(message);
        await ack(context, await mustFetch(context));
        check.equal(await admin.getInstanceInfo(status), ended, `${status}, after ${message.kind}`);
      }
      await time.pass(1_000);
      await provider.enqueueForOrchestrator(raised(status, "late"));
      await mustFetch(context);
      await passLock(context);
      check.equal(await admin.getInstanceInfo(status), ended, `${status}, after a lock that expired`);
      await ack(context, await mustFetch(context));
    }
  },

  async "an ended instance that is changed has changed"(context) {
    const { check, admin, time } = context;
    await createInstance(context, "a");
    await complete(context, "a");
    await time.pass(1_000);
    const changedMs = time.now();
    await continueAsNew(context, "a", 2);
    check.isTrue((await admin.getInstanceInfo("a")).updatedAtMs >= changedMs, "after its next execution");
    await complete(context, "a");
    await time.pass(1_000);
    const endedMs = time.now();
    await turn(context, "a", { executionId: 2, historyDelta: [failed("a", 2, "why", 2)] });
    check.isTrue((await admin.getInstanceInfo("a")).updatedAtMs >= endedMs, "after an event");
  },

  async "each execution keeps its own status, output and times"(context) {
    const { check, admin, time } = context;
    const startMs = time.now();
    await createInstance(context, "a");
    const createdMs = time.now();
    await time.pass(50);
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "input 2" },
      orchestratorItems: [continueItem("a")],
    });
    const continuedMs = time.now();
    await time.pass(50);
    await ack(context, await mustFetch(context), {
      executionId: 2,
      historyDelta: [started("a", 2), scheduled("a", 2, 2)],
    });
    const first = await executionInfo(admin, "a", 1);
    const second = await executionInfo(admin, "a", 2);
    check.equal(
      [first.status, first.output, first.eventCount],
      ["ContinuedAsNew", "input 2", 1],
      "the first",
    );
    check.equal([second.status, second.output, second.eventCount], ["Running", null, 2], "the second");
    check.absent(second.completedAtMs, "the end of the second");
    check.isTrue(first.startedAtMs >= startMs && first.startedAtMs <= createdMs, "when the first began");
    check.isTrue(
      (first.completedAtMs ?? 0) > createdMs && (first.completedAtMs ?? 0) <= continuedMs,
      "when it ended",
    );
    check.isTrue(second.startedAtMs >= continuedMs, "when the second began");
  },

  async "a list of executions leaves out large outputs, and one execution has its whole"(context) {
    const { check, admin } = context;
    const large = "x".repeat(8_193);
    await createInstance(context, "a", { metadata: { status: "Completed", output: large } });
    const outputs = (await admin.listExecutions("a")).map(({ output }) => output);
    check.equal(outputs, [null], "the outputs of the list");
    check.equal((await executionInfo(admin, "a", 1)).output, large, "the output of the execution");
  },

  async "an execution that does not exist is not listed"(context) {
    const { check, admin } = context;
    await createInstance(context, "a");
    check.equal(await admin.listExecutions("a", 2), [], "execution 2");
    check.equal(await admin.listExecutions("nobody", 1), [], "an execution of an unknown instance");
    check.equal(await context.provider.readHistory("a", 2), [], "its history");
    check.equal(await executionIds(admin, "nobody"), [], "the executions of an unknown instance");
  },

  async "the counts of the store follow its instances from their creation to their deletion"(context) {
    const { check, admin } = context;
    const nothing = {
      totalInstances: 0,
      totalExecutions: 0,
      runningInstances: 0,
      completedInstances: 0,
      failedInstances: 0,
      totalEvents: 0,
    };
    check.equal(await countsOf(admin), nothing, "the counts of an empty store");
    for (const id of ["a", "b", "c"]) await createInstance(context, id);
    await complete(context, "a");
    const metadata = { status: "Failed", output: "{}" } as const;
    await turn(context, "b", { historyDelta: [failed("b", 2, "why")], metadata });
    await continueAsNew(context, "c", 2);
    check.equal(
      await countsOf(admin),
      {
        totalInstances: 3,
        totalExecutions: 4,
        runningInstances: 1,
        completedInstances: 1,
        failedInstances: 1,
        totalEvents: 5,
      },
      "the counts of three instances",
    );
    await pruneOne(admin, "c", {});
    const { totalExecutions, totalEvents } = await admin.getSystemMetrics();
    check.equal([totalExecutions, totalEvents], [3, 4], "executions and events after a prune");
    for (const id of ["a", "b", "c"]) await admin.deleteInstance(id, { force: true });
    check.equal(await countsOf(admin), nothing, "the counts when all is deleted");
  },
});
