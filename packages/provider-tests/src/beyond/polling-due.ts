/**
 * A waiting fetch finds work that becomes eligible without a write, when it is due and not before:
 * delayed rows, timers, and rows whose lock or session expires (docs/reference/provider-contract.md §4).
 */
import type { ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, raised, started, startItem, timer } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";
import {
  activities,
  expectFoundWithin,
  orchestrations,
  PATIENCE_MS,
  pollingCases,
  type Queue,
  windowOf,
} from "./polling-steps.ts";

/** Delay until work falls due, ms from the call that creates it. */
const DUE_MS = 300;

export const pollingDue: readonly ProviderCase[] = pollingCases({
  async "a message with a delay ends a wait when it is due"(context) {
    await expectFoundWhenDue(context, orchestrations, () =>
      context.provider.enqueueForOrchestrator(startItem("a"), DUE_MS),
    );
  },

  async "a timer ends a wait when it is due"(context) {
    await context.provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    await expectFoundWhenDue(context, orchestrations, () =>
      ack(context, fetched, {
        historyDelta: [started("a")],
        orchestratorItems: [timer("a", context.time.now() + DUE_MS)],
      }),
    );
  },

  async "a turn that is given back with a delay ends a wait when it is due"(context) {
    await orchestrations.enqueue(context);
    const { lockToken } = await mustFetch(context);
    await expectFoundWhenDue(context, orchestrations, () =>
      context.provider.abandonOrchestrationItem(lockToken, { delayMs: DUE_MS }),
    );
  },

  async "an activity that is given back with a delay ends a wait when it is due"(context) {
    await activities.enqueue(context);
    const { lockToken } = await mustFetchWork(context);
    await expectFoundWhenDue(context, activities, () =>
      context.provider.abandonWorkItem(lockToken, { delayMs: DUE_MS }),
    );
  },

  async "the lock of a turn ends a wait when it expires"(context) {
    await orchestrations.enqueue(context);
    await expectFoundWhenDue(context, orchestrations, () => mustFetch(context, { lockTimeoutMs: DUE_MS }));
  },

  async "the lock of an activity ends a wait when it expires"(context) {
    await activities.enqueue(context);
    await expectFoundWhenDue(context, activities, () => mustFetchWork(context, { lockTimeoutMs: DUE_MS }));
  },

  async "a lock that was renewed ends a wait when it expires in the end"(context) {
    await orchestrations.enqueue(context);
    const { lockToken } = await mustFetch(context, { lockTimeoutMs: DUE_MS });
    await expectFoundWhenDue(
      context,
      orchestrations,
      () => context.provider.renewOrchestrationItemLock(lockToken, 2 * DUE_MS),
      2 * DUE_MS,
    );
  },

  async "a session of another owner ends a wait when it expires"(context) {
    const { provider } = context;
    const claim = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: DUE_MS } });
    await provider.enqueueForWorker(activity("a", 1, { session_id: "s" }));
    await provider.enqueueForWorker(activity("a", 2, { session_id: "s" }));
    const window = await windowOf(context, DUE_MS, () => mustFetchWork(context, claim("them")));
    await expectFoundWithin(
      context,
      window,
      fetchWork(context, { pollTimeoutMs: PATIENCE_MS, ...claim("me") }),
    );
  },

  async "a turn that is given back with a delay during a wait ends it when it is due"(context) {
    await orchestrations.enqueue(context);
    const { lockToken } = await mustFetch(context);
    await expectWaitEndedWhenDue(context, orchestrations, () =>
      context.provider.abandonOrchestrationItem(lockToken, { delayMs: DUE_MS }),
    );
  },

  async "an activity that is given back with a delay during a wait ends it when it is due"(context) {
    await activities.enqueue(context);
    const { lockToken } = await mustFetchWork(context);
    await expectWaitEndedWhenDue(context, activities, () =>
      context.provider.abandonWorkItem(lockToken, { delayMs: DUE_MS }),
    );
  },

  async "a message that comes during a wait and is due before all others ends it"(context) {
    const { provider, time, check } = context;
    await createInstance(context, "late");
    await createInstance(context, "early");
    await provider.enqueueForOrchestrator(raised("late", "e"), 60_000);
    const waiting = fetchOrchestration(context, { pollTimeoutMs: PATIENCE_MS });
    await time.pass(100);

    const enqueue = () => provider.enqueueForOrchestrator(raised("early", "e"), DUE_MS);
    await expectFoundWithin(context, await windowOf(context, DUE_MS, enqueue), waiting);

    check.equal((await waiting)?.item.instanceId, "early", "the instance");
  },
});

/** The call makes work eligible that falls due later; a fetch that begins to wait now must get it then. */
async function expectFoundWhenDue(
  context: CaseContext,
  queue: Queue,
  call: () => Promise<unknown>,
  dueMs = DUE_MS,
): Promise<void> {
  const window = await windowOf(context, dueMs, call);
  await expectFoundWithin(context, window, queue.fetch(context, { pollTimeoutMs: PATIENCE_MS }));
}

/** The call makes work eligible that falls due later; a fetch that waits already must get it then. */
async function expectWaitEndedWhenDue(
  context: CaseContext,
  queue: Queue,
  call: () => Promise<unknown>,
): Promise<void> {
  const waiting = queue.fetch(context, { pollTimeoutMs: PATIENCE_MS });
  await context.time.pass(100);
  await expectFoundWithin(context, await windowOf(context, DUE_MS, call), waiting);
}
