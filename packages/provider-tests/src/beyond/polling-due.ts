/**
 * A waiting fetch finds work that becomes eligible without a write, when it is due and not before
 * (docs/reference/provider-contract.md §4).
 */
import type { GroupOfCases, ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { raised } from "../messages.ts";
import { createInstance, fetchOrchestration } from "../steps.ts";
import { type Lasting, lasting } from "./lasting.ts";
import { expectFoundWithin, PATIENCE_MS, pollingCases, windowOf } from "./polling-steps.ts";

/** Delay until work falls due, ms from the call that creates it. */
const DUE_MS = 300;

/** Names of delays that begin while a fetch waits that finds nothing before. */
const GIVEN_BACK = ["the delay of a turn that is given back", "the delay of an activity that is given back"];

const ends: GroupOfCases = Object.fromEntries(
  Object.entries(lasting).flatMap(([name, each]) => [
    [`the end of ${name} ends a wait`, (context: CaseContext) => endsWait(context, each)],
    ...(GIVEN_BACK.includes(name)
      ? [[`${name} during a wait ends it`, (context: CaseContext) => endsWaitBefore(context, each)] as const]
      : []),
  ]),
);

export const pollingDue: readonly ProviderCase[] = pollingCases({
  ...ends,

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

async function endsWait(context: CaseContext, { prepare, fetch }: Lasting): Promise<void> {
  const window = await windowOf(context, DUE_MS, await prepare(context, DUE_MS));
  await expectFoundWithin(context, window, fetch(context, { pollTimeoutMs: PATIENCE_MS }));
}

/** The fetch waits before the call is made. */
async function endsWaitBefore(context: CaseContext, { prepare, fetch }: Lasting): Promise<void> {
  const call = await prepare(context, DUE_MS);
  const waiting = fetch(context, { pollTimeoutMs: PATIENCE_MS });
  await context.time.pass(100);
  await expectFoundWithin(context, await windowOf(context, DUE_MS, call), waiting);
}
