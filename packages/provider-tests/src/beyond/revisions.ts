/** Changes by hand: the next execution of an instance, and the end of one (docs/reference/provider-contract.md §15.2). */
import type { InstanceRevision } from "@duroxide-ts/core/stores";
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import {
  activity,
  completion,
  eventOf,
  failed,
  queueMessage,
  raised,
  scheduled,
  started,
} from "../messages.ts";
import { executionInfo } from "../reads.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, mustFetchWork, turn } from "../steps.ts";
import { observe } from "./observe.ts";
import {
  failedInstance,
  revise,
  revised,
  runningInstance,
  secondExecution,
  standing,
} from "./revision-steps.ts";

const AFTER_FAILURE: InstanceRevision = {
  instanceId: "a",
  expected: standing("Failed"),
  turn: secondExecution(),
};

/** Nothing that can be read has changed, and nothing was queued. */
async function leavesAll(context: CaseContext, attempt: () => Promise<void>): Promise<void> {
  const { check, provider, admin } = context;
  const before = await observe(context, "a");
  const depths = await admin.getQueueDepths();
  await attempt();
  check.equal(await observe(context, "a"), before, "what reads show");
  check.equal(await admin.getQueueDepths(), depths, "the queues");
  check.equal(await provider.readHistory("a", 2), [], "the second execution");
}

export const revisions: readonly ProviderCase[] = casesOf("revisions", {
  async "the next execution is the current one and runs, with what was queued for it"(context) {
    const { check, provider, admin } = context;
    await failedInstance(context);
    const first = await provider.readHistory("a", 1);
    await revised(context, AFTER_FAILURE);

    const info = await admin.getInstanceInfo("a");
    check.equal([info.status, info.currentExecutionId, info.output], ["Running", 2, null], "the instance");
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.executionId], ["Running", 2], "its status");
    check.equal(await provider.readHistory("a", 1), first, "the history of the failed execution");
    const record = await executionInfo(admin, "a", 1);
    check.equal([record.status, record.output], ["Failed", "broken"], "the record of the failed execution");
    const { runningInstances, failedInstances } = await admin.getSystemMetrics();
    check.equal([runningInstances, failedInstances], [1, 0], "the counts");
    const work = await mustFetchWork(context);
    check.equal([work.item.id, work.item.execution_id], [2, 2], "the activity");
    const { item, attemptCount } = await mustFetch(context);
    check.equal([item.executionId, attemptCount], [2, 1], "the execution of the next turn");
    check.equal(item.history, [started("a", 2), scheduled("a", 2, 2)], "its history");
    check.equal(item.messages, [raised("a", "again")], "its messages");
  },

  async "it goes on like any execution"(context) {
    const { check, provider } = context;
    await failedInstance(context);
    await revised(context, AFTER_FAILURE);
    const { lockToken } = await mustFetchWork(context);
    await ack(context, await mustFetch(context));
    await provider.ackWorkItem(lockToken, { ...completion("a", 2), execution_id: 2 });
    await ack(context, await mustFetch(context), {
      historyDelta: [eventOf("OrchestrationCompleted", "a", 3, { output: "well" }, 2)],
      metadata: { status: "Completed", output: "well" },
    });
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.output], ["Completed", "well"], "its end");
  },

  async "the end of an execution fails it, and drops its activities"(context) {
    const { check, provider, admin } = context;
    await createInstance(context, "parent");
    await runningInstance(context);
    const { lockToken } = await mustFetchWork(context);
    await revised(context, {
      instanceId: "a",
      expected: standing("Running"),
      turn: {
        executionId: 1,
        historyDelta: [failed("a", 3, "ended by hand")],
        workerItems: [],
        orchestratorItems: [raised("parent", "ended")],
        metadata: { status: "Failed", output: "ended by hand" },
        cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 2 }],
      },
    });
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.output], ["Failed", "ended by hand"], "the status");
    check.equal((await provider.readHistory("a")).length, 3, "the number of events");
    check.equal((await admin.getSystemMetrics()).failedInstances, 1, "failed instances");
    await check.rejects(provider.ackWorkItem(lockToken, completion("a", 2)), "lock-lost", "the activity");
    const { item } = await mustFetch(context);
    check.equal([item.instanceId, item.messages.length], ["parent", 1], "the message to another instance");
  },

  async "an instance that was changed meanwhile is overtaken, and nothing changes"(context) {
    const { check } = context;
    await failedInstance(context);
    const wrong: readonly InstanceRevision["expected"][] = [
      { executionId: 2, status: "Failed", lastEventId: 2 },
      { executionId: 1, status: "Running", lastEventId: 2 },
      { executionId: 1, status: "Completed", lastEventId: 2 },
      { executionId: 1, status: "Failed", lastEventId: 1 },
      { executionId: 1, status: "Failed", lastEventId: 3 },
    ];
    for (const expected of wrong) {
      await leavesAll(context, async () => {
        const outcome = await revise(context, { ...AFTER_FAILURE, expected });
        check.equal(
          outcome,
          { kind: "overtaken" },
          `the outcome where it is expected at ${JSON.stringify(expected)}`,
        );
      });
    }
    await revised(context, AFTER_FAILURE);
    check.equal(await revise(context, AFTER_FAILURE), { kind: "overtaken" }, "the same change once more");
  },

  async "an unknown instance is not found, and one that was not begun"(context) {
    const { check, provider } = context;
    await check.rejects(revise(context, AFTER_FAILURE), "instance-not-found", "an unknown instance");
    await provider.enqueueForOrchestrator(raised("a", "early"));
    await check.rejects(revise(context, AFTER_FAILURE), "instance-not-found", "one that has only messages");
  },

  async "an event that is stored already is refused, and nothing changes"(context) {
    const { check } = context;
    await failedInstance(context);
    await leavesAll(context, async () => {
      const twice = [started("a", 2), scheduled("a", 2, 2), scheduled("a", 2, 2)];
      const refused = revise(context, { ...AFTER_FAILURE, turn: secondExecution({ historyDelta: twice }) });
      await check.rejects(refused, ["duplicate-event", "invalid-input"], "an event twice");
      const old = secondExecution({ executionId: 1, historyDelta: [scheduled("a", 2)] });
      await check.rejects(
        revise(context, { ...AFTER_FAILURE, turn: old }),
        "duplicate-event",
        "a stored event",
      );
    });
  },

  async "a turn that runs is lost, and its messages are not"(context) {
    const { check, provider, lockMs } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const holder = await mustFetch(context);
    const expected = standing("Running");
    await revised(context, { instanceId: "a", expected, turn: secondExecution() });

    await check.rejects(ack(context, holder), "lock-lost", "the commit of the turn");
    const renewed = provider.renewOrchestrationItemLock(holder.lockToken, lockMs);
    await check.rejects(renewed, "lock-lost", "the renewal of its lock");
    await check.rejects(provider.abandonOrchestrationItem(holder.lockToken), "lock-lost", "giving it back");
    const { item } = await mustFetch(context);
    check.equal(item.executionId, 2, "the execution of the next turn");
    check.equal(item.messages, [raised("a", "poke"), raised("a", "again")], "its messages");
  },

  ...needing(["history-tags"], {
    async "what a process has in memory is not current after it"(context) {
      const { check } = context;
      const historyTag = await runningInstance(context);
      await revised(context, { instanceId: "a", expected: standing("Running"), turn: secondExecution() });
      const { item } = await mustFetch(context, { heldHistory: () => historyTag });
      check.absent(item.historyOmitted, "a history that was left out");
      check.equal(item.history.length, 2, "the number of events");
    },
  }),

  async "key-values are replaced, and those of its events come on top"(context) {
    const { check, provider } = context;
    const set = (key: string, value: string, eventId: number, execution = 1) =>
      eventOf("KeyValueSet", "a", eventId, { key, value, last_updated_at_ms: 5 }, execution);
    await createInstance(context, "a", { historyDelta: [set("old", "1", 2), set("both", "1", 3)] });
    await turn(context, "a", {
      historyDelta: [set("late", "1", 4)],
      metadata: { status: "Failed", output: "broken" },
    });
    await revised(context, {
      instanceId: "a",
      expected: standing("Failed", 4),
      turn: secondExecution({ historyDelta: [started("a", 2), set("both", "new", 2, 2)] }),
      keyValues: new Map([
        ["both", { value: "kept", lastUpdatedAtMs: 3 }],
        ["kept", { value: "yes", lastUpdatedAtMs: 4 }],
      ]),
    });
    const live = new Map([
      ["both", "new"],
      ["kept", "yes"],
    ]);
    check.equal(await provider.getKvValues("a"), live, "the live values");
    const { item } = await mustFetch(context);
    check.equal(
      item.kvSnapshot,
      new Map([
        ["both", { value: "kept", lastUpdatedAtMs: 3 }],
        ["kept", { value: "yes", lastUpdatedAtMs: 4 }],
      ]),
      "those of the end of the previous execution",
    );
  },

  async "messages that it returns come before those that wait"(context) {
    const { check, provider } = context;
    await failedInstance(context);
    await provider.enqueueForOrchestrator(queueMessage("a", "waits"));
    const returnedMessages = [queueMessage("a", "first"), queueMessage("a", "second")];
    await revised(context, { ...AFTER_FAILURE, turn: secondExecution({ returnedMessages }) });
    const { item } = await mustFetch(context);
    const queues = item.messages.flatMap((message) =>
      message.kind === "QueueMessage" ? [message.name] : [],
    );
    check.equal(queues, ["first", "second", "waits"], "the queue messages");
  },

  async "blocked work is no longer blocked"(context) {
    const { check, provider } = context;
    await runningInstance(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { lockToken } = await mustFetch(context);
    const blocked = { reason: "nondeterminism", detail: "the code does not fit" } as const;
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 600_000, ignoreAttempt: true, blocked });
    await revised(context, { instanceId: "a", expected: standing("Running"), turn: secondExecution() });
    check.equal((await provider.admin.listBlocked({ instanceId: "a" })).blocked, [], "the blocked work");
    check.isTrue((await fetchOrchestration(context)) !== undefined, "its next turn can be fetched");
  },

  async "nothing to change, and key-values without a turn, are refused"(context) {
    const { check } = context;
    await failedInstance(context);
    const expected = standing("Failed");
    const nothing = revise(context, { instanceId: "a", expected });
    await check.rejects(nothing, "invalid-input", "nothing");
    const alone = revise(context, { instanceId: "a", expected, suspended: null, keyValues: new Map() });
    await check.rejects(alone, "invalid-input", "key-values alone");
  },

  async "an instance begins by hand where there is none, and is overtaken where there is one"(context) {
    const { check, provider, admin } = context;
    const begins: InstanceRevision = {
      instanceId: "new",
      expected: "absent",
      turn: {
        ...secondExecution({ workerItems: [], orchestratorItems: [] }),
        executionId: 1,
        historyDelta: [started("new")],
      },
    };
    await revised(context, begins);
    check.equal(await revise(context, begins), { kind: "overtaken" }, "the second");
    const info = await admin.getInstanceInfo("new");
    check.equal([info.status, info.currentExecutionId], ["Running", 1], "the instance");
    check.equal((await provider.readHistory("new")).length, 1, "the events");
    check.equal((await admin.getSystemMetrics()).runningInstances, 1, "the counts");
    await admin.deleteInstance("new", { force: true });
    await revised(context, begins);
    await createInstance(context, "a");
    const other = await revise(context, { ...begins, instanceId: "a" });
    check.equal(other, { kind: "overtaken" }, "one of an instance that has begun by itself");
  },

  async "a hundred events and activities are stored whole"(context) {
    const { check, provider } = context;
    await failedInstance(context);
    const ids = Array.from({ length: 150 }, (_, index) => index + 2);
    await revised(context, {
      ...AFTER_FAILURE,
      turn: secondExecution({
        historyDelta: [started("a", 2), ...ids.map((id) => scheduled("a", id, 2))],
        workerItems: ids.map((id) => activity("a", id, { execution_id: 2 })),
      }),
    });
    check.equal((await provider.readHistory("a", 2)).length, 151, "the number of events");
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.executionId], ["Running", 2], "its status");
    check.equal((await mustFetch(context)).item.history.length, 151, "the events of the next turn");
  },
});
