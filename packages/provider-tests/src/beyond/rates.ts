/** Rates of limits (docs/reference/provider-contract.md §12.1). */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { fetchWork, given } from "../steps.ts";
import { fetchAll, finish, NEEDS, queueLimited, setRule, times } from "./limit-steps.ts";

const rates: GroupOfCases = {
  async "no period has more begins than its rate, and most of it is used"(context) {
    await setRule(context, "partner", { rate: { max: 5, per: { seconds: 1 } } }, 1_000);
    await queueLimited(context, 2, times(60, "partner"));
    const begins = await beginsWithin(context, 10_000);
    checkPeriods(context, begins, 5);
    context.check.isTrue(begins.length >= 45, `at least 45 begins in 10 s, not ${begins.length}`);
  },

  async "handlers that are called late begin no more often either"(context) {
    await setRule(context, "partner", { rate: { max: 5, per: { seconds: 1 } } }, 1_000);
    await queueLimited(context, 2, times(40, "partner"));
    const { time } = context;
    const begins: number[] = [];
    const waitUntilBegun = async ({ begin }: FetchedWork, lateMs: number): Promise<void> => {
      // Without `begin` the fetch counts.
      if (begin === undefined) begins.push(time.now());
      await time.pass(lateMs);
      if (begin === undefined) return;
      for (let asked = begin(); asked !== 0; asked = begin())
        await time.pass(given(await asked, "a slot comes soon"));
      begins.push(time.now());
    };
    const lateMs = [150, 0, 0, 45, 300, 0, 0, 0, 90, 0];
    for (const endMs = time.now() + 5_000; time.now() < endMs; await time.pass(5)) {
      const fetched = await fetchWork(context);
      if (fetched === undefined) continue;
      await waitUntilBegun(fetched, lateMs[begins.length % lateMs.length] ?? 0);
      await finish(context, fetched);
    }
    checkPeriods(context, begins, 5);
    context.check.isTrue(begins.length >= 10, `at least 10 begins in 5 s, not ${begins.length}`);
  },

  async "a handler that is called seconds late keeps its slot of a day"(context) {
    const dayMs = 86_400_000;
    await setRule(context, "partner", { rate: { max: 1, per: { days: 1 } } }, dayMs);
    await queueLimited(context, 2, times(2, "partner"));
    const fetched = given(await fetchWork(context), "one begins");
    await context.time.pass(3_000);
    context.check.equal(fetched.begin === undefined ? 0 : await fetched.begin(), 0, "the time to its slot");
    await finish(context, fetched);
    await context.time.pass(dayMs - 4_000);
    context.check.absent(await fetchWork(context), "another one a day after the first slot");
  },

  async "a burst begins at once, after a pause again"(context) {
    await setRule(context, "partner", { rate: { max: 1, per: { seconds: 1 }, burst: 3 } }, 1_000);
    await queueLimited(context, 2, times(9, "partner"));
    context.check.equal((await fetchAll(context)).length, 3, "at first");
    await context.time.pass(1_100);
    context.check.equal((await fetchAll(context)).length, 1, "a period later");
    await context.time.pass(10_000);
    context.check.equal((await fetchAll(context)).length, 3, "after a pause");
  },

  async "a rate is one for all providers of the store, and for the keys under it"(context) {
    await setRule(context, "partner", { rate: { max: 1, per: { seconds: 1 } } }, 1_000);
    await queueLimited(context, 2, ["partner/a", "partner/b", "partner"]);
    context.check.equal((await fetchAll(context)).length, 1, "begins");
    await context.time.pass(1_100);
    context.check.equal((await fetchAll(context)).length, 1, "begins a period later");
  },
};

function checkPeriods({ check }: CaseContext, begins: readonly number[], most: number): void {
  for (const atMs of begins) {
    const inPeriod = begins.filter((other) => other >= atMs && other < atMs + 1_000).length;
    if (inPeriod > most) check.equal(inPeriod, most, `begins within a second from ${atMs}`);
  }
}

async function beginsWithin(context: CaseContext, ms: number): Promise<readonly number[]> {
  const { time } = context;
  const begins: number[] = [];
  for (const endMs = time.now() + ms; time.now() < endMs; await time.pass(10)) {
    for (const each of await fetchAll(context)) {
      begins.push(time.now());
      await finish(context, each);
    }
  }
  return begins;
}

export const rateCases: readonly ProviderCase[] = casesOf("limits_rates", needing(NEEDS, rates));
