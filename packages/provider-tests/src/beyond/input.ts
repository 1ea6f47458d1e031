/** Calls that the contract forbids are rejected before anything is stored (docs/reference/provider-contract.md §3). */
import type { ActivityExecute, ActivityOutcome, OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, completion, failed, raised, startItem } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";

export const input: readonly ProviderCase[] = casesOf("input", {
  async "an activity does not go into the orchestrator queue"(context) {
    const { provider, check } = context;
    const wrong = activity("a", 1) as unknown as OrchestratorItem;
    await check.rejects(provider.enqueueForOrchestrator(wrong), "invalid-input", "the call");
    check.absent(await fetchOrchestration(context), "a message");
    check.absent(await fetchWork(context), "an activity");
  },

  async "a message does not go into the worker queue"(context) {
    const { provider, check } = context;
    const wrong = startItem("a") as unknown as ActivityExecute;
    await check.rejects(provider.enqueueForWorker(wrong), "invalid-input", "the call");
    check.absent(await fetchOrchestration(context), "a message");
    check.absent(await fetchWork(context), "an activity");
  },

  async "an activity is completed only by outcomes of an activity"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context);
    const wrong = raised("a", "not an outcome") as unknown as ActivityOutcome;
    await check.rejects(provider.ackWorkItem(lockToken, wrong), "invalid-input", "the call");
    check.absent(await fetchOrchestration(context), "a message");
    await provider.ackWorkItem(lockToken, completion("a", 2));
    check.present(await fetchOrchestration(context), "the message of the right outcome");
  },

  async "event id zero is refused outside a turn too"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await check.rejects(
      provider.appendHistory("a", 1, [failed("a", 0, "zero")]),
      "invalid-input",
      "the call",
    );
    check.equal((await provider.readHistory("a")).length, 1, "events");
  },

  async "what cannot be encoded is refused"(context) {
    const { provider, check } = context;
    const wrong = { ...raised("a", "poke"), data: 5 } as unknown as OrchestratorItem;
    await check.rejects(provider.enqueueForOrchestrator(wrong), "invalid-input", "the call");
    const tagged = { ...activity("a", 1), tag: 5 } as unknown as ActivityExecute;
    await check.rejects(provider.enqueueForWorker(tagged), "invalid-input", "a tag that is no text");
    check.absent(await fetchOrchestration(context), "a message");
    check.absent(await fetchWork(context), "an activity");
  },

  async "times are numbers of milliseconds from zero"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    for (const ms of [-1, Number.NaN]) {
      const session = { ownerId: "me", lockTimeoutMs: ms };
      const calls = {
        "the delay of a message": () => provider.enqueueForOrchestrator(raised("a", "poke"), ms),
        "the lock of a turn": () => fetchOrchestration(context, { lockTimeoutMs: ms }),
        "the wait for a turn": () => fetchOrchestration(context, { pollTimeoutMs: ms }),
        "the lock of an activity": () => fetchWork(context, { lockTimeoutMs: ms }),
        "the wait for an activity": () => fetchWork(context, { pollTimeoutMs: ms }),
        "the lock of a session": () => fetchWork(context, { session }),
        "the renewal of a session": () =>
          provider.renewSessionLocks({ ownerIds: ["me"], extendMs: ms, idleTimeoutMs: 1_000 }),
      };
      for (const [what, call] of Object.entries(calls))
        await check.rejects(call(), "invalid-input", `${what}, ${ms} ms`);
    }
    check.absent(await fetchOrchestration(context), "a message");
    check.equal((await fetchWork(context))?.attemptCount, 1, "attempts at the activity");
  },

  async "a tag filter names one to five tags"(context) {
    const { provider, check } = context;
    for (const [index, tag] of ["1", "2", "3", "4", "5"].entries())
      await provider.enqueueForWorker(activity("a", index + 1, { tag }));
    for (const kind of ["tags", "default-and"] as const) {
      for (const tags of [[], ["1", "2", "3", "4", "5", "6"]]) {
        const call = fetchWork(context, { tagFilter: { kind, tags } });
        await check.rejects(call, "invalid-input", `${kind} with ${tags.length} tags`);
      }
    }
    const five = { kind: "tags", tags: ["1", "2", "3", "4", "5"] } as const;
    check.equal((await fetchWork(context, { tagFilter: five }))?.attemptCount, 1, "attempts, with five tags");
  },

  async "unknown tokens are refused by every call that takes one"(context) {
    const { provider, check, lockMs } = context;
    await createInstance(context, "a");
    const tokens = ["", "made-up", "a", "YQ.00000000-0000-4000-8000-000000000000", "../../x", "🔑"];
    for (const token of tokens) {
      const calls = [
        () => provider.renewOrchestrationItemLock(token, lockMs),
        () => provider.abandonOrchestrationItem(token),
        () => provider.ackWorkItem(token),
        () => provider.renewWorkItemLock(token, lockMs),
        () => provider.abandonWorkItem(token),
      ];
      for (const call of calls)
        await check.rejects(call(), "lock-lost", `the token ${JSON.stringify(token)}`);
    }
  },

  async "the token of a turn is none of an activity, and the other way round"(context) {
    const { provider, check, lockMs } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const turn = await mustFetch(context);
    const work = await mustFetchWork(context);
    await check.rejects(provider.ackWorkItem(turn.lockToken), "lock-lost", "completing with a turn's token");
    await check.rejects(
      provider.renewOrchestrationItemLock(work.lockToken, lockMs),
      "lock-lost",
      "renewing with an activity's",
    );
    await provider.ackWorkItem(work.lockToken, completion("a", 2));
    await ack(context, turn);
    check.equal((await mustFetch(context)).item.messages, [completion("a", 2)], "the completion");
  },
});
