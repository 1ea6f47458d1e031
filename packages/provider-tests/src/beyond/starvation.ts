/** Any number of rows that are not eligible do not hide later eligible work (hazards W15, W16, W29 and W30). */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, raised, semver, startItem, versions } from "../messages.ts";
import { createInstance, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";

/** More rows than the Rust provider tries, which are 20 and 10. */
const MANY = 25;

const numbers = Array.from({ length: MANY }, (_, n) => n);

/** An unlocked instance with a message, newer than the rows that are not eligible. */
async function findsTheFree(context: CaseContext): Promise<void> {
  await context.provider.enqueueForOrchestrator(startItem("free"));
  context.check.equal((await fetchOrchestration(context))?.item.instanceId, "free", "the free instance");
}

export const starvation: readonly ProviderCase[] = casesOf("starvation", {
  async "locked instances with waiting messages do not hide a free one"(context) {
    for (const n of numbers) await createInstance(context, `busy-${n}`);
    for (const n of numbers) await context.provider.enqueueForOrchestrator(raised(`busy-${n}`, "one"));
    for (const _ of numbers) await mustFetch(context);
    for (const n of numbers) await context.provider.enqueueForOrchestrator(raised(`busy-${n}`, "two"));
    await findsTheFree(context);
  },

  async "instances pinned to an incompatible version do not hide a compatible one"(context) {
    const { check, provider } = context;
    const pinnedVersion = semver("9.0.0");
    for (const n of numbers) await createInstance(context, `new-${n}`, { metadata: { pinnedVersion } });
    for (const n of numbers) await provider.enqueueForOrchestrator(raised(`new-${n}`, "poke"));
    await provider.enqueueForOrchestrator(startItem("free"));
    const supportedVersions = versions("0.0.0", "1.0.0");
    const fetched = await fetchOrchestration(context, { supportedVersions });
    check.equal(fetched?.item.instanceId, "free", "the compatible instance");
    check.absent(await fetchOrchestration(context, { supportedVersions }), "another compatible one");
    check.isTrue((await fetchOrchestration(context)) !== undefined, "the others are free for newer runtimes");
  },

  async "instances whose messages are due later do not hide one with work"(context) {
    for (const n of numbers) await createInstance(context, `later-${n}`);
    for (const n of numbers) await context.provider.enqueueForOrchestrator(raised(`later-${n}`, "e"), 60_000);
    await findsTheFree(context);
  },

  async "activities of many sessions of other owners do not hide an eligible one"(context) {
    const { provider, check } = context;
    const session = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: 60_000 } });
    for (const n of numbers) await provider.enqueueForWorker(activity("a", n + 1, { session_id: `s-${n}` }));
    for (const n of numbers) await mustFetchWork(context, session(`them-${n}`));
    for (const n of numbers)
      await provider.enqueueForWorker(activity("a", n + 200, { session_id: `s-${n}` }));
    await provider.enqueueForWorker(activity("a", 100));
    check.equal((await fetchWork(context, session("me")))?.item.id, 100, "the free activity");
    check.absent(await fetchWork(context, session("me")), "one of the others'");
  },

  async "activities of other tags do not hide one without"(context) {
    const { provider, check } = context;
    for (const n of numbers) await provider.enqueueForWorker(activity("a", n + 1, { tag: "gpu" }));
    await provider.enqueueForWorker(activity("a", 100));
    check.equal((await fetchWork(context))?.item.id, 100, "the activity without a tag");
  },

  async "locked and delayed activities do not hide a free one"(context) {
    const { provider, check } = context;
    for (const n of numbers) await provider.enqueueForWorker(activity("a", n + 1));
    for (const n of numbers) {
      const { lockToken } = await mustFetchWork(context);
      if (n % 2 === 0) await provider.abandonWorkItem(lockToken, { delayMs: 60_000 });
    }
    await provider.enqueueForWorker(activity("a", 100));
    check.equal((await fetchWork(context))?.item.id, 100, "the free activity");
  },
});
