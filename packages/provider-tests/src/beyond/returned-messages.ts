/** Queue messages that an execution returns when it continues as new (docs/reference/provider-contract.md §7.1). */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { continueItem, queueMessage, raised, started, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, passLock } from "../steps.ts";

const messages = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => queueMessage("a", `${prefix}-${n}`));

/** Ends the execution that is fetched next with these left unread. */
async function endExecution(
  context: CaseContext,
  returnedMessages: ReturnType<typeof messages>,
  meanwhile: readonly OrchestratorItem[] = [],
): Promise<void> {
  const fetched = await mustFetch(context);
  for (const item of meanwhile) await context.provider.enqueueForOrchestrator(item);
  await ack(context, fetched, {
    metadata: { status: "ContinuedAsNew", output: "{}" },
    orchestratorItems: [continueItem("a")],
    returnedMessages,
  });
}

/** The messages of one or several batches, without the start of the next execution. */
async function drained(context: CaseContext, executionId: number): Promise<readonly OrchestratorItem[]> {
  const seen: OrchestratorItem[] = [];
  for (let next = await fetchOrchestration(context); next; next = await fetchOrchestration(context)) {
    seen.push(...next.item.messages.filter(({ kind }) => kind !== "ContinueAsNew"));
    await ack(context, next, { executionId });
  }
  return seen;
}

export const returnedMessages: readonly ProviderCase[] = casesOf("returned_messages", {
  async "returned messages come first, in their order, before what waits and what comes later"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [timer("a", time.now() - 1_000)] });
    const meanwhile = messages("meanwhile", 3);
    await endExecution(context, messages("returned", 5), meanwhile);
    await provider.enqueueForOrchestrator(raised("a", "later"));
    const expected = [...messages("returned", 5), ...meanwhile, raised("a", "later")];
    check.equal(await drained(context, 2), expected, "the messages");
  },

  async "returned messages come before timers that fell due long ago"(context) {
    const { check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    const overdue = timer("a", time.now() - 3_600_000);
    await endExecution(context, messages("returned", 2), [overdue]);
    check.equal(await drained(context, 2), [...messages("returned", 2), overdue], "the messages");
  },

  async "messages that a later execution returns come before unread ones that an earlier execution returned"(
    context,
  ) {
    const { check } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    await endExecution(context, messages("returned", 150));
    const seen: OrchestratorItem[] = [];
    for (let executionId = 2; executionId < 5; executionId++) {
      const fetched = await mustFetch(context);
      const batch = fetched.item.messages.filter((item) => item.kind === "QueueMessage");
      seen.push(...batch.slice(0, 1));
      await ack(context, fetched, {
        executionId,
        historyDelta: [started("a", executionId)],
        metadata: { status: "ContinuedAsNew", output: "{}" },
        orchestratorItems: [continueItem("a")],
        returnedMessages: batch.slice(1),
      });
    }
    seen.push(...(await drained(context, 5)));
    check.equal(seen, messages("returned", 150), "the messages");
  },

  async "a returned message is fetched for the first time again, and acknowledged like any other"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { orchestratorItems: messages("message", 1) });
    const { lockToken } = await mustFetch(context);
    await provider.abandonOrchestrationItem(lockToken);
    await endExecution(context, messages("message", 1));
    const fetched = await mustFetch(context);
    check.equal(fetched.attemptCount, 1, "attempts");
    check.equal(await fetchOrchestration(context), undefined, "a fetch while it is held");
    await ack(context, fetched, { executionId: 2, historyDelta: [started("a", 2)] });
    await drained(context, 2);
    check.absent(await fetchOrchestration(context), "what is left");
  },

  async "returned messages keep their place when they are given back or their process is lost"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    await endExecution(context, messages("returned", 3));
    await mustFetch(context);
    await passLock(context);
    await provider.abandonOrchestrationItem((await mustFetch(context)).lockToken);
    await provider.abandonOrchestrationItem((await mustFetch(context)).lockToken, { delayMs: 500 });
    await time.pass(600);
    await provider.enqueueForOrchestrator(raised("a", "later"));
    const expected = [...messages("returned", 3), raised("a", "later")];
    check.equal(await drained(context, 2), expected, "the messages");
  },

  async "a commit that is refused returns nothing"(context) {
    const { check } = context;
    await createInstance(context, "a", { orchestratorItems: messages("message", 2) });
    const fetched = await mustFetch(context);
    const commit = ack(context, fetched, {
      historyDelta: [started("a")],
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
      returnedMessages: messages("message", 2),
    });
    await check.rejects(commit, "duplicate-event", "a commit of an event that is stored already");
    await passLock(context);
    check.equal(await drained(context, 1), messages("message", 2), "the messages");
  },
});
