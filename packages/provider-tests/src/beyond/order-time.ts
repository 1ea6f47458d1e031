/** The messages of an instance are ordered by their order times (docs/reference/provider-contract.md §4.1). */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { Caller } from "../context.ts";
import { raised, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch } from "../steps.ts";

/** All visible messages, over several batches if necessary. */
async function drained(caller: Caller): Promise<readonly OrchestratorItem[]> {
  const messages: OrchestratorItem[] = [];
  for (let next = await fetchOrchestration(caller); next; next = await fetchOrchestration(caller)) {
    messages.push(...next.item.messages);
    await ack(caller, next);
  }
  return messages;
}

export const orderTime: readonly ProviderCase[] = casesOf("order_time", {
  async "a message that was stored before a timer was due precedes it, also when both waited"(context) {
    const { provider, check, time } = context;
    const deadline = timer("a", time.now() + 1_000);
    await createInstance(context, "a", { orchestratorItems: [deadline] });
    await provider.enqueueForOrchestrator(raised("a", "in time"));
    await time.pass(1_500);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "in time"), deadline], "the messages");
  },

  async "a timer that was due before a message was stored precedes it"(context) {
    const { provider, check, time } = context;
    const deadline = timer("a", time.now() + 1_000);
    await createInstance(context, "a", { orchestratorItems: [deadline] });
    await time.pass(1_500);
    await provider.enqueueForOrchestrator(raised("a", "too late"));
    check.equal(
      (await mustFetch(context)).item.messages,
      [deadline, raised("a", "too late")],
      "the messages",
    );
  },

  async "timers that fell due unseen come by their deadlines"(context) {
    const { check, time } = context;
    const [late, early] = [timer("a", time.now() + 900, 2), timer("a", time.now() + 400, 3)];
    await createInstance(context, "a", { orchestratorItems: [late, early] });
    await time.pass(1_200);
    check.equal((await mustFetch(context)).item.messages, [early, late], "the messages");
  },

  async "messages of one order time keep their places in the queue"(context) {
    const { provider, check, time, capabilities } = context;
    const dueAtMs = time.now() + 1_000;
    const timers = [2, 3, 4].map((id) => timer("a", dueAtMs, id));
    await createInstance(context, "a", { orchestratorItems: timers });
    await time.pass(1_000);
    if (capabilities.clock === "system") {
      check.equal((await mustFetch(context)).item.messages, timers, "the messages");
      return;
    }
    await provider.enqueueForOrchestrator(raised("a", "at the deadline"));
    await provider.enqueueForOrchestrator(timer("a", dueAtMs, 5));
    const expected = [...timers, raised("a", "at the deadline"), timer("a", dueAtMs, 5)];
    check.equal((await mustFetch(context)).item.messages, expected, "the messages");
  },

  async "a message that was given back with a delay keeps its place before a timer that was due later"(
    context,
  ) {
    const { provider, check, time } = context;
    const deadline = timer("a", time.now() + 300);
    await createInstance(context, "a", { orchestratorItems: [deadline] });
    await provider.enqueueForOrchestrator(raised("a", "first"));
    const fetched = await mustFetch(context);
    await provider.abandonOrchestrationItem(fetched.lockToken, { delayMs: 600 });
    await time.pass(700);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "first"), deadline], "the messages");
  },

  async "a message that is hidden at first keeps its place before a timer that was due meanwhile"(context) {
    const { provider, check, time } = context;
    const deadline = timer("a", time.now() + 300);
    await createInstance(context, "a", { orchestratorItems: [deadline] });
    await provider.enqueueForOrchestrator(raised("a", "hidden"), 600);
    await time.pass(700);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "hidden"), deadline], "the messages");
  },

  async "a timer that is sent directly has its place by the time that it names"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "e"));
    const overdue = timer("a", time.now() - 60_000);
    await provider.enqueueForOrchestrator(overdue);
    check.equal((await mustFetch(context)).item.messages, [overdue, raised("a", "e")], "the messages");
  },

  async "a fetch that takes only a part of the messages takes the first ones"(context) {
    const { provider, check, time } = context;
    const startMs = time.now();
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "hidden"), 500);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const many = Array.from({ length: 120 }, (_, n) => raised("a", `message-${n}`));
    const [last, first] = [timer("a", startMs + 400, 2), timer("a", startMs - 400, 3)];
    await ack(context, await mustFetch(context), { orchestratorItems: [last, ...many, first] });
    await time.pass(600);
    check.equal(await drained(context), [first, raised("a", "hidden"), ...many, last], "the messages");
  },
});
