/** One instance, one holder at a time. Catalogue: instance_locking. */
import { type FetchedOrchestration, ProviderError } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { completion, raised, started, startItem } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, passLock, staggered } from "../steps.ts";

export const instanceLocking: readonly ProviderCase[] = casesOf("instance_locking", {
  async test_exclusive_instance_lock(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const first = await mustFetch(context);

    check.absent(await fetchOrchestration(context), "a fetch during the lock");
    await passLock(context);
    const second = check.present(await fetchOrchestration(context), "a fetch after the lock");
    check.notEqual(second.lockToken, first.lockToken, "the token of the second holder");
  },

  async test_lock_token_uniqueness(context) {
    const { check } = context;
    await enqueueStarts(context, 5);

    const tokens = new Set<string>();
    for (let n = 0; n < 5; n++) tokens.add((await mustFetch(context)).lockToken);

    check.equal(tokens.size, 5, "different tokens");
  },

  async test_invalid_lock_token_rejection(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);

    await check.rejects(ack(context, { ...fetched, lockToken: "made-up" }), "lock-lost", "an ack");
    await check.rejects(provider.abandonOrchestrationItem("made-up"), "lock-lost", "an abandon");

    check.absent(await fetchOrchestration(context), "the real lock is still held, so a fetch");
    await ack(context, fetched, { historyDelta: [started("a")] });
    check.equal(await provider.readHistory("a"), [started("a")], "what the real holder commits");
  },

  async test_concurrent_instance_fetching(context) {
    const { check } = context;
    const ids = await enqueueStarts(context, 10);

    const fetched = await staggered(context, 10, 30, () => fetchOrchestration(context, LONG_LOCK));

    check.equal(idsOf(fetched).sort(), ids, "each instance once");
  },

  async test_completions_arriving_during_lock_blocked(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await mustFetch(context);
    const completions = [1, 2, 3].map((id) => completion("a", id));
    for (const each of completions) await provider.enqueueForOrchestrator(each);

    check.absent(await fetchOrchestration(context), "a fetch during the lock");
    await passLock(context);
    const { item } = check.present(await fetchOrchestration(context), "a fetch after the lock");
    check.equal(item.messages, [startItem("a"), ...completions], "the messages, in order");
  },

  async test_cross_instance_lock_isolation(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await mustFetch(context);

    await provider.enqueueForOrchestrator(startItem("b"));
    const first = check.present(await fetchOrchestration(context), "b beside a locked a");
    check.equal(first.item.instanceId, "b", "the instance");
    await ack(context, first, { historyDelta: [started("b")] });
    await provider.enqueueForOrchestrator(raised("b", "next"));
    const second = check.present(await fetchOrchestration(context), "b a second time");
    check.equal(second.item.messages, [raised("b", "next")], "its messages");
  },

  async test_message_tagging_during_lock(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "first"));
    await provider.enqueueForOrchestrator(raised("a", "second"));
    const fetched = await mustFetch(context);
    check.equal(fetched.item.messages, [raised("a", "first"), raised("a", "second")], "what is locked");
    await provider.enqueueForOrchestrator(raised("a", "third"));

    await ack(context, fetched);

    const rest = check.present(await fetchOrchestration(context), "what arrived during the lock");
    check.equal(rest.item.messages, [raised("a", "third")], "the messages");
  },

  async test_ack_only_affects_locked_messages(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "first"));
    const fetched = await mustFetch(context);
    await provider.enqueueForOrchestrator(raised("a", "second"));
    await provider.enqueueForOrchestrator(raised("a", "third"));

    await ack(context, fetched);

    const rest = check.present(await fetchOrchestration(context), "what arrived during the lock");
    check.equal(rest.item.messages, [raised("a", "second"), raised("a", "third")], "the messages, in order");
  },

  async test_multi_threaded_lock_contention(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));

    const fetched = await Promise.all(Array.from({ length: 10 }, () => retried(context)));

    check.equal(idsOf(fetched), ["a"], "one of ten fetches wins");
    check.absent(await fetchOrchestration(context), "the instance is locked, so another fetch");
  },

  async test_multi_threaded_no_duplicate_processing(context) {
    const { check } = context;
    const ids = await enqueueStarts(context, 20);

    const fetched = await Promise.all(Array.from({ length: 40 }, () => retried(context)));

    const taken = idsOf(fetched);
    check.equal(taken.length, new Set(taken).size, "no instance is taken twice");
    check.isTrue(taken.length <= 20, "at most twenty are taken");
    // A fetch may lose a race and return nothing; another fetch must then get the work.
    for (let next = await retried(context); next !== undefined; next = await retried(context)) {
      taken.push(next.item.instanceId);
    }
    check.equal(taken.sort(), ids, "each instance once");
  },

  async test_multi_threaded_lock_expiration_recovery(context) {
    const { provider, check, time } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const died = await mustFetch(context);

    await time.pass(200);
    check.absent(await fetchOrchestration(context), "a fetch 200 ms later");
    await passLock(context);
    const recovered = check.present(await fetchOrchestration(context), "a fetch after the lock");
    check.equal(recovered.item.instanceId, "a", "the instance");
    check.notEqual(recovered.lockToken, died.lockToken, "the token of the new holder");
  },
});

/** Options of the harness: the lock outlives a case with many calls also where they are slow. */
const LONG_LOCK = { lockTimeoutMs: 30_000 };

/** After so many refusals in a row a store is not just busy. */
const MOST_ATTEMPTS = 10;

/** Starts of so many instances; answers their ids, sorted. */
async function enqueueStarts({ provider }: CaseContext, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `i-${String(index).padStart(2, "0")}`);
  for (const id of ids) await provider.enqueueForOrchestrator(startItem(id));
  return ids;
}

function idsOf(fetched: readonly (FetchedOrchestration | undefined)[]): string[] {
  return fetched.flatMap((each) => (each === undefined ? [] : [each.item.instanceId]));
}

/** A fetch as a dispatcher makes it, which tries again where the store was only busy. */
async function retried(context: CaseContext): Promise<FetchedOrchestration | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOrchestration(context, LONG_LOCK);
    } catch (error) {
      if (!ProviderError.is(error) || !error.retryable || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
