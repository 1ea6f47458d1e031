/** How often a message was fetched is counted, so that the runtime can give up on it. Catalogue: poison_message. */
import type { AbandonOptions } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, queueMessage, raised, startItem } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";

export const poisonMessage: readonly ProviderCase[] = casesOf("poison_message", {
  async orchestration_attempt_count_starts_at_one(context) {
    await context.provider.enqueueForOrchestrator(startItem("a"));
    context.check.equal((await fetchOrchestration(context))?.attemptCount, 1, "the attempt");
  },

  async orchestration_attempt_count_increments_on_refetch(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));

    for (const attempt of [1, 2, 3]) {
      const fetched = await mustFetch(context);
      check.equal(fetched.attemptCount, attempt, "the attempt");
      await provider.abandonOrchestrationItem(fetched.lockToken);
    }
  },

  async worker_attempt_count_starts_at_one(context) {
    await context.provider.enqueueForWorker(activity("a", 1));
    context.check.equal((await fetchWork(context))?.attemptCount, 1, "the attempt");
  },

  async worker_attempt_count_increments_on_lock_expiry(context) {
    const { provider, check, time } = context;
    await provider.enqueueForWorker(activity("a", 1));
    await mustFetchWork(context, { lockTimeoutMs: 1_000 });

    await time.pass(1_100);

    check.equal((await fetchWork(context))?.attemptCount, 2, "the attempt after a lock that expired");
  },

  async attempt_count_is_per_message(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    await provider.enqueueForWorker(activity("a", 2));

    check.equal((await fetchWork(context))?.attemptCount, 1, "the attempt at the first activity");
    check.equal((await fetchWork(context))?.attemptCount, 1, "the attempt at the second activity");
  },

  async abandon_work_item_ignore_attempt_decrements(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const first = await mustFetchWork(context);
    check.equal(first.attemptCount, 1, "the first attempt");
    await provider.abandonWorkItem(first.lockToken);
    const second = await mustFetchWork(context);
    check.equal(second.attemptCount, 2, "the second attempt");

    await provider.abandonWorkItem(second.lockToken, { ignoreAttempt: true });

    check.equal((await fetchWork(context))?.attemptCount, 2, "the second attempt, once more");
  },

  async abandon_orchestration_item_ignore_attempt_decrements(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const first = await mustFetch(context);
    check.equal(first.attemptCount, 1, "the first attempt");
    await provider.abandonOrchestrationItem(first.lockToken);
    const second = await mustFetch(context);
    check.equal(second.attemptCount, 2, "the second attempt");

    await provider.abandonOrchestrationItem(second.lockToken, { ignoreAttempt: true });

    check.equal((await fetchOrchestration(context))?.attemptCount, 2, "the second attempt, once more");
  },

  async ignore_attempt_never_goes_negative(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    await provider.enqueueForOrchestrator(startItem("a"));

    for (let round = 1; round <= 2; round++) {
      const { lockToken } = await mustFetchWork(context);
      await provider.abandonWorkItem(lockToken, { ignoreAttempt: true });
      await provider.abandonOrchestrationItem((await mustFetch(context)).lockToken, { ignoreAttempt: true });
    }

    check.equal((await fetchWork(context))?.attemptCount, 1, "the attempt at the activity");
    check.equal((await fetchOrchestration(context))?.attemptCount, 1, "the attempt at the orchestration");
  },

  async max_attempt_count_across_message_batch(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await fetchAndAbandon(context);
    await fetchAndAbandon(context);
    await provider.enqueueForOrchestrator(completion("a", 1));

    const { item, attemptCount } = check.present(await fetchOrchestration(context), "both messages");

    check.equal(item.messages, [startItem("a"), completion("a", 1)], "the messages");
    check.equal(attemptCount, 3, "the attempt, of the message that was fetched most often");
  },

  async orchestration_ignore_attempt_preserves_hidden_start(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(startItem("a"));
    await fetchAndAbandon(context);
    await fetchAndAbandon(context, { delayMs: 1_000 });
    await provider.enqueueForOrchestrator(queueMessage("a", "q"));
    const alone = check.present(await fetchOrchestration(context), "the queue message");
    check.equal(alone.item.messages, [queueMessage("a", "q")], "the messages while the start is hidden");
    check.equal(alone.attemptCount, 1, "the attempt at the queue message");

    await provider.abandonOrchestrationItem(alone.lockToken, { ignoreAttempt: true });

    const still = check.present(await fetchOrchestration(context), "the queue message, given back");
    check.equal(still.item.messages, [queueMessage("a", "q")], "the messages after the undo");
    await provider.abandonOrchestrationItem(still.lockToken, { ignoreAttempt: true });
    await time.pass(1_100);
    const both = check.present(await fetchOrchestration(context), "the start, and the message");
    check.equal(both.item.messages, [startItem("a"), queueMessage("a", "q")], "the messages in the end");
    check.equal(both.attemptCount, 3, "the attempt at the start, which the undo did not touch");
  },

  async orchestration_delayed_abandon_preserves_unlocked_rows(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "first"));
    const { lockToken } = await mustFetch(context);
    await provider.enqueueForOrchestrator(raised("a", "second"));

    await provider.abandonOrchestrationItem(lockToken, { delayMs: 5_000 });

    const later = check.present(await fetchOrchestration(context), "what arrived during the lock, at once");
    check.equal(later.item.messages, [raised("a", "second")], "the messages, without the hidden one");
  },
});

async function fetchAndAbandon(context: CaseContext, options: AbandonOptions = {}): Promise<void> {
  const { lockToken } = await mustFetch(context);
  await context.provider.abandonOrchestrationItem(lockToken, options);
}
