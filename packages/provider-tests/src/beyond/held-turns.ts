/**
 * Turns of a caller that holds the history and waits. A store may keep their locks in memory only (docs/reference/
 * provider-contract.md §6, 2b). A turn that is lost is lost whole, and its messages are found again.
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { Caller, CaseContext } from "../context.ts";
import { raised, scheduled } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, given, mustFetch, passLock } from "../steps.ts";
import { observe } from "./observe.ts";
import { revised, secondExecution } from "./revision-steps.ts";

/** The tag of the history of instance "a", which has a message for its next turn. */
async function waitingInstance(context: CaseContext): Promise<string> {
  const { historyTag } = await createInstance(context, "a");
  await context.provider.enqueueForOrchestrator(raised("a", "poke"));
  return given(historyTag, "no history tag");
}

function fetchHeld(caller: Caller, tag: string): Promise<FetchedOrchestration> {
  return mustFetch(caller, { pollTimeoutMs: 5_000, heldHistory: () => tag });
}

/** Every use of the turn is refused, and changes nothing that can be read. */
async function expectLost(context: CaseContext, { lockToken, ...late }: FetchedOrchestration): Promise<void> {
  const { check, provider, lockMs } = context;
  const before = await observe(context, "a");
  const commit = ack(context, { lockToken, ...late }, { historyDelta: [scheduled("a", 2)] });
  await check.rejects(commit, "lock-lost", "the late commit");
  const renewal = provider.renewOrchestrationItemLock(lockToken, lockMs);
  await check.rejects(renewal, "lock-lost", "the late renewal");
  await check.rejects(provider.abandonOrchestrationItem(lockToken), "lock-lost", "the late return");
  check.equal(await observe(context, "a"), before, "what reads show");
}

const cases: GroupOfCases = {
  async "one turn is handed out at a time"(context) {
    const { check } = context;
    const tag = await waitingInstance(context);
    const fetched = await fetchHeld(context, tag);
    check.absent(await fetchOrchestration(context, { heldHistory: () => tag }), "a fetch beside it");
    check.absent(await fetchOrchestration(context), "a fetch that holds nothing");
    await ack(context, fetched);
    check.absent(await fetchOrchestration(context), "a fetch after the commit");
  },

  async "a turn whose lock expired is fetched again, and its attempts are counted"(context) {
    const { check, provider } = context;
    const tag = await waitingInstance(context);
    const late = await fetchHeld(context, tag);
    await passLock(context);
    const holder = await fetchHeld(context, tag);
    check.equal([late.attemptCount, holder.attemptCount], [1, 2], "the attempts");
    check.equal(holder.item.messages, [raised("a", "poke")], "the messages");
    await expectLost(context, late);
    await ack(context, holder, { historyDelta: [scheduled("a", 2)] });
    check.equal((await provider.readHistory("a")).length, 2, "the number of events");
  },

  ...needing(["several-providers"], {
    async "a turn that is given back is found by another provider, and its attempt counts"(context) {
      const { check, provider } = context;
      const other = await context.openAnother();
      const tag = await waitingInstance(context);
      const late = await fetchHeld(context, tag);
      await provider.abandonOrchestrationItem(late.lockToken);
      const holder = await mustFetch(other, { pollTimeoutMs: 5_000 });
      check.equal(holder.item.messages, [raised("a", "poke")], "the messages");
      check.equal(holder.attemptCount, 2, "the attempts");
      await expectLost(context, late);
    },

    async "a turn whose lock expired is available to another provider"(context) {
      const { check } = context;
      const other = await context.openAnother();
      const tag = await waitingInstance(context);
      const late = await fetchHeld(context, tag);
      await passLock(context);
      const holder = await mustFetch(other, { pollTimeoutMs: 5_000 });
      check.equal(holder.item.messages, [raised("a", "poke")], "the messages");
      await expectLost(context, late);
      await ack(other, holder);
      await expectLost(context, late);
    },

    async "a renewal keeps all providers from it"(context) {
      const { check, provider, lockMs } = context;
      const other = await context.openAnother();
      const tag = await waitingInstance(context);
      const fetched = await fetchHeld(context, tag);
      await provider.renewOrchestrationItemLock(fetched.lockToken, lockMs);
      check.absent(await fetchOrchestration(other), "a fetch by the other");
      await ack(context, fetched);
      check.absent(await fetchOrchestration(other), "a fetch by the other after the commit");
    },
  }),

  async "a change by hand refuses it, and leaves its messages"(context) {
    const { check } = context;
    const tag = await waitingInstance(context);
    const late = await fetchHeld(context, tag);
    const expected = { executionId: 1, status: "Running", lastEventId: 1 } as const;
    await revised(context, { instanceId: "a", expected, turn: secondExecution() });
    await expectLost(context, late);
    const { item } = await mustFetch(context);
    check.equal(item.executionId, 2, "the execution of the next turn");
    check.equal(item.messages, [raised("a", "poke"), raised("a", "again")], "its messages");
  },
};

export const heldTurns: readonly ProviderCase[] = casesOf("held_turns", needing(["history-tags"], cases));
