/**
 * Activities end together with the turn that they cause, without a lock of their instance (docs/reference/
 * provider-contract.md §10.2). A store may refuse at any time, so a case that shows a commit is one in which it has no reason.
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, eventOf, raised, scheduled, startItem, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, given, mustFetch, mustFetchWork } from "../steps.ts";
import { ackFused, completed, fullFusedTurn, fused, running } from "./fused-steps.ts";
import { drain, observe } from "./observe.ts";

const cases: GroupOfCases = {
  async "all of the turn is there, and the activity is gone"(context) {
    const { provider, check } = context;
    const state = await running(context);
    const outcome = await ackFused(context, fullFusedTurn(state));
    check.equal(outcome.kind, "committed", "the outcome");
    const after = await observe(context, "a");
    const ids = after.histories.flat().map(({ event_id }) => event_id);
    check.equal(ids, [1, 2, 3, 4, 5, 6], "the events");
    check.equal([after.kv.get("k"), after.status?.customStatus], ["v", "after"], "value and custom status");
    check.equal([after.status?.status, after.tags], ["Running", { state: "after" }], "status and tags");
    const { lockToken } = given(state.works[0], "no work");
    await check.rejects(provider.ackWorkItem(lockToken), "lock-lost", "an end of the ended activity");
    const { messages, activities } = await drain(context);
    check.equal(messages.get("a"), [raised("a", "self")], "messages of the instance: no outcome among them");
    check.equal(messages.get("child"), [startItem("child")], "messages of the child");
    check.equal(activities, [activity("a", 4)], "activities");
  },

  async "the new tag is that of the history, and the old one is not"(context) {
    const { provider, check } = context;
    const state = await running(context);
    const outcome = await ackFused(context, fused(state));
    const tag = outcome.kind === "committed" ? outcome.historyTag : undefined;
    check.isTrue(tag !== undefined && tag !== state.historyTag, "a tag of its own");
    await provider.enqueueForOrchestrator(raised("a", "one"));
    const stale = await mustFetch(context, { heldHistory: () => state.historyTag });
    check.equal(stale.item.history.length, 3, "events for the holder of the old tag");
    await provider.abandonOrchestrationItem(stale.lockToken);
    const current = await mustFetch(context, { heldHistory: () => tag });
    check.equal([current.item.historyOmitted, current.item.history], [true, []], "for that of the new one");
  },

  async "one turn after the other"(context) {
    const { check } = context;
    let state = await running(context);
    for (const id of [2, 4, 6]) {
      const outcome = await ackFused(context, {
        ...fused(state),
        historyDelta: [completed(id + 1, id), scheduled("a", id + 2)],
        workerItems: [activity("a", id + 2)],
      });
      check.equal(outcome.kind, "committed", `the outcome for activity ${id}`);
      const historyTag = given(outcome.kind === "committed" ? outcome.historyTag : undefined, "no tag");
      const work = await mustFetchWork(context);
      check.equal([work.item.id, work.attemptCount], [id + 2, 1], "the next activity, and its attempt");
      state = { historyTag, works: [work] };
    }
    check.absent(await fetchOrchestration(context), "a message of it all");
  },

  async "several activities end with one turn"(context) {
    const { provider, check } = context;
    const state = await running(context, 3);
    check.equal((await ackFused(context, fused(state))).kind, "committed", "the outcome");
    for (const { lockToken } of state.works) {
      await check.rejects(provider.renewWorkItemLock(lockToken, 1_000), "lock-lost", "a renewal");
    }
    check.equal((await provider.readHistory("a")).length, 7, "events");
    const { messages, activities } = await drain(context);
    check.equal([messages.size, activities.length], [0, 0], "what is left");
  },

  async "an instance can end"(context) {
    const { check } = context;
    const state = await running(context);
    const metadata = { status: "Completed", output: "42" } as const;
    const end = eventOf("OrchestrationCompleted", "a", 4, { output: "42" });
    const outcome = await ackFused(context, fused(state, { historyDelta: [completed(3, 2), end], metadata }));
    check.equal(outcome.kind, "committed", "the outcome");
    const { status } = await observe(context, "a");
    check.equal([status?.status, status?.output], ["Completed", "42"], "status and output");
  },

  async "an activity that the turn gives up is gone with it"(context) {
    const { provider, check } = context;
    const { historyTag, works } = await running(context, 2);
    const [ended, loser] = works;
    const state = { historyTag, works: [given(ended, "no work")] };
    const { lockToken, item } = given(loser, "no second work");
    const cancelledActivities = [{ instanceId: "a", executionId: 1, activityId: Number(item.id) }];
    const outcome = await ackFused(
      context,
      fused(state, { historyDelta: [completed(4, 2)], cancelledActivities }),
    );
    check.equal(outcome.kind, "committed", "the outcome");
    await check.rejects(provider.renewWorkItemLock(lockToken, 1_000), "lock-lost", "a renewal of the loser");
  },

  async "a timer that is not due yet hides no other message"(context) {
    const { provider, check, time } = context;
    const state = await running(context);
    const { historyTag } = await ack(context, given(await poked(context), "no turn"), {
      orchestratorItems: [timer("a", time.now() + 10_000)],
    });
    const standing = { ...state, historyTag: given(historyTag, "no tag") };
    check.equal((await ackFused(context, fused(standing))).kind, "committed", "the outcome");
    check.absent(await fetchOrchestration(context), "a message before its time");
    check.equal((await provider.readHistory("a")).length, 3, "events");
  },

  async "the same turn twice is stored once"(context) {
    const { provider, check } = context;
    const state = await running(context);
    const twice = await Promise.allSettled([
      ackFused(context, fused(state)),
      ackFused(context, fused(state)),
    ]);
    const committed = twice.filter((each) => each.status === "fulfilled" && each.value.kind === "committed");
    check.equal(committed.length, 1, "commits");
    check.equal((await provider.readHistory("a")).length, 3, "events");
  },

  async "the session of an activity counts as active"(context) {
    const { provider, check, time } = context;
    const { historyTag } = await createInstance(context, "a", {
      historyDelta: [scheduled("a", 2)],
      workerItems: [activity("a", 2, { session_id: "s" })],
    });
    const session = { ownerId: "w", lockTimeoutMs: 30_000 };
    const work = await mustFetchWork(context, { session });
    await time.pass(300);
    const state = { historyTag: given(historyTag, "no tag"), works: [work] };
    check.equal((await ackFused(context, fused(state))).kind, "committed", "the outcome");
    await time.pass(100);
    const active = { ownerIds: ["w"], extendMs: 30_000, idleTimeoutMs: 200 };
    check.equal(await provider.renewSessionLocks(active), 1, "sessions that were active lately");
  },
};

export const fusedTurns: readonly ProviderCase[] = casesOf("fused_turns", needing(["history-tags"], cases));

async function poked(context: CaseContext): Promise<FetchedOrchestration | undefined> {
  await context.provider.enqueueForOrchestrator(raised("a", "poke"));
  return fetchOrchestration(context);
}
