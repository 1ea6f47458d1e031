/** Limits of keys, and priorities (docs/reference/provider-contract.md §12.1). */
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import { activity, startItem } from "../messages.ts";
import {
  createInstance,
  fetchWork,
  firstTurn,
  given,
  mustFetch,
  mustFetchWork,
  passLock,
  turn,
} from "../steps.ts";
import { ackFused, fused } from "./fused-steps.ts";
import {
  fetchAll,
  finish,
  idsOf,
  limitsOf,
  NEEDS,
  queueLimited,
  runAll,
  setRule,
  times,
} from "./limit-steps.ts";
import { rateCases } from "./rates.ts";

const concurrency: GroupOfCases = {
  async "no more than its concurrency are locked, in the order in which they came"(context) {
    await setRule(context, "partner", { concurrency: 2 });
    await queueLimited(context, 2, times(4, "partner"));
    const [first, ...others] = await fetchAll(context);
    context.check.equal(idsOf(others), [3], "beside the first");
    await finish(context, given(first, "one begins"));
    context.check.equal(idsOf(await fetchAll(context)), [4], "after the end of one");
  },

  async "work of a full key does not hold other work back"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, ["partner", "partner", undefined, "other", "partner", undefined]);
    context.check.equal(idsOf(await fetchAll(context)), [2, 4, 5, 7], "what begins");
  },

  async "a key without a rule limits nothing"(context) {
    await queueLimited(context, 2, times(3, "partner"));
    context.check.equal(idsOf(await fetchAll(context)), [2, 3, 4], "what begins");
  },

  async "a lock that has ended is no permit, and its work keeps its place"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, times(2, "partner"));
    await mustFetchWork(context);
    context.check.absent(await fetchWork(context), "a second one");
    await passLock(context);
    context.check.equal(idsOf(await fetchAll(context)), [2], "after the lock");
  },

  async "a renewed lock stays a permit"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, times(2, "partner"));
    const { lockToken } = await mustFetchWork(context);
    await context.time.pass(context.lockMs / 2);
    await context.provider.renewWorkItemLock(lockToken, context.lockMs);
    await context.time.pass(context.lockMs / 2 + 100);
    context.check.absent(await fetchWork(context), "while it is renewed");
    await context.time.pass(context.lockMs);
    context.check.equal(idsOf(await fetchAll(context)), [2], "after its end");
  },

  async "a release gives the permit back, and a delay is no permit"(context) {
    const { provider } = context;
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, times(3, "partner"));
    await provider.abandonWorkItem((await mustFetchWork(context)).lockToken, { delayMs: 1_000 });
    const next = await mustFetchWork(context);
    context.check.equal(Number(next.item.id), 3, "the next one");
    await context.time.pass(2_000);
    await provider.abandonWorkItem(next.lockToken);
    context.check.equal(await runAll(context), [2, 3, 4], "in their old places");
  },

  async "a cancelled and a deleted activity give their permits back"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await createInstance(context, "b", { workerItems: [activity("b", 2, { limit: "partner" })] });
    await createInstance(context, "c", { workerItems: [activity("c", 2, { limit: "partner" })] });
    await queueLimited(context, 7, times(1, "partner"));
    context.check.equal((await mustFetchWork(context)).item.instance, "b", "the first");
    await turn(context, "b", { cancelledActivities: [{ instanceId: "b", executionId: 1, activityId: 2 }] });
    context.check.equal((await mustFetchWork(context)).item.instance, "c", "after the cancellation");
    await context.admin.deleteInstance("c", { force: true });
    context.check.equal((await mustFetchWork(context)).item.instance, "a", "after the deletion");
  },

  async "a waiting activity that is cancelled leaves its place"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await createInstance(context, "b", {
      workerItems: [2, 3, 4].map((id) => activity("b", id, { limit: "partner" })),
    });
    const first = await mustFetchWork(context);
    await turn(context, "b", { cancelledActivities: [{ instanceId: "b", executionId: 1, activityId: 3 }] });
    await finish(context, first);
    context.check.equal(await runAll(context), [4], "what is left");
  },

  async "what fused turns end and schedule takes and gives permits"(context) {
    const { provider, check } = context;
    if (provider.maxFusedActivities === 0) return check.isTrue(true, "no fused turns");
    await setRule(context, "partner", { concurrency: 1 });
    const { historyTag } = await createInstance(context, "b", {
      workerItems: [2, 3].map((id) => activity("b", id, { limit: "partner" })),
    });
    const state = { historyTag: given(historyTag, "a tag"), works: [await mustFetchWork(context)] };
    const workerItems = [activity("b", 4, { limit: "partner" })];
    const outcome = await ackFused(context, fused(state, { instanceId: "b", historyDelta: [], workerItems }));
    check.equal(outcome.kind, "committed", "the fused turn");
    check.equal(idsOf(await fetchAll(context)), [3], "after it");
  },
};

const waiting: GroupOfCases = {
  async "activities that a commit locks for waiting fetches have permits"(context) {
    const { provider, check, lockMs, time } = context;
    await setRule(context, "partner", { concurrency: 2 });
    const tagFilter = { kind: "default-only" } as const;
    const fetches = [1, 2, 3].map(() =>
      provider.fetchWorkItem({ lockTimeoutMs: lockMs, pollTimeoutMs: 5_000, tagFilter }),
    );
    await time.pass(10);
    await provider.enqueueForOrchestrator(startItem("b"));
    const fetched = await mustFetch(context);
    await firstTurn(context, fetched, {
      workerItems: [2, 3, 4].map((id) => activity("b", id, { limit: "partner" })),
    });
    await time.pass(6_000);
    const found = (await Promise.all(fetches)).filter((each) => each !== undefined);
    check.equal(found.length, 2, "fetches that found work");
    await finish(context, given(found[0], "one"));
    check.equal(idsOf(await fetchAll(context)), [4], "after the end of one");
  },

  async "the end of a permit serves a fetch that waits at once"(context) {
    const { provider, lockMs, time, check } = context;
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, times(2, "partner"));
    const first = await mustFetchWork(context);
    const tagFilter = { kind: "default-only" } as const;
    const waiting = provider.fetchWorkItem({ lockTimeoutMs: lockMs, pollTimeoutMs: 20_000, tagFilter });
    await time.pass(1_000);
    await finish(context, first);
    const { value, elapsedMs } = await time.measure(() => waiting, 20_000);
    check.equal([Number(value?.item.id), elapsedMs], [3, 0], "the next one, and how long it took");
  },
};

const levels: GroupOfCases = {
  async "all levels count, and the first counts all keys under it"(context) {
    await setRule(context, "openai/*", { concurrency: 2 });
    await setRule(context, "openai", { concurrency: 3 });
    await queueLimited(context, 2, [...times(4, "openai/a"), ...times(4, "openai/b"), "openai"]);
    const fetched = await fetchAll(context);
    context.check.equal(idsOf(fetched), [2, 6, 10], "what begins");
    await finish(context, given(fetched[0], "one"));
    context.check.equal(idsOf(await fetchAll(context)).length, 1, "after the end of one");
  },

  async "a rule of a key takes the place of that of its prefix"(context) {
    await setRule(context, "openai/*", { concurrency: 1 });
    await setRule(context, "openai/a", { concurrency: 3 });
    await queueLimited(context, 2, [...times(4, "openai/a"), ...times(2, "openai/b")]);
    context.check.equal([...idsOf(await fetchAll(context))].sort(), [2, 3, 4, 6], "what begins");
  },

  async "keys of the second level take turns"(context) {
    await setRule(context, "openai", { concurrency: 1 });
    await queueLimited(context, 2, [...times(4, "openai/a"), ...times(2, "openai/b"), "openai/c"]);
    context.check.equal(await runAll(context), [2, 6, 8, 3, 7, 4, 5], "the order");
  },

  async "a key whose last activity is cancelled when its turn has come leaves the turn to the next key"(
    context,
  ) {
    await setRule(context, "openai", { concurrency: 1 });
    const workerItems = ["a", "b", "c"].map((key, n) => activity("b", n + 2, { limit: `openai/${key}` }));
    await createInstance(context, "b", { workerItems });
    const first = await mustFetchWork(context);
    context.check.absent(await fetchWork(context), "a second one");
    await finish(context, first);
    await turn(context, "b", { cancelledActivities: [{ instanceId: "b", executionId: 1, activityId: 3 }] });
    context.check.equal(await runAll(context), [4], "what begins");
  },

  async "a first level that is full hides none of the keys after it"(context) {
    await setRule(context, "openai", { concurrency: 1 });
    await queueLimited(context, 2, ["openai/a", "openai/b", "openai/c"]);
    const first = await mustFetchWork(context);
    context.check.absent(await fetchWork(context), "a second one");
    await finish(context, first);
    await setRule(context, "openai/b", { concurrency: 1 });
    context.check.equal(await runAll(context), [3, 4], "the others");
  },
};

const priorities: GroupOfCases = {
  async "a higher priority goes first, with a limit and without"(context) {
    await queueLimited(context, 2, [undefined]);
    await queueLimited(context, 3, [undefined], 5);
    await queueLimited(context, 4, [undefined, undefined], 1);
    context.check.equal(await runAll(context), [4, 5, 2, 3], "without a limit");
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 12, ["partner"]);
    await queueLimited(context, 13, ["partner"], 5);
    await queueLimited(context, 14, ["partner", "partner"], 1);
    context.check.equal(await runAll(context), [14, 15, 12, 13], "with a limit");
  },

  async "the priority of a key that may not begin holds nothing back"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, times(2, "partner"), 1);
    await queueLimited(context, 4, [undefined, "other"], 5);
    context.check.equal(idsOf(await fetchAll(context)), [2, 4, 5], "what begins");
  },

  async "what has waited for a minute goes before other keys, however much joins it meanwhile"(context) {
    await queueLimited(context, 2, ["slow"], 5);
    for (let id = 3; id < 9; id++) {
      await context.time.pass(11_000);
      await queueLimited(context, id, ["slow"], 5);
    }
    await queueLimited(context, 20, ["busy", "busy"], 1);
    context.check.equal(Number((await mustFetchWork(context)).item.id), 2, "the first after it");
  },

  async "after a minute the last priority goes before all others of its key"(context) {
    const { time } = context;
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, ["partner", "partner"], 5);
    const first = await mustFetchWork(context);
    await time.pass(20_000);
    await queueLimited(context, 4, ["partner", "partner"], 1);
    await finish(context, first);
    const second = await mustFetchWork(context);
    context.check.equal(Number(second.item.id), 4, "before the minute is over");
    await time.pass(25_000);
    await context.provider.renewWorkItemLock(second.lockToken, context.lockMs);
    await time.pass(20_000);
    await finish(context, second);
    context.check.equal(await runAll(context), [3, 5], "after it");
  },
};

const rules: GroupOfCases = {
  async "a rule that changes holds for what waits"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, times(6, "partner"));
    context.check.equal(idsOf(await fetchAll(context)), [2], "with one");
    await setRule(context, "partner", { concurrency: 3 });
    context.check.equal(idsOf(await fetchAll(context)), [3, 4], "with three");
    await setRule(context, "partner", { concurrency: 2 });
    context.check.absent(await fetchWork(context), "with two, of which three run");
    await limitsOf(context).setLimit("partner", { rule: undefined, perMs: 0 });
    context.check.equal(idsOf(await fetchAll(context)), [5, 6, 7], "without a rule");
  },

  async "lists and reads say what runs and waits"(context) {
    const { check, time } = context;
    const limits = limitsOf(context);
    await limits.setLimit("openai/*", { rule: { concurrency: 1 }, perMs: 0, by: "ada", reason: "a test" });
    const atMs = time.now();
    await queueLimited(context, 2, [...times(2, "openai/a"), ...times(3, "openai/b")]);
    await fetchAll(context);
    await time.pass(5_000);
    const limit = {
      key: "openai/*",
      rule: { concurrency: 1 },
      perMs: 0,
      by: "ada",
      reason: "a test",
      changedAtMs: atMs,
    };
    check.equal(
      await limits.listLimits(),
      [{ limit, running: 2, waiting: 3, oldestWaitingMs: 5_000 }],
      "the list",
    );
    check.equal(
      await limits.readLimit("openai/b"),
      { limit, running: 1, waiting: 2, oldestWaitingMs: 5_000 },
      "a key of the second level",
    );
    check.equal(
      await limits.readLimit("openai"),
      { limit: undefined, running: 2, waiting: 3, oldestWaitingMs: 5_000 },
      "the first level",
    );
    check.equal(
      await limits.readLimit("other"),
      { limit: undefined, running: 0, waiting: 0, oldestWaitingMs: 0 },
      "an unknown key",
    );
  },

  async "a rule of code is stored when it changes, not when it is repeated"(context) {
    const { check, time } = context;
    const limits = limitsOf(context);
    const apply = (concurrency: number): Promise<void> =>
      limits.setLimit("partner", {
        rule: { concurrency },
        perMs: 0,
        applied: `{"concurrency":${concurrency}}`,
      });
    await apply(5);
    const atMs = time.now();
    await time.pass(1_000);
    await apply(5);
    check.equal((await limits.readLimit("partner")).limit?.changedAtMs, atMs, "after a repetition");
    await setRule(context, "partner", { concurrency: 2 });
    await apply(5);
    check.equal((await limits.readLimit("partner")).limit?.rule, { concurrency: 2 }, "after one by hand");
    await apply(6);
    check.equal((await limits.readLimit("partner")).limit?.rule, { concurrency: 6 }, "after new code");
  },

  async "what waits for a limit counts as queued, and what runs does not"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, ["partner", "partner", "partner", undefined]);
    const depth = async (): Promise<number> => (await context.admin.getQueueDepths()).workerQueue;
    context.check.equal(await depth(), 4, "queued");
    await fetchAll(context);
    context.check.equal(await depth(), 2, "beside what runs");
  },

  async "queue rows name the limit that holds them back"(context) {
    await setRule(context, "partner", { concurrency: 1 });
    await queueLimited(context, 2, ["partner", "partner", "other"]);
    const first = await mustFetchWork(context);
    const { work } = await context.admin.listWork({ kind: "worker" });
    context.check.equal(
      work.map(({ eventId, limit, reason }) => [eventId, limit, reason]),
      [
        [2, undefined, undefined],
        [3, "partner", 'waiting for limit "partner"'],
        [4, undefined, undefined],
      ],
      "the rows",
    );
    context.check.equal(Number(first.item.id), 2, "what runs");
  },
};

export const limits: readonly ProviderCase[] = [
  ...casesOf("limits_concurrency", {
    ...needing(NEEDS, concurrency),
    ...needing(["long-polling", ...NEEDS], waiting),
  }),
  ...casesOf("limits_levels", needing(NEEDS, levels)),
  ...casesOf("limits_priorities", needing(NEEDS, priorities)),
  ...rateCases,
  ...casesOf("limits_rules", needing(NEEDS, rules)),
];
