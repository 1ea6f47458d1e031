/**
 * Each execution of an instance has a history of its own. Catalogue: multi_execution. Most acks here name
 * neither orchestration nor version, so executions and histories must do without an instance.
 */
import type { HistoryEvent } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { continueItem, raised, scheduled, started, startItem } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, turn } from "../steps.ts";

export const multiExecution: readonly ProviderCase[] = casesOf("multi_execution", {
  async test_execution_isolation(context) {
    const { provider, check } = context;
    const first = [started("a", 1), scheduled("a", 2, 1), scheduled("a", 3, 1)];
    const second = [started("a", 2), scheduled("a", 2, 2)];

    await commitExecution(context, 1, first);
    await commitExecution(context, 2, second);

    check.equal(await provider.readHistory("a", 1), first, "execution 1");
    check.equal(await provider.readHistory("a", 2), second, "execution 2");
    check.equal(await provider.readHistory("a"), second, "the latest execution");
  },

  async test_latest_execution_detection(context) {
    const { provider, check } = context;
    const a = started("a", 1, { input: "A" });
    const b = started("a", 2, { input: "B" });

    await commitExecution(context, 1, [a]);
    await commitExecution(context, 2, [b]);

    check.equal(await provider.readHistory("a"), [b], "the latest execution");
    check.equal(await provider.readHistory("a", 1), [a], "execution 1");
  },

  async test_execution_id_sequencing(context) {
    const { provider, check } = context;
    await commitExecution(context, 1, [started("a", 1)]);
    await commitExecution(context, 2, [started("a", 2)]);

    await provider.enqueueForOrchestrator(raised("a", "next"));

    const next = check.present(await fetchOrchestration(context), "a message for execution 2");
    check.equal(next.item.executionId, 2, "the execution");
  },

  async test_continue_as_new_creates_new_execution(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
    });
    const successor = check.present(await fetchOrchestration(context), "the continue-as-new message");
    check.equal(successor.item.messages, [continueItem("a")], "its batch");
    await ack(context, successor, { executionId: 2, historyDelta: [started("a", 2)] });

    await provider.enqueueForOrchestrator(raised("a", "next"));

    const next = check.present(await fetchOrchestration(context), "a message for the new execution");
    check.equal(next.item.executionId, 2, "the execution");
    check.equal(next.item.history, [started("a", 2)], "its history");
  },

  async test_execution_history_persistence(context) {
    const { provider, check } = context;
    for (const execution of [1, 2, 3]) {
      await commitExecution(context, execution, [started("a", execution)]);
    }

    for (const execution of [1, 2, 3]) {
      check.equal(
        await provider.readHistory("a", execution),
        [started("a", execution)],
        `execution ${execution}`,
      );
    }
    check.equal(await provider.readHistory("a"), [started("a", 3)], "the latest execution");
  },
});

/** One turn that begins an execution of "a", without saying its name or version. */
async function commitExecution(
  context: CaseContext,
  executionId: number,
  historyDelta: readonly HistoryEvent[],
): Promise<void> {
  await context.provider.enqueueForOrchestrator(executionId === 1 ? startItem("a") : continueItem("a"));
  await ack(context, await mustFetch(context), { executionId, historyDelta });
}
