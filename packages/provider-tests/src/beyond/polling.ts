/**
 * A waiting fetch ends when work that it accepts becomes eligible, and for no other work
 * (docs/reference/provider-contract.md §6). Work that becomes eligible without a write is in polling-due.ts, several
 * fetches at once are in polling-rivals.ts, and fetches without work in polling-ends.ts.
 */
import type { GroupOfCases, ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, raised, semver, startItem, versions } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";
import {
  activities,
  expectFoundWithin,
  LIMIT_MS,
  ofBothQueues,
  orchestrations,
  PATIENCE_MS,
  pollingCases,
  type Queue,
  windowOf,
} from "./polling-steps.ts";

export const polling: readonly ProviderCase[] = pollingCases({
  ...ofBothQueues(answers),

  async "an activity that a turn schedules ends a wait"(context) {
    await context.provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    await expectWoken(context, activities, () => ack(context, fetched, { workerItems: [activity("a", 2)] }));
  },

  async "the outcome of an activity ends a wait"(context) {
    await createInstance(context, "a", { workerItems: [activity("a", 2)] });
    const { lockToken } = await mustFetchWork(context);
    await expectWoken(context, orchestrations, () =>
      context.provider.ackWorkItem(lockToken, completion("a", 2)),
    );
  },

  async "a start that a turn sends to another instance ends a wait"(context) {
    await context.provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    await expectWoken(context, orchestrations, () =>
      ack(context, fetched, { orchestratorItems: [startItem("child")] }),
    );
  },

  async "the end of a turn ends a wait for what came during the turn"(context) {
    await createInstance(context, "a");
    await context.provider.enqueueForOrchestrator(raised("a", "first"));
    const fetched = await mustFetch(context);
    await context.provider.enqueueForOrchestrator(raised("a", "second"));
    await expectWoken(context, orchestrations, () => ack(context, fetched));
  },

  async "a turn that is given back ends a wait"(context) {
    await orchestrations.enqueue(context);
    const { lockToken } = await mustFetch(context);
    await expectWoken(context, orchestrations, () => context.provider.abandonOrchestrationItem(lockToken));
  },

  async "an activity that is given back ends a wait"(context) {
    await activities.enqueue(context);
    const { lockToken } = await mustFetchWork(context);
    await expectWoken(context, activities, () => context.provider.abandonWorkItem(lockToken));
  },

  async "a wait is not ended by an execution of an unsupported version"(context) {
    const { provider } = context;
    await createInstance(context, "a", { metadata: { pinnedVersion: semver("2.0.0") } });
    await expectNotWoken(
      context,
      (pollTimeoutMs) =>
        fetchOrchestration(context, { pollTimeoutMs, supportedVersions: versions("1.0.0", "1.9.9") }),
      () => provider.enqueueForOrchestrator(raised("a", "e")),
    );
  },

  async "a wait is not ended by an activity of another tag"(context) {
    const { provider } = context;
    await expectNotWoken(
      context,
      (pollTimeoutMs) => fetchWork(context, { pollTimeoutMs }),
      () => provider.enqueueForWorker(activity("a", 1, { tag: "gpu" })),
    );
  },
});

function answers(queue: Queue): GroupOfCases {
  return {
    async [`a fetch of ${queue.what} that may wait answers at once where there is one`](context) {
      await queue.enqueue(context);
      const window = { earliestMs: 0, latestMs: context.time.now() + context.responseMs };
      await expectFoundWithin(context, window, queue.fetch(context, { pollTimeoutMs: PATIENCE_MS }));
    },

    async [`a wait for ${queue.what} ends when one comes`](context) {
      await expectWoken(context, queue, () => queue.enqueue(context));
    },

    [`a wait for ${queue.what} ends when another provider on the store enqueues one`]: {
      needs: ["several-providers"],
      async run(context) {
        const { time, check } = context;
        const another = await context.openAnother();
        const waiting = queue.fetch(context, { pollTimeoutMs: PATIENCE_MS });
        await time.pass(100);
        await queue.enqueue(another);

        const { value, elapsedMs } = await time.measure(() => waiting, LIMIT_MS);

        check.isTrue(value !== undefined, "the waiting fetch finds what the other provider enqueued");
        check.isTrue(
          elapsedMs < PATIENCE_MS - 1_000,
          `long before its time is over, not after ${elapsedMs} ms`,
        );
      },
    },
  };
}

/** Asserts that a waiting fetch returns the work that the call makes eligible, at once. */
async function expectWoken(context: CaseContext, queue: Queue, call: () => Promise<unknown>): Promise<void> {
  const waiting = queue.fetch(context, { pollTimeoutMs: PATIENCE_MS });
  await context.time.pass(100);
  await expectFoundWithin(context, await windowOf(context, 0, call), waiting);
}

/** Asserts that a waiting fetch waits until its poll timeout. */
async function expectNotWoken(
  { time, check }: CaseContext,
  fetch: (pollTimeoutMs: number) => Promise<unknown>,
  call: () => Promise<unknown>,
): Promise<void> {
  const startMs = time.now();
  const waiting = fetch(500);
  await time.pass(100);
  await call();

  const { value } = await time.measure(() => waiting, LIMIT_MS);

  check.absent(value, "what the waiting fetch found");
  check.isTrue(time.now() - startMs >= 500, `it waits 500 ms, not ${time.now() - startMs} ms`);
}
