/** Ends of locks, and what prolongs them. Catalogue: lock_expiration. */
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, completion, raised, started, startItem } from "../messages.ts";
import {
  ack,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  passLock,
  staggered,
} from "../steps.ts";

export const lockExpiration: readonly ProviderCase[] = casesOf("lock_expiration", {
  async test_lock_expires_after_timeout(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const first = await mustFetch(context);
    await passLock(context);

    const second = check.present(await fetchOrchestration(context), "a fetch after the lock");
    check.notEqual(second.lockToken, first.lockToken, "the token of the new holder");
    const late = ack(context, first, { historyDelta: [started("a")] });
    await check.rejects(late, "lock-lost", "an ack with the old token");
  },

  async test_abandon_releases_lock_immediately(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);

    await provider.abandonOrchestrationItem(fetched.lockToken);

    const again = check.present(await fetchOrchestration(context), "a fetch after the abandon");
    check.equal(again.item.messages, [startItem("a")], "the messages");
  },

  async test_lock_renewal_on_ack(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    await provider.enqueueForOrchestrator(raised("a", "second"));
    check.absent(await fetchOrchestration(context), "a fetch before the ack");

    await ack(context, fetched, { historyDelta: [started("a")] });

    const next = check.present(await fetchOrchestration(context), "a fetch after the ack");
    check.equal(next.item.messages, [raised("a", "second")], "the messages");
  },

  async test_concurrent_lock_attempts_respect_expiration(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await mustFetch(context);

    const during = await staggered(context, 5, 30, () => fetchOrchestration(context));

    check.equal(during, [undefined, undefined, undefined, undefined, undefined], "fetches during the lock");
    await passLock(context);
    check.present(await fetchOrchestration(context), "a fetch after the lock");
  },

  async test_worker_lock_renewal_success(context) {
    const { provider, check, time } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const work = await mustFetchWork(context);
    await time.pass(100);

    await provider.renewWorkItemLock(work.lockToken, context.lockMs);

    check.absent(await fetchWork(context), "a fetch after the renewal");
  },

  async test_worker_lock_renewal_invalid_token({ provider, check }) {
    const renewal = provider.renewWorkItemLock("unknown", 30_000);
    await check.rejects(renewal, "lock-lost", "a token that was never handed out");
  },

  async test_worker_lock_renewal_after_expiration(context) {
    const { provider, check, time } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const work = await mustFetchWork(context, { lockTimeoutMs: 1_000 });
    await time.pass(context.lockMs);

    const renewal = provider.renewWorkItemLock(work.lockToken, context.lockMs);

    await check.rejects(renewal, "lock-lost", "a renewal after the lock");
  },

  async test_worker_lock_renewal_extends_timeout(context) {
    const { provider, check, time, lockMs } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const work = await mustFetchWork(context);

    await time.pass(lockMs * 0.6);
    await provider.renewWorkItemLock(work.lockToken, lockMs);
    await time.pass(lockMs * 0.4);

    check.absent(await fetchWork(context), "a fetch when the first lease is over");
  },

  async test_worker_lock_renewal_after_ack(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const work = await mustFetchWork(context);
    await provider.ackWorkItem(work.lockToken, completion("a", 1));

    const renewal = provider.renewWorkItemLock(work.lockToken, context.lockMs);

    await check.rejects(renewal, "lock-lost", "a renewal after the ack");
  },

  async test_abandon_work_item_releases_lock(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const first = await mustFetchWork(context);

    await provider.abandonWorkItem(first.lockToken);

    const second = check.present(await fetchWork(context), "a fetch after the abandon");
    check.equal(second.item, first.item, "the activity");
    check.notEqual(second.lockToken, first.lockToken, "the token of the second holder");
  },

  async test_abandon_work_item_with_delay(context) {
    const { provider, check, time } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const work = await mustFetchWork(context);

    await provider.abandonWorkItem(work.lockToken, { delayMs: 3_000 });

    check.absent(await fetchWork(context), "a fetch at once");
    await time.pass(3_100);
    check.equal((await fetchWork(context))?.item, activity("a", 1), "the activity after the delay");
  },

  async test_worker_ack_fails_after_lock_expiry(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const work = await mustFetchWork(context, { lockTimeoutMs: 1_000 });
    await time.pass(1_200);

    const late = provider.ackWorkItem(work.lockToken, completion("a", 2));

    await check.rejects(
      late,
      "lock-lost",
      "an ack after the lock, although no other fetch took the activity",
    );
    check.absent(await fetchOrchestration(context), "a completion of the late ack");
    check.equal((await fetchWork(context))?.item, activity("a", 2), "the activity, fetched again");
  },

  async test_orchestration_lock_renewal_after_expiration(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const { lockToken } = await mustFetch(context);
    await passLock(context);

    const renewal = provider.renewOrchestrationItemLock(lockToken, context.lockMs);

    await check.rejects(renewal, "lock-lost", "a renewal after the lock");
  },
});
