/**
 * A fetch without work ends after its poll timeout, or when its signal aborts (docs/reference/provider-contract.md §5,
 * §6).
 */
import { getEventListeners } from "node:events";
import type { GroupOfCases, ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { startItem } from "../messages.ts";
import { fetchOrchestration, fetchWork } from "../steps.ts";
import {
  activities,
  LIMIT_MS,
  ofBothQueues,
  PATIENCE_MS,
  pollingCases,
  type Queue,
} from "./polling-steps.ts";

export const pollingEnds: readonly ProviderCase[] = pollingCases({
  ...ofBothQueues(timeouts),
  ...ofBothQueues(aborts),

  async "a waiting fetch that supports no version ends in time, with nothing"(context) {
    await context.provider.enqueueForOrchestrator(startItem("a"));
    await expectNothingWithin(context, 500, () =>
      fetchOrchestration(context, { supportedVersions: [], pollTimeoutMs: 500 }),
    );
  },

  async "a waiting fetch that accepts no activities ends in time, with nothing"(context) {
    await activities.enqueue(context);
    await expectNothingWithin(context, 500, () =>
      fetchWork(context, { tagFilter: { kind: "none" }, pollTimeoutMs: 500 }),
    );
  },
});

function timeouts(queue: Queue): GroupOfCases {
  return {
    async [`a wait for ${queue.what} ends when its time is over`](context) {
      const elapsedMs = await expectNothingWithin(context, 500, () =>
        queue.fetch(context, { pollTimeoutMs: 500 }),
      );
      context.check.isTrue(elapsedMs >= 500, `not before, after ${elapsedMs} ms`);
    },
  };
}

function aborts(queue: Queue): GroupOfCases {
  return {
    async [`an aborted fetch of ${queue.what} ends at once and takes nothing that comes later`](context) {
      const { time, check } = context;
      const controller = new AbortController();
      const waiting = queue.fetch(context, { pollTimeoutMs: PATIENCE_MS, signal: controller.signal });
      await time.pass(100);

      controller.abort();

      const { value, elapsedMs } = await time.measure(() => waiting, LIMIT_MS);
      check.absent(value, "what the aborted fetch found");
      check.isTrue(elapsedMs <= context.responseMs, `at once, not after ${elapsedMs} ms`);
      // A storage call in flight may still lock a row; after its end no call may.
      await time.pass(context.responseMs);
      await queue.enqueue(context);
      check.equal(
        (await queue.fetch(context, { pollTimeoutMs: 0 }))?.attemptCount,
        1,
        "the next fetch's attempt",
      );
    },

    async [`${queue.what} that comes while its fetch is aborted is free again after the lock`](context) {
      const { time, check } = context;
      const controller = new AbortController();
      const options = { pollTimeoutMs: PATIENCE_MS, lockTimeoutMs: 500, signal: controller.signal };
      const waiting = queue.fetch(context, options);
      await time.pass(100);

      const enqueued = queue.enqueue(context);
      controller.abort();
      await enqueued;

      const { elapsedMs } = await time.measure(() => waiting, LIMIT_MS);
      check.isTrue(elapsedMs <= context.responseMs, `the fetch ends at once, not after ${elapsedMs} ms`);
      await time.pass(600);
      check.isTrue(
        (await queue.fetch(context, { pollTimeoutMs: 0 })) !== undefined,
        "whether or not the aborted fetch had taken it, it can be fetched",
      );
    },

    async [`a fetch of ${queue.what} that has ended leaves no listener at its signal`](context) {
      const { time, check, responseMs } = context;
      // Signals of runtimes live as long as their processes, and each fetch has the same.
      const { signal } = new AbortController();
      const listeners = (): number => getEventListeners(signal, "abort").length;
      await time.measure(() => queue.fetch(context, { pollTimeoutMs: 200, signal }), LIMIT_MS);
      await time.pass(responseMs);
      check.equal(listeners(), 0, "the listeners after a fetch in vain");
      const waiting = queue.fetch(context, { pollTimeoutMs: PATIENCE_MS, signal });
      await time.pass(100);
      await queue.enqueue(context);
      const { value } = await time.measure(() => waiting, LIMIT_MS);
      check.isTrue(value !== undefined, "the fetch that waits gets what comes");
      await time.pass(responseMs);
      check.equal(listeners(), 0, "the listeners after a fetch that found something");
    },

    async [`a fetch of ${queue.what} whose signal was aborted before takes nothing`](context) {
      const { check } = context;
      await queue.enqueue(context);
      const signal = AbortSignal.abort();
      await expectNothingWithin(context, 0, () =>
        queue.fetch(context, { pollTimeoutMs: PATIENCE_MS, signal }),
      );
      const next = await queue.fetch(context, { pollTimeoutMs: 0 });
      check.equal(next?.attemptCount, 1, "the next fetch's attempt");
    },
  };
}

/** Asserts that the fetch finds nothing within its limit; returns its duration, ms. */
async function expectNothingWithin(
  { time, check, responseMs }: CaseContext,
  pollTimeoutMs: number,
  fetch: () => Promise<unknown>,
): Promise<number> {
  const { value, elapsedMs } = await time.measure(fetch, LIMIT_MS);
  check.absent(value, "what the fetch found");
  check.isTrue(elapsedMs <= pollTimeoutMs + responseMs, `it ends in time, not after ${elapsedMs} ms`);
  return elapsedMs;
}
