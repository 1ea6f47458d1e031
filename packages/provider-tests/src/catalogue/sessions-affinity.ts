/** The activities of a session go to the worker that owns it. Catalogue: sessions, as long as no lock expires. */
import { casesOf, type ProviderCase } from "../case.ts";
import { activity } from "../messages.ts";
import { fetchWork } from "../steps.ts";
import { claim, enqueue, fetchAs, mustFetchAs } from "./session-steps.ts";

export const sessionsAffinity: readonly ProviderCase[] = casesOf("sessions", {
  async test_non_session_items_fetchable_by_any_worker(context) {
    await enqueue(context, 1);

    context.check.equal((await fetchAs(context, "A"))?.item, activity("a", 1), "the plain activity");
  },

  async test_session_item_claimable_when_no_session(context) {
    await enqueue(context, 1, "s1");

    const fetched = await fetchAs(context, "A");

    context.check.equal(fetched?.item, activity("a", 1, { session_id: "s1" }), "the activity of the session");
  },

  async test_session_affinity_same_worker(context) {
    await claim(context, "A", "s1");
    await enqueue(context, 1, "s1");

    context.check.equal((await fetchAs(context, "A"))?.item.id, 1, "the owner's next activity");
  },

  async test_session_affinity_blocks_other_worker(context) {
    await claim(context, "A", "s1");
    await enqueue(context, 1, "s1");

    context.check.absent(await fetchAs(context, "B"), "an activity of A's session for B");
  },

  async test_different_sessions_different_workers(context) {
    const { check } = context;
    await claim(context, "A", "s1");
    await claim(context, "B", "s2");
    await enqueue(context, 1, "s1");
    await enqueue(context, 2, "s2");

    check.equal((await fetchAs(context, "B"))?.item.id, 2, "the next activity of B's session");
    check.equal((await fetchAs(context, "A"))?.item.id, 1, "the next activity of A's session");
  },

  async test_mixed_session_and_non_session_items(context) {
    await claim(context, "A", "s1");
    await enqueue(context, 1, "s1");
    await enqueue(context, 2);

    context.check.equal(
      (await fetchAs(context, "B"))?.item.id,
      2,
      "the plain one behind that of A's session",
    );
  },

  async test_none_session_skips_session_items(context) {
    const { check } = context;
    await enqueue(context, 1, "s1");
    await enqueue(context, 2);

    check.equal((await fetchWork(context))?.item.id, 2, "the plain one, for a worker without sessions");
    check.absent(await fetchWork(context), "another one for a worker without sessions");
    check.equal((await fetchAs(context, "A"))?.item.id, 1, "that of the session, for a worker with sessions");
  },

  async test_some_session_returns_all_items(context) {
    const queued = ["s1", undefined, "s2", "s3"];
    for (const [index, session] of queued.entries()) await enqueue(context, index + 1, session);

    for (const [index, session] of queued.entries()) {
      const fetched = await fetchAs(context, "A");
      context.check.equal(
        fetched?.item.id,
        index + 1,
        `activity ${index + 1}, of ${session ?? "no session"}`,
      );
    }
  },

  async test_session_items_processed_in_order(context) {
    const { provider, check } = context;
    for (const id of [1, 2, 3]) await enqueue(context, id, "s1");

    for (const id of [1, 2, 3]) {
      const fetched = check.present(await fetchAs(context, "A"), `activity ${id}`);
      check.equal(fetched.item.id, id, "the next activity");
      await provider.ackWorkItem(fetched.lockToken);
    }
  },

  async test_non_session_items_returned_with_session_config(context) {
    await claim(context, "A", "s1");
    await enqueue(context, 1);

    context.check.equal(
      (await fetchAs(context, "A"))?.item.id,
      1,
      "a plain activity for the owner of a session",
    );
  },

  async test_shared_worker_id_any_caller_can_fetch_owned_session(context) {
    const { check } = context;
    for (const id of [1, 2, 3]) await enqueue(context, id, "s1");

    check.equal((await fetchAs(context, "A"))?.item.id, 1, "for the first caller of worker A");
    check.equal((await fetchAs(context, "A"))?.item.id, 2, "for the second caller of worker A");
    check.absent(await fetchAs(context, "B"), "the third activity for another worker");
  },

  async test_concurrent_session_claim_only_one_wins(context) {
    const { check } = context;
    for (const id of [1, 2]) await enqueue(context, id, "s1");

    check.equal((await fetchAs(context, "A"))?.item.id, 1, "the first activity, which A holds");
    check.absent(await fetchAs(context, "B"), "the second activity for B");
  },

  async test_abandoned_session_item_retryable(context) {
    const { provider, check } = context;
    await enqueue(context, 1, "s1");
    const first = await mustFetchAs(context, "A");
    await provider.abandonWorkItem(first.lockToken);

    const again = check.present(await fetchAs(context, "A"), "the abandoned activity");
    check.equal(again.item.id, 1, "its id");
    check.equal(again.attemptCount, 2, "its attempt");
    await provider.ackWorkItem(again.lockToken);
    check.absent(await fetchAs(context, "A"), "anything after the ack");
  },

  async test_abandoned_session_item_ignore_attempt(context) {
    const { provider, check, time } = context;
    await enqueue(context, 1, "s1");
    const { lockToken } = await mustFetchAs(context, "A");
    await provider.abandonWorkItem(lockToken, { delayMs: 1, ignoreAttempt: true });
    await time.pass(5);

    const again = check.present(await fetchAs(context, "A"), "the abandoned activity");
    check.equal(again.item.id, 1, "its id");
    check.equal(again.attemptCount, 1, "its attempt, the first one being forgotten");
  },
});
