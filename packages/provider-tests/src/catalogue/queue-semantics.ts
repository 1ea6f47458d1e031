/** Order, locks and visibility in both queues. Catalogue: queue_semantics. */
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, completion, queueMessage, startItem, timer } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetchWork, passLock } from "../steps.ts";

export const queueSemantics: readonly ProviderCase[] = casesOf("queue_semantics", {
  async test_worker_queue_fifo_ordering(context) {
    const { provider, check } = context;
    const activities = [0, 1, 2, 3, 4].map((n) => activity("a", n + 1, { input: String(n) }));
    for (const each of activities) await provider.enqueueForWorker(each);

    for (const each of activities) {
      check.equal((await fetchWork(context))?.item, each, `activity ${each.input}`);
    }
    check.absent(await fetchWork(context), "a sixth activity");
  },

  async test_worker_peek_lock_semantics(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const work = check.present(await fetchWork(context), "the activity");
    check.absent(await fetchWork(context), "the activity while it is locked");

    await provider.ackWorkItem(work.lockToken, completion("a", 1));

    check.absent(await fetchWork(context), "the activity after its ack");
  },

  async test_worker_ack_atomicity(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const work = await mustFetchWork(context);

    await provider.ackWorkItem(work.lockToken, completion("a", 2));

    check.absent(await fetchWork(context), "the activity after its ack");
    const { item } = check.present(await fetchOrchestration(context), "its instance");
    check.equal(item.messages, [completion("a", 2)], "one completion");
  },

  async test_timer_delayed_visibility(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    const fired = timer("a", time.now() + 5_000);
    await provider.enqueueForOrchestrator(fired, 5_000);

    check.absent(await fetchOrchestration(context), "the timer before its time");
    await time.pass(5_100);
    check.equal((await fetchOrchestration(context))?.item.messages, [fired], "the timer after its time");
  },

  async test_lost_lock_token_handling(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    await mustFetchWork(context);

    check.absent(await fetchWork(context), "the activity while its lock may hold");
    await passLock(context);
    check.equal((await fetchWork(context))?.item, activity("a", 1), "the activity after the lock");
  },

  async test_worker_item_immediate_visibility(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    check.equal((await fetchWork(context))?.item, activity("a", 1), "the activity, at once");
  },

  async test_worker_delayed_visibility_skips_future_items(context) {
    const { provider, check, time } = context;
    for (const id of [1, 2, 3]) await provider.enqueueForWorker(activity("a", id));
    const first = await mustFetchWork(context);
    check.equal(first.item, activity("a", 1), "the first activity");

    await provider.abandonWorkItem(first.lockToken, { delayMs: 3_000 });

    check.equal((await fetchWork(context))?.item, activity("a", 2), "the second, past the hidden first");
    await time.pass(3_100);
    check.equal((await fetchWork(context))?.item, activity("a", 1), "the first after its delay");
    check.equal((await fetchWork(context))?.item, activity("a", 3), "the third, behind it");
  },

  async test_orphan_queue_messages_dropped(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(queueMessage("orphan", "one"));
    await provider.enqueueForOrchestrator(queueMessage("orphan", "two"));

    check.absent(await fetchOrchestration(context), "a first fetch of messages without an instance");
    check.absent(await fetchOrchestration(context), "a second fetch of messages without an instance");
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(queueMessage("a", "three"));
    check.equal(
      (await fetchOrchestration(context))?.item.messages,
      [queueMessage("a", "three")],
      "a message for an instance that exists",
    );
    await provider.enqueueForOrchestrator(startItem("orphan"));
    check.equal(
      (await fetchOrchestration(context))?.item.messages,
      [startItem("orphan")],
      "the start of the unknown instance, without the messages that were deleted",
    );
  },
});
