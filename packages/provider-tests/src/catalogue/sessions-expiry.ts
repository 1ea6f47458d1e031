/** Fates of a session, and of the activities held in it, when locks expire. Catalogue: sessions. */
import { casesOf, type ProviderCase } from "../case.ts";
import { completion } from "../messages.ts";
import { createInstance, fetchOrchestration } from "../steps.ts";
import { AFTER_SHORT_MS, claim, enqueue, fetchAs, mustFetchAs, SHORT_MS } from "./session-steps.ts";

/** A lock that outlasts a few calls, but not by much, and a wait that outlasts it. */
const BRIEF_MS = 200;
const AFTER_BRIEF_MS = BRIEF_MS + 50;

export const sessionsExpiry: readonly ProviderCase[] = casesOf("sessions", {
  async test_session_claimable_after_lock_expiry(context) {
    const { check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await time.pass(AFTER_SHORT_MS);
    await enqueue(context, 1, "s1");

    check.equal((await fetchAs(context, "B"))?.item.id, 1, "an activity for B of what was A's session");
  },

  async test_session_takeover_after_lock_expiry(context) {
    const { check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await enqueue(context, 1, "s1");
    await enqueue(context, 2, "s1");
    await time.pass(AFTER_SHORT_MS);

    check.equal((await fetchAs(context, "B"))?.item.id, 1, "the waiting activity, for B");
    check.absent(await fetchAs(context, "A"), "the next one for A, whose session it was");
  },

  async test_original_worker_reclaims_expired_session(context) {
    const { check, time } = context;
    await claim(context, "A", "s1", { sessionMs: SHORT_MS });
    await time.pass(AFTER_SHORT_MS);
    await enqueue(context, 1, "s1");

    check.equal((await fetchAs(context, "A"))?.item.id, 1, "a new activity for A");
  },

  async test_activity_lock_expires_session_lock_valid_same_worker_refetches(context) {
    const { check, time } = context;
    await enqueue(context, 1, "s1");
    await mustFetchAs(context, "A", { lockTimeoutMs: 500 });
    await time.pass(600);

    check.absent(await fetchAs(context, "B"), "the redelivery for B, while the session is A's");
    const again = check.present(await fetchAs(context, "A"), "the redelivery for A");
    check.equal(again.item.id, 1, "its id");
    check.equal(again.attemptCount, 2, "its attempt");
  },

  async test_session_lock_expires_new_owner_gets_redelivery(context) {
    const { provider, check, time } = context;
    await enqueue(context, 1, "s1");
    const held = await mustFetchAs(context, "A", { lockTimeoutMs: 5_000, sessionMs: BRIEF_MS });
    await time.pass(AFTER_BRIEF_MS);
    await enqueue(context, 2, "s1");
    check.equal(
      (await fetchAs(context, "B"))?.item.id,
      2,
      "the new activity, with which B claims the session",
    );

    await provider.abandonWorkItem(held.lockToken);

    const again = check.present(await fetchAs(context, "B"), "what A gave back, for B");
    check.equal(again.item.id, 1, "its id");
    check.equal(again.attemptCount, 2, "its attempt");
  },

  async test_session_lock_expires_same_worker_reacquires(context) {
    const { check, time } = context;
    await claim(context, "A", "s1", { sessionMs: BRIEF_MS });
    await time.pass(AFTER_BRIEF_MS);
    await enqueue(context, 1, "s1");
    await enqueue(context, 2, "s1");

    check.equal((await fetchAs(context, "A"))?.item.id, 1, "a new activity for A");
    check.absent(await fetchAs(context, "B"), "the next one for B, as A owns the session again");
  },

  async test_both_locks_expire_different_worker_claims(context) {
    const { check, time } = context;
    await enqueue(context, 1, "s1");
    await mustFetchAs(context, "A", { lockTimeoutMs: BRIEF_MS, sessionMs: BRIEF_MS });
    await time.pass(AFTER_BRIEF_MS);

    const again = check.present(await fetchAs(context, "B"), "the redelivery for B");
    check.equal(again.item.id, 1, "its id");
    check.equal(again.attemptCount, 2, "its attempt");
  },

  async test_session_lock_expires_activity_lock_valid_ack_succeeds(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a");
    await enqueue(context, 1, "s1");
    const held = await mustFetchAs(context, "A", { sessionMs: BRIEF_MS });
    await time.pass(AFTER_BRIEF_MS);

    await provider.ackWorkItem(held.lockToken, completion("a", 1));

    check.equal(
      (await fetchOrchestration(context))?.item.messages,
      [completion("a", 1)],
      "the outcome, which the ack delivered",
    );
    check.absent(await fetchAs(context, "A"), "the activity, which the ack removed");
  },
});
