/**
 * Order where it is promised: within an instance, within a commit, within the worker queue (hazards W1, W27 and W43).
 */
import { casesOf, type ProviderCase } from "../case.ts";
import { raised, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, turn } from "../steps.ts";

const numbered = (instance: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => raised(instance, `message-${from + n}`));

export const ordering: readonly ProviderCase[] = casesOf("ordering", {
  async "messages of one commit keep the order of its list, before what is sent later"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { orchestratorItems: numbered("a", 0, 20) });
    await provider.enqueueForOrchestrator(raised("a", "message-20"));
    check.equal((await mustFetch(context)).item.messages, numbered("a", 0, 21), "the messages");
  },

  async "messages to another instance arrive in the order of the turns that sent them"(context) {
    const { check } = context;
    await createInstance(context, "target");
    await createInstance(context, "source", { orchestratorItems: numbered("target", 0, 3) });
    // Locks the target, because a fetch could otherwise return a turn of the target.
    const held = await mustFetch(context);
    await turn(context, "source", { orchestratorItems: numbered("target", 3, 3) });
    await turn(context, "source", { orchestratorItems: numbered("target", 6, 3) });
    const first = held.item.messages;
    await ack(context, held);
    const second = (await mustFetch(context)).item.messages;
    check.equal([...first, ...second], numbered("target", 0, 9), "the messages");
  },

  async "a message sent at the same position in consecutive turns is delivered each time"(context) {
    const { check } = context;
    await createInstance(context, "target");
    await createInstance(context, "source", { orchestratorItems: [raised("target", "again")] });
    const held = await mustFetch(context);
    await turn(context, "source", { orchestratorItems: [raised("target", "again")] });
    await turn(context, "source", { orchestratorItems: [raised("target", "again")] });
    await ack(context, held);
    const again = raised("target", "again");
    check.equal(held.item.messages, [again], "the first");
    check.equal((await mustFetch(context)).item.messages, [again, again], "the second and the third");
  },

  async "a released message comes before later ones"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "message-0"));
    const first = await mustFetch(context);
    await provider.enqueueForOrchestrator(raised("a", "message-1"));
    await provider.abandonOrchestrationItem(first.lockToken);
    check.equal((await mustFetch(context)).item.messages, numbered("a", 0, 2), "the messages");
  },

  async "messages that came during a turn precede messages that the turn sends to its instance, unless those were due before"(
    context,
  ) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(context);
    await provider.enqueueForOrchestrator(raised("a", "meanwhile"));
    await ack(context, fetched, { orchestratorItems: [raised("a", "own"), timer("a", 1)] });
    const expected = [timer("a", 1), raised("a", "meanwhile"), raised("a", "own")];
    check.equal((await mustFetch(context)).item.messages, expected, "the messages");
  },

  async "a timer that is sent directly is due by its delay, whatever time it names"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    const past = timer("a", time.now() - 60_000, 2);
    const future = timer("a", time.now() + 60_000, 3);
    await provider.enqueueForOrchestrator(past, 500);
    await provider.enqueueForOrchestrator(future);
    const first = await mustFetch(context);
    check.equal(first.item.messages, [future], "the messages at once");
    await ack(context, first);
    check.absent(await fetchOrchestration(context), "the other one during its delay");
    await time.pass(600);
    check.equal((await fetchOrchestration(context))?.item.messages, [past], "the messages after the delay");
  },

  async "a message that is due after the year 275,760 is kept, and hides no other message"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "never"), Number.MAX_SAFE_INTEGER);
    await provider.enqueueForOrchestrator(raised("a", "now"));
    const fetched = await mustFetch(context);
    check.equal(fetched.item.messages, [raised("a", "now")], "the messages");
    const endless = {
      kind: "TimerFired",
      instance: "a",
      execution_id: 1,
      id: 2,
      fire_at_ms: 2n ** 64n - 1n,
    } as const;
    await ack(context, fetched, { orchestratorItems: [endless] });
    await time.pass(1_000);
    check.absent(await fetchOrchestration(context), "a fetch a second later");
    check.equal((await context.admin.getQueueDepths()).timerQueue, 2, "what is waiting");
  },

  async "a batch has the highest attempt count of its messages, in any position"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "older"), 50);
    await provider.enqueueForOrchestrator(raised("a", "younger"));
    for (const _ of [1, 2]) await provider.abandonOrchestrationItem((await mustFetch(context)).lockToken);
    await time.pass(60);
    const { item, attemptCount } = await mustFetch(context);
    check.equal([item.messages.length, attemptCount], [2, 3], "messages and attempts");
  },
});
