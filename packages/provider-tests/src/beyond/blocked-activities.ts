/**
 * Blocked activities, the list of blocked work, and the options of a renewal (docs/reference/provider-contract.md §8.1,
 * §8.2).
 */
import type { Blocked, BlockedReason } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, raised, scheduled } from "../messages.ts";
import { allPages } from "../pages.ts";
import { ack, createInstance, fetchWork, given, mustFetch, mustFetchWork, passLock, turn } from "../steps.ts";

const MISSING: BlockedReason = { reason: "missing-activity", detail: '"work" is not registered' };

async function blockedOf({ provider }: CaseContext, instanceId: string): Promise<readonly Blocked[]> {
  return given(
    (await provider.admin.listBlocked({ instanceId: instanceId })).blocked,
    "the provider has no getBlocked",
  );
}

/** Two activities of "a", as a turn schedules them. */
async function schedule(context: CaseContext, ids: readonly number[] = [2, 3]): Promise<void> {
  await createInstance(context, "a", {
    historyDelta: ids.map((id) => scheduled("a", id)),
    workerItems: ids.map((id) => activity("a", id)),
  });
}

async function blockActivity(context: CaseContext, delayMs = 500): Promise<void> {
  const { lockToken } = await mustFetchWork(context);
  await context.provider.abandonWorkItem(lockToken, { delayMs, ignoreAttempt: true, blocked: MISSING });
}

export const blockedActivities: readonly ProviderCase[] = casesOf("blocked_activities", {
  async "a blocked activity is hidden for its delay, and the next fetch returns its block"(context) {
    const { check, time } = context;
    await schedule(context, [2]);
    const startMs = time.now();
    await blockActivity(context);
    check.absent(await fetchWork(context), "a fetch during the delay");
    const [blocked] = await blockedOf(context, "a");
    const sinceMs = blocked?.sinceMs ?? 0;
    check.isTrue(sinceMs >= startMs && sinceMs <= time.now(), `since ${sinceMs}`);
    const expected = {
      instanceId: "a",
      ...MISSING,
      activity: { executionId: 1, activityId: 2, name: "work" },
      sinceMs,
      attempts: 1,
      nextTryAtMs: sinceMs + 500,
    };
    check.equal(blocked, expected, "the block");
    await time.pass(600);
    const fetched = await mustFetchWork(context);
    check.equal(fetched.blocked, expected, "the block that the fetch returns");
    check.equal(fetched.attemptCount, 1, "attempts");
  },

  async "the block of an activity counts on, and ends with an abandon without a reason or with its outcome"(
    context,
  ) {
    const { provider, check, time } = context;
    await schedule(context, [2]);
    for (const attempts of [1, 2]) {
      await blockActivity(context);
      check.equal((await blockedOf(context, "a"))[0]?.attempts, attempts, "attempts of the block");
      await time.pass(600);
    }
    await provider.abandonWorkItem((await mustFetchWork(context)).lockToken);
    check.equal(await blockedOf(context, "a"), [], "the blocks after an abandon without a reason");
    await blockActivity(context);
    await time.pass(600);
    const { lockToken } = await mustFetchWork(context);
    await provider.ackWorkItem(lockToken, completion("a", 2));
    check.equal(await blockedOf(context, "a"), [], "the blocks after the outcome");
  },

  async "a cancelled activity leaves no block, and the others keep theirs"(context) {
    const { check } = context;
    await schedule(context);
    for (const _ of [2, 3]) await blockActivity(context, 60_000);
    await turn(context, "a", { cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 2 }] });
    const blocked = await blockedOf(context, "a");
    check.equal(
      blocked.map((each) => each.activity?.activityId),
      [3],
      "the blocked activities",
    );
  },

  async "the instance comes before its activities, and an unknown instance has no blocks"(context) {
    const { provider, check } = context;
    await schedule(context, [2]);
    await blockActivity(context);
    await provider.enqueueForOrchestrator(raised("a", "e"));
    const { lockToken } = await mustFetch(context);
    const blocked = { reason: "nondeterminism", detail: "event 2 does not fit" } as const;
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 500, blocked });
    const reasons = (await blockedOf(context, "a")).map(({ reason }) => reason);
    check.equal(reasons, ["nondeterminism", "missing-activity"], "the reasons");
    check.equal(await blockedOf(context, "nobody"), [], "the blocks of an unknown instance");
  },

  async "everything that is blocked is listed, longest first, a page at a time, and counted"(context) {
    const { provider, check, admin, time } = context;
    const expected: string[] = [];
    for (const id of ["a", "b", "c"]) {
      await createInstance(context, id, { workerItems: [activity(id, 2)] });
      await provider.enqueueForOrchestrator(raised(id, "e"));
      const { lockToken } = await mustFetch(context);
      const blocked = { reason: "nondeterminism", detail: id } as const;
      await provider.abandonOrchestrationItem(lockToken, { delayMs: 600_000, blocked });
      await time.pass(10);
      await blockActivity(context, 600_000);
      await time.pass(10);
      expected.push(`${id} itself`, `${id} work`);
    }
    const listed = await allPages(async (from) => {
      const page = given(await admin.listBlocked({ limit: 2, ...from }), "the admin has no listBlocked");
      check.isTrue(page.blocked.length <= 2, `entries of a page: ${page.blocked.length}`);
      const items = page.blocked.map((each) => `${each.instanceId} ${each.activity?.name ?? "itself"}`);
      return { items, continuation: page.continuation };
    });
    check.equal(listed, expected, "the list");
    for (const { blockedWork: count } of [await admin.getSystemMetrics(), await admin.getQueueDepths()]) {
      check.isTrue(count === undefined || count === 6, `the count: ${count}`);
    }
  },

  async "what is blocked since one moment is on one page each"(context) {
    const { provider, check, admin, time } = context;
    if (context.capabilities.clock === "system") return;
    const ids = ["a", "b", "c"];
    for (const id of ["x", "y", "z"]) await createInstance(context, id);
    for (const id of ids) await createInstance(context, id, { workerItems: [activity(id, 2)] });
    for (const id of ids) await provider.enqueueForOrchestrator(raised(id, "e"));
    const blocked = { reason: "nondeterminism", detail: "all at once" } as const;
    const turns = [await mustFetch(context), await mustFetch(context), await mustFetch(context)];
    const works = [await mustFetchWork(context), await mustFetchWork(context), await mustFetchWork(context)];
    await time.pass(1);
    for (const { lockToken } of turns)
      await provider.abandonOrchestrationItem(lockToken, { delayMs: 600_000, blocked });
    for (const { lockToken } of works)
      await provider.abandonWorkItem(lockToken, { delayMs: 600_000, blocked: MISSING });
    for (const limit of [1, 2, 5]) {
      const listed = await allPages(async (from) => {
        const page = given(await admin.listBlocked({ limit, ...from }), "the admin has no listBlocked");
        const items = page.blocked.map((each) => `${each.instanceId} ${each.activity?.name ?? "itself"}`);
        return { items, continuation: page.continuation };
      });
      const expected = ids.flatMap((id) => [`${id} itself`, `${id} work`]);
      check.equal([...listed].sort(), expected, `the list in pages of ${limit}`);
    }
  },

  async "a list of what is blocked refuses what is no limit and no continuation"({ check, admin }) {
    for (const options of [{ limit: 0 }, { limit: 1.5 }, { continuation: "what?" }]) {
      const listing = given(admin.listBlocked(options), "the admin has no listBlocked");
      await check.rejects(listing, "invalid-input", JSON.stringify(options));
    }
  },

  async "a renewal can take the fetch off the attempts, never below none"(context) {
    const { provider, check, lockMs } = context;
    await schedule(context, [2]);
    await provider.enqueueForOrchestrator(raised("a", "e"));
    const [batch, work] = [await mustFetch(context), await mustFetchWork(context)];
    for (const _ of [1, 2]) {
      await provider.renewOrchestrationItemLock(batch.lockToken, lockMs, { ignoreAttempt: true });
      await provider.renewWorkItemLock(work.lockToken, lockMs, { ignoreAttempt: true });
    }
    await passLock(context);
    check.equal((await mustFetch(context)).attemptCount, 1, "attempts of the batch");
    check.equal((await mustFetchWork(context)).attemptCount, 1, "attempts of the activity");
  },

  async "lone runs are counted by renewals, and every later fetch returns how many there were"(context) {
    const { provider, check, lockMs } = context;
    await schedule(context, [2]);
    await provider.enqueueForOrchestrator(raised("a", "e"));
    const [batch, work] = [await mustFetch(context), await mustFetchWork(context)];
    check.equal([batch.loneRuns ?? 0, work.loneRuns ?? 0], [0, 0], "neither ran alone before");
    await provider.renewOrchestrationItemLock(batch.lockToken, lockMs, { alone: true });
    await provider.renewWorkItemLock(work.lockToken, lockMs, { alone: true });
    await passLock(context);
    for (const [how, runs] of [
      ["a lost process", 1],
      ["an abandon", 2],
    ] as const) {
      const [next, nextWork] = [await mustFetch(context), await mustFetchWork(context)];
      check.equal([next.loneRuns, nextWork.loneRuns], [runs, runs], `lone runs, after ${how}`);
      await provider.renewOrchestrationItemLock(next.lockToken, lockMs, { alone: true });
      await provider.renewWorkItemLock(nextWork.lockToken, lockMs, { alone: true });
      await provider.abandonOrchestrationItem(next.lockToken, { ignoreAttempt: true });
      await provider.abandonWorkItem(nextWork.lockToken, { ignoreAttempt: true });
    }
    await ack(context, await mustFetch(context));
    await provider.enqueueForOrchestrator(raised("a", "another"));
    check.equal((await mustFetch(context)).loneRuns ?? 0, 0, "lone runs of a batch of other rows");
  },

  async "a renewal of a lost lock marks nothing and takes nothing off"(context) {
    const { provider, check, lockMs } = context;
    await schedule(context, [2]);
    await provider.enqueueForOrchestrator(raised("a", "e"));
    const [batch, work] = [await mustFetch(context), await mustFetchWork(context)];
    await passLock(context);
    const options = { alone: true, ignoreAttempt: true };
    const renewals = [
      provider.renewOrchestrationItemLock(batch.lockToken, lockMs, options),
      provider.renewWorkItemLock(work.lockToken, lockMs, options),
    ];
    await Promise.all(renewals.map((renewal) => check.rejects(renewal, "lock-lost", "a renewal")));
    const [next, nextWork] = [await mustFetch(context), await mustFetchWork(context)];
    check.equal([next.attemptCount, nextWork.attemptCount], [2, 2], "attempts");
    check.equal([next.loneRuns ?? 0, nextWork.loneRuns ?? 0], [0, 0], "lone runs");
  },

  async "the lock of a fetch ends when the fetch says"(context) {
    const { provider, check, time, lockMs } = context;
    await schedule(context, [2]);
    await provider.enqueueForOrchestrator(raised("a", "e"));
    const startMs = time.now();
    const locks = [await mustFetch(context), await mustFetchWork(context)];
    const endMs = time.now();
    for (const { lockedUntilMs } of locks) {
      const isRight =
        lockedUntilMs === undefined || (lockedUntilMs >= startMs + lockMs && lockedUntilMs <= endMs + lockMs);
      check.isTrue(isRight, `a lock from ${startMs} for ${lockMs} ms ends at ${lockedUntilMs}`);
    }
  },
});
