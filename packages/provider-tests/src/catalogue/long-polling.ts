/**
 * How long a fetch takes that finds nothing. Catalogue: long_polling. A provider either waits or does not; one
 * pair of these cases applies to it, and the upper bound to all.
 */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { fetchOrchestration, fetchWork } from "../steps.ts";

export const longPolling: readonly ProviderCase[] = casesOf("long_polling", {
  ...needing(["short-polling"], {
    async test_short_poll_returns_immediately(context) {
      const elapsedMs = await idlePoll(context, fetchOrchestration, 500);
      context.check.isTrue(elapsedMs <= context.responseMs, `at once, not after ${elapsedMs} ms`);
    },

    async test_short_poll_work_item_returns_immediately(context) {
      const elapsedMs = await idlePoll(context, fetchWork, 500);
      context.check.isTrue(elapsedMs <= context.responseMs, `at once, not after ${elapsedMs} ms`);
    },
  }),

  async test_fetch_respects_timeout_upper_bound(context) {
    for (const fetch of [fetchOrchestration, fetchWork]) {
      const elapsedMs = await idlePoll(context, fetch, 300);
      context.check.isTrue(elapsedMs < 500, `a poll of 300 ms ends before 500 ms, not after ${elapsedMs} ms`);
    }
  },

  ...needing(["long-polling"], {
    async test_long_poll_waits_for_timeout(context) {
      const elapsedMs = await idlePoll(context, fetchOrchestration, 500);
      context.check.isTrue(elapsedMs >= 500, `a poll of 500 ms waits so long, not ${elapsedMs} ms`);
    },

    async test_long_poll_work_item_waits_for_timeout(context) {
      const elapsedMs = await idlePoll(context, fetchWork, 500);
      context.check.isTrue(elapsedMs >= 500, `a poll of 500 ms waits so long, not ${elapsedMs} ms`);
    },
  }),
});

/** How long a fetch from an empty store takes, ms. */
async function idlePoll(
  context: CaseContext,
  fetch: (context: CaseContext, options: { readonly pollTimeoutMs: number }) => Promise<unknown>,
  pollTimeoutMs: number,
): Promise<number> {
  const { value, elapsedMs } = await context.time.measure(() => fetch(context, { pollTimeoutMs }), 10_000);
  context.check.absent(value, "what a fetch from an empty store finds");
  return elapsedMs;
}
