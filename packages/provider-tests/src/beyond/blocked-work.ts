/**
 * Batches that were released as blocked: their stored reason, and that they stay together
 * (docs/reference/provider-contract.md §8.1).
 */
import type { BlockedReason } from "@duroxide-ts/core/stores";
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { NAMED, raised, startItem, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, given, mustFetch, passLock } from "../steps.ts";

const MISSING: BlockedReason = {
  reason: "missing-orchestration",
  detail: "TestOrch 1.0.0 is not registered",
};
const DIFFERENT: BlockedReason = { reason: "nondeterminism", detail: "event 2 does not fit" };

const cancel = (instance: string) => ({ kind: "CancelInstance", instance, reason: "no more" }) as const;

/** Fetches a batch and releases it as blocked. */
async function block(
  context: CaseContext,
  blocked: BlockedReason = DIFFERENT,
  delayMs = 1_000,
): Promise<void> {
  const { lockToken } = await mustFetch(context);
  await context.provider.abandonOrchestrationItem(lockToken, { delayMs, ignoreAttempt: true, blocked });
}

async function blockedOf({ provider }: CaseContext, instanceId: string) {
  return given(
    (await provider.admin.listBlocked({ instanceId: instanceId })).blocked,
    "the provider has no getBlocked",
  );
}

export const blockedWork: readonly ProviderCase[] = casesOf("blocked_work", {
  async "why and since when an instance is blocked is kept, and counted, until a turn of it is committed"(
    context,
  ) {
    const { check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    check.equal(await blockedOf(context, "a"), [], "before");
    const firstMs = time.now();
    await block(context);
    const [first] = await blockedOf(context, "a");
    const sinceMs = first?.sinceMs ?? 0;
    check.isTrue(sinceMs >= firstMs && sinceMs <= time.now(), `since ${sinceMs}`);
    const once = { instanceId: "a", ...DIFFERENT, sinceMs, attempts: 1, nextTryAtMs: sinceMs + 1_000 };
    check.equal(first, once, "the block");
    await time.pass(1_100);
    check.equal((await mustFetch(context)).blocked, once, "the block that the fetch returns");
    await passLock(context);
    check.equal(await blockedOf(context, "a"), [once], "the block after a process that was lost");
    await block(context, MISSING);
    const [second] = await blockedOf(context, "a");
    check.equal(
      { ...second, nextTryAtMs: 0 },
      { instanceId: "a", ...MISSING, sinceMs, attempts: 2, nextTryAtMs: 0 },
      "the block after the next time",
    );
    await time.pass(1_100);
    await ack(context, await mustFetch(context));
    check.equal(await blockedOf(context, "a"), [], "the blocks after a commit");
  },

  async "an abandon without a reason ends the block, and the next one begins anew"(context) {
    const { provider, check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    for (const _ of [1, 2]) {
      await block(context, DIFFERENT, 500);
      await time.pass(600);
    }
    await provider.abandonOrchestrationItem((await mustFetch(context)).lockToken);
    check.equal(await blockedOf(context, "a"), [], "the blocks");
    const fetched = await mustFetch(context);
    check.absent(fetched.blocked, "the block that the fetch returns");
    await provider.abandonOrchestrationItem(fetched.lockToken, { blocked: DIFFERENT });
    check.equal((await blockedOf(context, "a"))[0]?.attempts, 1, "attempts of the next block");
  },

  async "a start without fitting code is blocked, although the instance does not exist"(context) {
    const { provider, check, time } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await block(context, MISSING);
    const [blocked] = await blockedOf(context, "a");
    check.equal([blocked?.instanceId, blocked?.reason], ["a", "missing-orchestration"], "the block");
    check.absent(await provider.getInstanceStatus("a"), "the instance");
    await time.pass(1_100);
    await ack(context, await mustFetch(context), { metadata: NAMED });
    check.equal(await blockedOf(context, "a"), [], "the blocks once it has begun");
  },

  async "a blocked batch is fetched again when its delay ends, whole and in order"(context) {
    const { provider, check, time } = context;
    const [late, early] = [timer("a", time.now() + 800, 2), timer("a", time.now() - 5, 3)];
    await createInstance(context, "a", { orchestratorItems: [late, early] });
    await provider.enqueueForOrchestrator(raised("a", "approved"));
    const first = await mustFetch(context);
    const { lockToken } = first;
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 60_000, blocked: DIFFERENT });
    check.absent(await fetchOrchestration(context), "a fetch during the delay");
    await time.pass(1_000);
    const again = await mustFetch(context);
    const expected = [early, raised("a", "approved"), late];
    check.equal(again.item.messages, expected, "the messages when the timer is due");
    await provider.abandonOrchestrationItem(again.lockToken, { delayMs: 500, blocked: DIFFERENT });
    check.absent(await fetchOrchestration(context), "a fetch during the second delay");
    await time.pass(600);
    check.equal((await mustFetch(context)).item.messages, expected, "the messages after the delay");
  },

  async "a message that is stored during the delay makes the whole blocked batch eligible, itself last"(
    context,
  ) {
    const { provider, check } = context;
    await createInstance(context, "a");
    for (const name of ["one", "two"]) await provider.enqueueForOrchestrator(raised("a", name));
    await block(context, DIFFERENT, 60_000);
    check.absent(await fetchOrchestration(context), "a fetch during the delay");
    await provider.enqueueForOrchestrator(cancel("a"));
    const fetched = await mustFetch(context);
    const expected = [raised("a", "one"), raised("a", "two"), cancel("a")];
    check.equal(fetched.item.messages, expected, "the messages");
    check.equal(fetched.blocked?.attempts, 1, "attempts of the block");
    await ack(context, fetched);
    check.absent(await fetchOrchestration(context), "what is left after the commit");
  },

  async "a message that was stored while the batch was locked makes the whole batch eligible at once"(
    context,
  ) {
    const { provider, check } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "held")] });
    const { lockToken } = await mustFetch(context);
    await provider.enqueueForOrchestrator(raised("a", "meanwhile"));
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 60_000, blocked: DIFFERENT });
    const { messages } = (await mustFetch(context)).item;
    check.equal(messages, [raised("a", "held"), raised("a", "meanwhile")], "the messages");
  },

  async "a blocked batch stays whole when a process that fetched it early is lost"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "held")] });
    await block(context, DIFFERENT, 10 * context.lockMs);
    await provider.enqueueForOrchestrator(raised("a", "later"));
    await mustFetch(context);
    await passLock(context);
    const { messages } = (await mustFetch(context)).item;
    check.equal(messages, [raised("a", "held"), raised("a", "later")], "the messages");
  },

  async "what was blocked is given back with a delay like anything else once it is not blocked any more"(
    context,
  ) {
    const { provider, check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "held")] });
    await block(context, DIFFERENT, 200);
    await time.pass(300);
    await provider.abandonOrchestrationItem((await mustFetch(context)).lockToken, { delayMs: 3_000 });
    await provider.enqueueForOrchestrator(raised("a", "later"));
    const fetched = await mustFetch(context);
    check.equal(fetched.item.messages, [raised("a", "later")], "the messages during the delay");
    await ack(context, fetched);
    await time.pass(3_100);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "held")], "the messages after it");
  },

  async "a lost lock neither blocks nor unblocks"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    const lost = await mustFetch(context);
    await passLock(context);
    await block(context);
    const before = await blockedOf(context, "a");
    for (const options of [{}, { blocked: MISSING }]) {
      await check.rejects(
        provider.abandonOrchestrationItem(lost.lockToken, options),
        "lock-lost",
        "an abandon with a token that was taken over",
      );
    }
    check.equal(await blockedOf(context, "a"), before, "the block");
  },

  async "a deleted instance leaves no block"(context) {
    const { check, admin } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
    await block(context);
    await admin.deleteInstance("a", { force: true });
    check.equal(await blockedOf(context, "a"), [], "the blocks of the instance");
    check.equal((await admin.listBlocked())?.blocked, [], "all blocks");
  },

  ...needing(["several-providers"], {
    async "every provider on the store sees a block, and counts on from it"(context) {
      const { check, time } = context;
      const other = await context.openAnother();
      await createInstance(context, "a", { orchestratorItems: [raised("a", "e")] });
      await block(context, DIFFERENT, 300);
      check.equal(await blockedOf(other, "a"), await blockedOf(context, "a"), "the block");
      await time.pass(400);
      await block(other, MISSING, 300);
      const [blocked] = await blockedOf(context, "a");
      check.equal([blocked?.reason, blocked?.attempts], ["missing-orchestration", 2], "the block");
      await other.provider.enqueueForOrchestrator(raised("a", "later"));
      const { messages } = (await mustFetch(context)).item;
      check.equal(messages, [raised("a", "e"), raised("a", "later")], "the messages");
    },
  }),
});
