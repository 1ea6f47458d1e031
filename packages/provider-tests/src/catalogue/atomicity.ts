/** A turn is committed whole or not at all. Catalogue: atomicity. */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, failed, raised, scheduled, started, startItem, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork, mustFetch, passLock } from "../steps.ts";

export const atomicity: readonly ProviderCase[] = casesOf("atomicity", {
  test_atomicity_failure_rollback: refusesStoredEvent,

  async test_multi_operation_atomic_ack(context) {
    const { provider, check, time } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const messages = [timer("a", time.now() - 1), raised("a", "self")];
    await ack(context, await mustFetch(context), {
      historyDelta: [started("a"), ...[2, 3, 4].map((id) => scheduled("a", id)), scheduled("a", 5)],
      workerItems: [2, 3, 4].map((id) => activity("a", id)),
      orchestratorItems: messages,
    });

    check.equal(
      (await provider.readHistory("a")).map((event) => event.event_id),
      [1, 2, 3, 4, 5],
      "event ids",
    );
    for (const id of [2, 3, 4]) {
      check.equal((await fetchWork(context))?.item, activity("a", id), `activity ${id}`);
    }
    check.absent(await fetchWork(context), "a fourth activity");
    check.equal(
      (await fetchOrchestration(context))?.item.messages,
      messages,
      "the messages, in the order given",
    );
  },

  async test_lock_released_only_on_successful_ack(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);

    await check.rejects(ack(context, { ...fetched, lockToken: "made-up" }), "lock-lost", "a made-up token");

    check.absent(await fetchOrchestration(context), "a fetch during the lock");
    await passLock(context);
    check.present(await fetchOrchestration(context), "a fetch after the lock");
  },

  async test_concurrent_ack_prevention(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    const commit = (): Promise<unknown> => ack(context, fetched, { historyDelta: [started("a")] });

    const outcomes = await Promise.allSettled([commit(), commit()]);

    const codes = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
    check.equal(codes, ["lock-lost"], "how the one that fails of two acks with one token fails");
  },
});

/** Checks that a commit with the id of a stored event stores nothing, and keeps its lock. */
export async function refusesStoredEvent(context: CaseContext): Promise<void> {
  const { provider, check } = context;
  await createInstance(context, "a");
  await provider.enqueueForOrchestrator(raised("a", "second"));

  const refused = ack(context, await mustFetch(context), { historyDelta: [failed("a", 1, "the same id")] });

  await check.rejects(refused, "duplicate-event", "another event with a stored id");
  check.equal(await provider.readHistory("a"), [started("a")], "the history");
  check.absent(await fetchOrchestration(context), "the lock is still held, so a fetch");
}
