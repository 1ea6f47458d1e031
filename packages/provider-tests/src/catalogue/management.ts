/** Reads of administration: lists, single instances and executions, counts, sizes. Catalogue: management. */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { continueItem, NAMED, started, startItem } from "../messages.ts";
import { executionIds, executionInfo, instanceIds } from "../reads.ts";
import { ack, complete, createInstance, mustFetch } from "../steps.ts";
import { changeKv, set, take } from "./kv-steps.ts";

export const management: readonly ProviderCase[] = casesOf("management", {
  async test_list_instances(context) {
    for (const id of ["a", "b", "c"]) await createInstance(context, id);

    context.check.equal((await instanceIds(context.admin)).toSorted(), ["a", "b", "c"], "all instances");
  },

  async test_list_instances_by_status(context) {
    for (const id of ["a", "b"]) await createInstance(context, id);
    await complete(context, "b");

    context.check.equal(
      await instanceIds(context.admin, { status: ["Completed"] }),
      ["b"],
      "completed instances",
    );
    context.check.equal(
      await instanceIds(context.admin, { status: ["Running"] }),
      ["a"],
      "running instances",
    );
  },

  async test_list_executions(context) {
    for (const executionId of [1, 2, 3]) {
      const begin = executionId === 1 ? startItem("a") : continueItem("a");
      await context.provider.enqueueForOrchestrator(begin);
      await ack(context, await mustFetch(context), {
        executionId,
        historyDelta: [started("a", executionId)],
      });
    }

    context.check.equal(await executionIds(context.admin, "a"), [1, 2, 3], "those of a nameless instance");
  },

  async test_get_instance_info(context) {
    await createInstance(context, "a", { version: "1.2.3" });

    const { instanceId, orchestrationName, orchestrationVersion, currentExecutionId } =
      await context.admin.getInstanceInfo("a");
    context.check.equal(
      { instanceId, orchestrationName, orchestrationVersion, currentExecutionId },
      {
        instanceId: "a",
        orchestrationName: "TestOrch",
        orchestrationVersion: "1.2.3",
        currentExecutionId: 1,
      },
      "the instance",
    );
  },

  async test_get_execution_info(context) {
    await context.provider.enqueueForOrchestrator(startItem("a"));
    await ack(context, await mustFetch(context), {
      historyDelta: [started("a")],
      metadata: { status: "Completed", output: "the result" },
    });

    const { executionId, status, output } = await executionInfo(context.admin, "a", 1);
    context.check.equal(
      { executionId, status, output },
      { executionId: 1, status: "Completed", output: "the result" },
      "the execution of a nameless instance",
    );
  },

  async test_get_system_metrics(context) {
    const { admin, check } = context;
    const before = await admin.getSystemMetrics();
    await createInstance(context, "a");
    const after = await admin.getSystemMetrics();

    check.equal(after.totalInstances, before.totalInstances + 1, "instances");
    check.isTrue(after.totalEvents > 0, `there are events: ${after.totalEvents}`);
  },

  async test_get_queue_depths(context) {
    const { provider, admin, check } = context;
    const before = await admin.getQueueDepths();
    await provider.enqueueForOrchestrator(startItem("a"));
    const after = await admin.getQueueDepths();

    check.equal(after.orchestratorQueue, before.orchestratorQueue + 1, "messages in the orchestrator queue");
  },

  async test_get_instance_stats_nonexistent({ provider, check }) {
    check.absent(await provider.getInstanceStats("nobody"), "sizes of an unknown instance");
  },

  async test_get_instance_stats_history(context) {
    const { provider, check } = context;
    await createInstance(context, "a");

    const stats = check.present(await provider.getInstanceStats("a"), "sizes");
    check.isTrue(stats.historyEventCount >= 1, `there are events: ${stats.historyEventCount}`);
    check.isTrue(stats.historySizeBytes > 0, `they have a size: ${stats.historySizeBytes} bytes`);
    check.equal(stats.queuePendingCount, 0, "pending messages");
    await checkKvSize(context, 0, 0, "where nothing was set");
  },

  async test_get_instance_stats_kv(context) {
    await take(context, [[set("ascii", "four"), set("other", "añb")], "completes"]);

    await checkKvSize(context, 2, 8, "after the execution completed");
  },

  async test_get_instance_stats_carry_forward(context) {
    const { provider, check } = context;
    const carried = [
      ["queue", "1"],
      ["queue", "2"],
      ["other", "3"],
    ] as const;
    await provider.enqueueForOrchestrator(startItem("a"));
    await ack(context, await mustFetch(context), {
      historyDelta: [started("a", 1, { carry_forward_events: carried })],
      metadata: NAMED,
    });

    const stats = check.present(await provider.getInstanceStats("a"), "sizes");
    check.equal(stats.queuePendingCount, 3, "messages that the execution took over");
  },

  async test_get_instance_stats_kv_delta_only(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("one", "1234"), set("two", "12345")]);

    await checkKvSize(context, 2, 9, "while the execution runs");
  },

  async test_get_instance_stats_kv_merged(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("one", "12"), set("two", "345")]);
    await checkKvSize(context, 2, 5, "while the execution runs");

    const metadata = { status: "Completed", output: "{}" } as const;
    await changeKv(context, "a", [set("one", "1234")], { metadata });
    await checkKvSize(context, 2, 7, "after one was overwritten and the execution completed");
  },
});

/** Keys and bytes of values that instance "a" has. */
async function checkKvSize(
  { provider, check }: CaseContext,
  kvUserKeyCount: number,
  kvTotalValueBytes: number,
  when: string,
): Promise<void> {
  const stats = check.present(await provider.getInstanceStats("a"), `${when}: sizes`);
  check.equal(stats.kvUserKeyCount, kvUserKeyCount, `${when}: keys`);
  check.equal(stats.kvTotalValueBytes, kvTotalValueBytes, `${when}: bytes of values`);
}
