/**
 * Reasons for which a fused turn is not stored; nothing has changed then (docs/reference/provider-contract.md §10.2).
 */
import type { FusedAck } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, raised, scheduled } from "../messages.ts";
import { ack, fetchWork, given, mustFetch, mustFetchWork, passLock, turn } from "../steps.ts";
import { ackFused, completed, fullFusedTurn, fused, type Running, running } from "./fused-steps.ts";
import { observe } from "./observe.ts";

/** Everything that the turn could have changed, and that the activity is still the holder's. */
async function leavesAllAsItIs(
  context: CaseContext,
  attempt: () => Promise<void>,
  { works }: Running,
): Promise<void> {
  const { provider, check, lockMs } = context;
  const before = await observe(context, "a");
  await attempt();
  check.equal(await observe(context, "a"), before, "what reads show");
  for (const { lockToken } of works) await provider.renewWorkItemLock(lockToken, lockMs);
}

/** The store answers that another commit came first, and has changed nothing. */
async function isOvertaken(
  context: CaseContext,
  state: Running,
  more: Partial<FusedAck> = {},
): Promise<void> {
  const { check } = context;
  await leavesAllAsItIs(
    context,
    async () => {
      const outcome = await ackFused(context, { ...fullFusedTurn(state), ...more });
      check.equal(outcome, { kind: "overtaken" }, "the outcome");
    },
    state,
  );
  check.absent(await fetchWork(context), "an activity of the turn");
}

const cases: GroupOfCases = {
  async "an instance that went on since is overtaken"(context) {
    const state = await running(context);
    await turn(context, "a");
    await isOvertaken(context, state);
  },

  async "an instance that is locked is overtaken"(context) {
    const { provider } = context;
    const state = await running(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const holder = await mustFetch(context, { heldHistory: () => state.historyTag });
    await isOvertaken(context, state);
    await ack(context, holder);
  },

  async "a history that grew outside a turn is overtaken"(context) {
    const { provider } = context;
    const state = await running(context);
    await provider.appendHistory("a", 1, [scheduled("a", 90)]);
    await isOvertaken(context, state);
  },

  async "messages that were given back as blocked stay before it"(context) {
    const { provider } = context;
    const state = await running(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { lockToken } = await mustFetch(context);
    const blocked = { reason: "nondeterminism", detail: "the code does not fit" } as const;
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 60_000, ignoreAttempt: true, blocked });
    await isOvertaken(context, state);
  },

  async "a message that is visible comes first, in a store that can tell"(context) {
    const { provider, capabilities, check } = context;
    const state = await running(context);
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    if (capabilities.storageCalls === "one") return isOvertaken(context, state);
    // A store of several parts may not see it, and then it comes with the next turn.
    await ackFused(context, fused(state));
    const { item } = await mustFetch(context);
    check.equal(item.messages, [raised("a", "poke")], "the message");
  },

  async "a made-up tag, and an instance that is not there, are overtaken"(context) {
    const state = await running(context);
    for (const historyTag of ["", "undefined", "null", "1"])
      await isOvertaken(context, { ...state, historyTag });
    await context.provider.enqueueForWorker(activity("b", 2));
    const { lockToken } = await mustFetchWork(context);
    const outcome = await ackFused(context, {
      ...fused(state),
      instanceId: "b",
      activityTokens: [lockToken],
    });
    context.check.equal(outcome, { kind: "overtaken" }, "the outcome for an unknown instance");
  },

  async "an activity whose lock has ended is lost, and nothing changes"(context) {
    const { provider, check } = context;
    const state = await running(context);
    await passLock(context);
    const before = await observe(context, "a");
    await check.rejects(ackFused(context, fullFusedTurn(state)), "lock-lost", "the commit");
    check.equal(await observe(context, "a"), before, "what reads show");
    const again = await mustFetchWork(context);
    check.equal([again.item.id, again.attemptCount], [2, 2], "the activity, and its attempt");
    await check.rejects(
      ackFused(context, fullFusedTurn(state)),
      "lock-lost",
      "the commit of the late holder",
    );
    await provider.renewWorkItemLock(again.lockToken, 1_000);
  },

  async "one activity that is lost keeps the others from ending"(context) {
    const { provider, check } = context;
    const state = await running(context, 3);
    for (const index of [0, 1, 2]) {
      const tokens = state.works.map((work, at) => (at === index ? "made up" : work.lockToken));
      const attempt = async (): Promise<void> => {
        const lost = ackFused(context, fused(state, { activityTokens: tokens }));
        await check.rejects(lost, "lock-lost", `the commit with a made-up token in place ${index + 1}`);
      };
      await leavesAllAsItIs(context, attempt, state);
    }
    const [first] = state.works;
    await provider.ackWorkItem(given(first, "no work").lockToken);
    await check.rejects(ackFused(context, fused(state)), "lock-lost", "with one that has ended");
  },

  async "an activity of another instance does not end with it"(context) {
    const { provider, check } = context;
    const state = await running(context);
    await provider.enqueueForWorker(activity("b", 2));
    const other = await mustFetchWork(context);
    const activityTokens = [...state.works, other].map(({ lockToken }) => lockToken);
    const attempt = async (): Promise<void> => {
      const refused = ackFused(context, { ...fullFusedTurn(state), activityTokens });
      await check.rejects(refused, "lock-lost", "the commit");
    };
    await leavesAllAsItIs(context, attempt, state);
    await provider.renewWorkItemLock(other.lockToken, 1_000);
  },

  async "an event that is stored already is refused, and nothing changes"(context) {
    const { check } = context;
    const state = await running(context);
    const attempt = async (): Promise<void> => {
      const twice = { ...fullFusedTurn(state), historyDelta: [completed(3, 2), scheduled("a", 2)] };
      await check.rejects(ackFused(context, twice), "duplicate-event", "the commit");
    };
    await leavesAllAsItIs(context, attempt, state);
    check.equal((await ackFused(context, fullFusedTurn(state))).kind, "committed", "the commit without it");
  },

  async "no activity, and an activity named twice, are refused"(context) {
    const { check } = context;
    const state = await running(context);
    const [token = ""] = fused(state).activityTokens;
    for (const activityTokens of [[], [token, token]]) {
      const refused = ackFused(context, { ...fused(state), activityTokens });
      await check.rejects(refused, "invalid-input", `${activityTokens.length} tokens`);
    }
  },
};

export const fusedRefusals: readonly ProviderCase[] = casesOf(
  "fused_turns",
  needing(["history-tags"], cases),
);
