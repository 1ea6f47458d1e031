/** Several waiting fetches: each gets rows that it accepts, and no row goes to two of them. */
import type { FetchWorkOptions } from "@duroxide-ts/core/stores";
import type { GroupOfCases, ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity } from "../messages.ts";
import { fetchWork } from "../steps.ts";
import { LIMIT_MS, ofBothQueues, PATIENCE_MS, pollingCases, type Queue } from "./polling-steps.ts";

export const pollingRivals: readonly ProviderCase[] = pollingCases({
  ...ofBothQueues(competitions),

  async "each of two workers that wait gets the activity of its own tag"(context) {
    const { provider, time, check } = context;
    const wait = (tagFilter: FetchWorkOptions["tagFilter"]) =>
      fetchWork(context, { tagFilter, pollTimeoutMs: PATIENCE_MS });
    const waiting = [wait({ kind: "tags", tags: ["gpu"] }), wait({ kind: "default-only" })];
    await time.pass(100);
    await provider.enqueueForWorker(activity("a", 1));
    await provider.enqueueForWorker(activity("a", 2, { tag: "gpu" }));
    const { value: fetched } = await time.measure(() => Promise.all(waiting), LIMIT_MS);
    check.equal(
      fetched.map((work) => work?.item.id),
      [2, 1],
      "what each of them got",
    );
  },

  async "of two workers that wait for a session one gets it"(context) {
    const { provider, time, check } = context;
    const waiting = ["me", "you"].map((ownerId) =>
      fetchWork(context, { session: { ownerId, lockTimeoutMs: 60_000 }, pollTimeoutMs: 1_000 }),
    );
    await time.pass(100);
    for (const id of [1, 2]) await provider.enqueueForWorker(activity("a", id, { session_id: "s" }));
    const { value: fetched } = await time.measure(() => Promise.all(waiting), LIMIT_MS);
    const ids = fetched.flatMap((work) => (work === undefined ? [] : [work.item.id]));
    check.equal(ids, [1], "the activities that the two got");
  },
});

function competitions(queue: Queue): GroupOfCases {
  return {
    [`of two waiting fetches one gets ${queue.what}`]: (context) => expectOneWinner(context, context, queue),

    [`of two providers whose fetches wait one gets ${queue.what}`]: {
      needs: ["several-providers"],
      run: async (context) => expectOneWinner(context, await context.openAnother(), queue),
    },
  };
}

async function expectOneWinner(context: CaseContext, rival: CaseContext, queue: Queue): Promise<void> {
  const { time, check } = context;
  const fetches = [context, rival].map((caller) => queue.fetch(caller, { pollTimeoutMs: 1_000 }));
  await time.pass(100);
  await queue.enqueue(context);

  const { value: fetched } = await time.measure(() => Promise.all(fetches), LIMIT_MS);

  check.equal(fetched.filter((each) => each !== undefined).length, 1, "how many get the only one");
  check.absent(await queue.fetch(context, { pollTimeoutMs: 0 }), "a third fetch during the winner's lock");
}
