/** A session belongs to one worker, whichever instances use it (hazards W31, W32 and W38). */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetchWork } from "../steps.ts";

const as = (ownerId: string, lockTimeoutMs = 60_000) => ({ session: { ownerId, lockTimeoutMs } });

function enqueue({ provider }: CaseContext, instance: string, id: number, sessionId: string): Promise<void> {
  return provider.enqueueForWorker(activity(instance, id, { session_id: sessionId }));
}

export const sharedSessions: readonly ProviderCase[] = casesOf("shared_sessions", {
  async "two instances that share a session are served by one worker"(context) {
    const { check } = context;
    await enqueue(context, "a", 1, "s");
    await enqueue(context, "b", 2, "s");
    await mustFetchWork(context, as("me"));
    check.absent(await fetchWork(context, as("you")), "the other instance's activity, for another worker");
    check.equal((await fetchWork(context, as("me")))?.item.instance, "b", "it, for the owner");
  },

  async "many workers that ask at once get one owner for a session"(context) {
    const { check } = context;
    for (let id = 1; id <= 12; id++) await enqueue(context, `instance-${id % 3}`, id, "s");
    const workers = Array.from({ length: 8 }, (_, n) => fetchWork(context, as(`worker-${n}`)));
    const fetched = (await Promise.all(workers)).filter((work) => work !== undefined);
    check.equal(fetched.length, 1, "activities, one for the winner");
  },

  async "an activity that was not delivered because of its session has lost nothing"(context) {
    const { check, provider } = context;
    await enqueue(context, "a", 1, "s");
    await enqueue(context, "b", 2, "s");
    const first = await mustFetchWork(context, as("me", 1_000));
    for (let n = 0; n < 5; n++) await fetchWork(context, as("you"));
    await provider.ackWorkItem(first.lockToken);
    await context.time.pass(1_100);
    const second = await fetchWork(context, as("you"));
    check.equal([second?.item.id, second?.attemptCount], [2, 1], "the activity and its attempts");
  },

  async "a session with a locked activity is not cleaned up, nor one that was claimed again"(context) {
    const { check, provider, time } = context;
    await enqueue(context, "a", 1, "busy");
    await mustFetchWork(context, { ...as("me", 50), lockTimeoutMs: 60_000 });
    await enqueue(context, "a", 2, "claimed");
    const claimed = await mustFetchWork(context, as("me", 50));
    await provider.ackWorkItem(claimed.lockToken);
    await time.pass(60);
    await enqueue(context, "b", 3, "claimed");
    await mustFetchWork(context, as("you"));
    check.equal(await provider.cleanupOrphanedSessions(), 0, "removed sessions");
  },

  async "renewing extends the sessions of the named owners only"(context) {
    const { check, provider, time } = context;
    await enqueue(context, "a", 1, "mine");
    await enqueue(context, "a", 2, "yours");
    await mustFetchWork(context, as("me", 1_000));
    await mustFetchWork(context, as("you", 1_000));
    await time.pass(500);
    const renew = (...ownerIds: readonly string[]): Promise<number> =>
      provider.renewSessionLocks({ ownerIds, extendMs: 5_000, idleTimeoutMs: 60_000 });
    check.equal(await renew("me", "unknown"), 1, "renewed sessions");
    check.equal(await renew(), 0, "of no owner");
    await time.pass(600);
    await enqueue(context, "a", 3, "mine");
    await enqueue(context, "a", 4, "yours");
    check.equal((await fetchWork(context, as("them")))?.item.id, 4, "what another worker may take");
  },

  async "renewing does not shorten a session"(context) {
    const { check, provider, time } = context;
    await enqueue(context, "a", 1, "s");
    await mustFetchWork(context, as("me", 5_000));
    await provider.renewSessionLocks({ ownerIds: ["me"], extendMs: 50, idleTimeoutMs: 60_000 });
    await time.pass(100);
    await enqueue(context, "b", 2, "s");
    check.absent(await fetchWork(context, as("you")), "an activity of the session, for another worker");
  },

  async "deleting an instance leaves a session that another one shares with its owner"(context) {
    const { check, provider } = context;
    await enqueue(context, "a", 1, "s");
    await mustFetchWork(context, as("me"));
    await provider.admin.deleteInstances({ instanceIds: ["a"] });
    await enqueue(context, "b", 2, "s");
    check.absent(await fetchWork(context, as("you")), "for another worker");
    check.equal((await fetchWork(context, as("me")))?.item.id, 2, "for the owner");
  },

  async "renewing counts each session once, however often and for however many its owner is named"(context) {
    const { check, provider } = context;
    for (const [index, session] of ["s", "t", "u"].entries()) await enqueue(context, "a", index + 1, session);
    for (const owner of ["me", "me", "you"]) await mustFetchWork(context, as(owner));
    const ownerIds = ["me", "you", "you", "unknown"];
    const renewal = { ownerIds, extendMs: 60_000, idleTimeoutMs: 60_000 };
    check.equal(await provider.renewSessionLocks(renewal), 3, "renewed sessions");
  },

  async "an activity of a session goes by its tag as well"(context) {
    const { check, provider } = context;
    await provider.enqueueForWorker(activity("a", 1, { session_id: "s", tag: "gpu" }));
    await enqueue(context, "a", 2, "s");
    check.equal((await fetchWork(context, as("me")))?.item.id, 2, "the one without a tag");
    check.absent(await fetchWork(context, as("me")), "another one without a tag");
    const tagFilter = { kind: "any" } as const;
    check.absent(await fetchWork(context, { ...as("you"), tagFilter }), "the other one, for another worker");
    check.equal((await fetchWork(context, { ...as("me"), tagFilter }))?.item.id, 1, "it, for the owner");
  },

  async "an activity whose session has expired can still be renewed and completed"(context) {
    const { check, provider, time } = context;
    await createInstance(context, "a");
    await enqueue(context, "a", 2, "s");
    const { lockToken } = await mustFetchWork(context, as("me", 50));
    await time.pass(60);
    await provider.renewWorkItemLock(lockToken, context.lockMs);
    await provider.ackWorkItem(lockToken, completion("a", 2));
    check.equal((await fetchOrchestration(context))?.item.messages, [completion("a", 2)], "the messages");
  },
});
