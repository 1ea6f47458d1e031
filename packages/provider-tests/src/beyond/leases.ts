/** A lease begins when it is taken, and no renewal shortens it (hazards W21 and W25). */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import { activity, raised, startItem } from "../messages.ts";
import {
  ack,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  mustFetchWork,
  passLock,
} from "../steps.ts";

export const leases: readonly ProviderCase[] = casesOf("leases", {
  ...needing(["long-polling"], {
    async "the lease of a fetch that waited begins when the work was found"(context) {
      const { provider, check, time } = context;
      const waiting = provider.fetchOrchestrationItem({ lockTimeoutMs: 1_000, pollTimeoutMs: 5_000 });
      await time.pass(900);
      await provider.enqueueForOrchestrator(startItem("a"));
      const { value: fetched } = await time.measure(() => waiting, 5_000);
      await time.pass(900);
      await ack(context, given(fetched, "the waiting fetch found nothing"));
      check.absent(await fetchOrchestration(context), "the message, after a commit within the lease");
    },
  }),

  async "a renewal never moves the end of a turn's lock backwards"(context) {
    const { provider, check, time } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const { lockToken } = await mustFetch(context, { lockTimeoutMs: 2_000 });
    await provider.renewOrchestrationItemLock(lockToken, 100);
    await time.pass(1_000);
    check.absent(await fetchOrchestration(context), "a fetch before the first deadline");
    await provider.renewOrchestrationItemLock(lockToken, 2_000);
    await time.pass(1_500);
    check.absent(await fetchOrchestration(context), "a fetch before the renewed deadline");
    await time.pass(600);
    check.present(await fetchOrchestration(context), "a fetch after it");
  },

  async "a renewal never moves the end of an activity's lock backwards"(context) {
    const { provider, check, time } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const { lockToken } = await mustFetchWork(context, { lockTimeoutMs: 2_000 });
    await provider.renewWorkItemLock(lockToken, 100);
    await time.pass(1_000);
    check.absent(await fetchWork(context), "a fetch before the first deadline");
    await provider.renewWorkItemLock(lockToken, 2_000);
    await time.pass(1_500);
    check.absent(await fetchWork(context), "a fetch before the renewed deadline");
    await time.pass(600);
    check.present(await fetchWork(context), "a fetch after it");
  },

  async "an expired turn that was not fetched again can still be released"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const { lockToken } = await mustFetch(context);
    await passLock(context);
    await provider.abandonOrchestrationItem(lockToken, { ignoreAttempt: true });
    check.equal((await fetchOrchestration(context))?.attemptCount, 1, "the attempts");
  },

  async "an expired turn that was not fetched again can still be released with a delay"(context) {
    const { provider, check, time } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const { lockToken } = await mustFetch(context);
    await passLock(context);
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 1_000 });
    check.absent(await fetchOrchestration(context), "a fetch during the delay");
    await time.pass(1_100);
    check.present(await fetchOrchestration(context), "a fetch after the delay");
  },

  async "an expired activity that was not fetched again can still be released"(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const { lockToken } = await mustFetchWork(context);
    await passLock(context);
    const tagFilter = { kind: "tags", tags: ["of other work"] } as const;
    check.absent(await fetchWork(context, { tagFilter }), "a fetch that may not take it");
    await provider.abandonWorkItem(lockToken, { ignoreAttempt: true });
    check.equal((await fetchWork(context))?.attemptCount, 1, "the attempts");
  },

  async "while a turn is renewed, messages that come wait for its end"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "one"));
    const fetched = await mustFetch(context, { lockTimeoutMs: 1_000 });
    for (let n = 0; n < 5; n++) {
      await time.pass(600);
      await provider.renewOrchestrationItemLock(fetched.lockToken, 1_000);
      await provider.enqueueForOrchestrator(raised("a", `late-${n}`));
      check.absent(await fetchOrchestration(context), "a fetch during the turn");
    }
    await ack(context, fetched);
    check.equal((await fetchOrchestration(context))?.item.messages.length, 5, "messages after the turn");
  },
});
