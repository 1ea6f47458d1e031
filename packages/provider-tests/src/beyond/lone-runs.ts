/** Lone runs that are withdrawn, because their process did not end (docs/reference/provider-contract.md §8.2). */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import { casesOf, type Need, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, scheduled } from "../messages.ts";
import { createInstance, fetchWork, given, mustFetchWork, passLock } from "../steps.ts";

const needs: readonly Need[] = ["lone-runs"];

/** An activity whose lone run began. */
async function runAlone(context: CaseContext): Promise<FetchedWork> {
  await createInstance(context, "a", { historyDelta: [scheduled("a", 2)], workerItems: [activity("a", 2)] });
  return markAlone(context);
}

async function markAlone(context: CaseContext): Promise<FetchedWork> {
  const work = await mustFetchWork(context);
  await context.provider.renewWorkItemLock(work.lockToken, context.lockMs, { alone: true });
  return work;
}

async function withdraw({ provider }: CaseContext, { lockToken }: FetchedWork): Promise<void> {
  await given(provider.withdrawLoneRun?.(lockToken), "the provider has no withdrawLoneRun");
}

export const loneRuns: readonly ProviderCase[] = casesOf("lone_runs", {
  "a withdrawn lone run is not counted any more": {
    needs,
    async run(context) {
      const first = await runAlone(context);
      await passLock(context);
      await withdraw(context, first);
      const { attemptCount, loneRuns: runs = 0 } = await mustFetchWork(context);
      context.check.equal([attemptCount, runs], [2, 0], "attempts and lone runs");
    },
  },

  "a withdrawal takes back one lone run of several": {
    needs,
    async run(context) {
      const first = await runAlone(context);
      await passLock(context);
      await markAlone(context);
      await passLock(context);
      await withdraw(context, first);
      context.check.equal((await mustFetchWork(context)).loneRuns, 1, "lone runs");
    },
  },

  "a withdrawal leaves the lock to the fetch that holds it": {
    needs,
    async run(context) {
      const { provider, check, lockMs } = context;
      const first = await runAlone(context);
      await passLock(context);
      const second = await mustFetchWork(context);
      await withdraw(context, first);
      check.absent(await fetchWork(context), "a fetch while the second holds the activity");
      await provider.renewWorkItemLock(second.lockToken, lockMs);
      await provider.ackWorkItem(second.lockToken, completion("a", 2));
      await passLock(context);
      check.absent(await fetchWork(context), "a fetch after the outcome");
    },
  },

  "a withdrawal after the outcome changes nothing": {
    needs,
    async run(context) {
      const { provider, check } = context;
      const first = await runAlone(context);
      await passLock(context);
      const second = await mustFetchWork(context);
      await provider.ackWorkItem(second.lockToken, completion("a", 2));
      await withdraw(context, first);
      await passLock(context);
      check.absent(await fetchWork(context), "a fetch after the outcome");
    },
  },
});
