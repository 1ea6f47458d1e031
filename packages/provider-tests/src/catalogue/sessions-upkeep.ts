/** Sessions are extended while they are in use, and swept up afterwards. Catalogue: sessions, renewal and clean-up. */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import {
  AFTER_SHORT_MS,
  claim,
  enqueue,
  fetchAs,
  mustFetchAs,
  SESSION_MS,
  SHORT_MS,
} from "./session-steps.ts";

/** Long enough to call no session of a case idle. */
const NEVER_IDLE_MS = 300_000;

export const sessionsUpkeep: readonly ProviderCase[] = casesOf("sessions", {
  async test_renew_session_lock_active(context) {
    const { check } = context;
    await claim(context, "B", "other");
    await claim(context, "A", "s1");
    check.equal(await renewOwn(context), 1, "renewed: A's only session, and not that of B");

    await claim(context, "A", "s2");
    check.equal(await renewOwn(context), 2, "renewed: A's two sessions");
  },

  async test_renew_session_lock_skips_idle(context) {
    await claim(context, "A", "s1");

    context.check.equal(await renewOwn(context, 0), 0, "renewed where every session counts as idle");
  },

  async test_renew_session_lock_no_sessions(context) {
    context.check.equal(await renewOwn(context), 0, "renewed where there are no sessions");
  },

  async test_cleanup_removes_expired_no_items(context) {
    const { provider, check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await time.pass(AFTER_SHORT_MS);

    check.equal(await provider.cleanupOrphanedSessions(), 1, "removed");
    check.equal(await provider.cleanupOrphanedSessions(), 0, "removed by a second clean-up");
  },

  async test_cleanup_keeps_sessions_with_pending_items(context) {
    const { provider, check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await enqueue(context, 1, "s1");
    await time.pass(AFTER_SHORT_MS);

    check.equal(await provider.cleanupOrphanedSessions(), 0, "removed while an activity is queued");
  },

  async test_cleanup_keeps_active_sessions(context) {
    const { provider, check } = context;
    await claim(context, "A", "s1", { sessionMs: 300_000 });

    check.equal(await provider.cleanupOrphanedSessions(), 0, "removed while the session's lock is valid");
  },

  async test_ack_updates_session_last_activity(context) {
    const { provider, check, time } = context;
    await enqueue(context, 1, "s1");
    const { lockToken } = await mustFetchAs(context, "A");
    await time.pass(250);

    await provider.ackWorkItem(lockToken);

    check.equal(await renewOwn(context, 200), 1, "renewed: the ack was activity");
  },

  async test_renew_work_item_updates_session_last_activity(context) {
    const { provider, check, time } = context;
    await enqueue(context, 1, "s1");
    const { lockToken } = await mustFetchAs(context, "A");
    await time.pass(250);

    await provider.renewWorkItemLock(lockToken, context.lockMs);

    check.equal(await renewOwn(context, 200), 1, "renewed: the renewal of the item was activity");
  },

  async test_cleanup_then_new_item_recreates_session(context) {
    const { provider, check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await time.pass(AFTER_SHORT_MS);
    check.equal(await provider.cleanupOrphanedSessions(), 1, "removed");
    await enqueue(context, 1, "s1");
    await enqueue(context, 2, "s1");

    check.equal((await fetchAs(context, "B"))?.item.id, 1, "a new activity, for any worker");
    check.absent(await fetchAs(context, "A"), "the next one for a worker that is not the new owner");
  },

  async test_renew_session_lock_after_expiry_returns_zero(context) {
    const { check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await time.pass(AFTER_SHORT_MS);

    check.equal(await renewOwn(context), 0, "renewed after the lock expired");
  },

  async test_session_lock_renewal_extends_past_original_timeout(context) {
    const { provider, check, time } = context;
    const renewal = { ownerIds: ["A"], extendMs: 1_000, idleTimeoutMs: NEVER_IDLE_MS };
    await claim(context, "A", "s1", { sessionMs: 1_000 });
    await time.pass(600);
    check.equal(await provider.renewSessionLocks(renewal), 1, "renewed after 0.6 s");
    await time.pass(400);
    await enqueue(context, 1, "s1");

    check.absent(await fetchAs(context, "B"), "a new activity for B, when the original lock is over");
    check.equal((await fetchAs(context, "A"))?.item.id, 1, "the new activity for A");
  },
});

/** Extends the sessions of worker A; answers how many. */
function renewOwn({ provider }: CaseContext, idleTimeoutMs = NEVER_IDLE_MS): Promise<number> {
  return provider.renewSessionLocks({ ownerIds: ["A"], extendMs: SESSION_MS, idleTimeoutMs });
}
