/**
 * Locks, sessions, delays and timers end at their deadline, neither before nor after
 * (docs/reference/provider-contract.md §4, §11). In virtual time the cases check this to the millisecond.
 */
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, started, startItem } from "../messages.ts";
import { ack, createInstance, mustFetch, mustFetchWork } from "../steps.ts";
import { as, enqueueInSession, type Lasting, lasting } from "./lasting.ts";

/** The duration of all locks, sessions, delays and timers here, ms. */
const DUE_MS = 2_000;

/** How close to a deadline a case can check, on either side, ms. */
function nearnessOf({ capabilities, responseMs }: CaseContext): {
  readonly before: number;
  readonly after: number;
} {
  return capabilities.clock === "virtual"
    ? { before: 1, after: 0 }
    : { before: responseMs, after: responseMs };
}

/** Lets time pass until `instantMs`, ms since the epoch, unless it has passed already. */
async function passUntil({ time }: CaseContext, instantMs: number): Promise<void> {
  await time.pass(Math.max(0, instantMs - time.now()));
}

/** Makes the call, and lets time pass to just before `DUE_MS` later; returns the latest end. */
async function beginAndWait<T>(
  context: CaseContext,
  call: () => Promise<T>,
): Promise<{ readonly value: T; readonly overMs: number }> {
  const { before, after } = nearnessOf(context);
  const earliestMs = context.time.now() + DUE_MS;
  const value = await call();
  const overMs = context.time.now() + DUE_MS + after;
  await passUntil(context, earliestMs - before);
  return { value, overMs };
}

async function endsInTime(context: CaseContext, { prepare, fetch }: Lasting): Promise<void> {
  const isOver = async (): Promise<boolean> => (await fetch(context, { pollTimeoutMs: 0 })) !== undefined;
  const { overMs } = await beginAndWait(context, await prepare(context, DUE_MS));
  context.check.isTrue(!(await isOver()), "it lasts until just before the deadline");
  await passUntil(context, overMs);
  context.check.isTrue(await isOver(), "it is over at the deadline");
}

const ends: GroupOfCases = Object.fromEntries(
  Object.entries(lasting).map(([name, each]) => [
    `${name} ends when it is due`,
    (context: CaseContext) => endsInTime(context, each),
  ]),
);

export const deadlines: readonly ProviderCase[] = casesOf("deadlines", {
  ...ends,

  async "a turn can be committed until its lock ends, and neither committed nor renewed from then on"(
    context,
  ) {
    const { provider, check } = context;
    for (const id of ["a", "b"]) await provider.enqueueForOrchestrator(startItem(id));
    const lease = { lockTimeoutMs: DUE_MS };
    const { value: turns, overMs } = await beginAndWait(context, async () => ({
      inTime: await mustFetch(context, lease),
      late: await mustFetch(context, lease),
    }));
    await ack(context, turns.inTime, { historyDelta: [started("a")] });
    check.equal(await provider.readHistory("a"), [started("a")], "the history of the commit in time");
    await passUntil(context, overMs);
    await check.rejects(ack(context, turns.late), "lock-lost", "a commit at the deadline");
    const renewal = provider.renewOrchestrationItemLock(turns.late.lockToken, DUE_MS);
    await check.rejects(renewal, "lock-lost", "a renewal at the deadline");
  },

  async "an activity can be completed until its lock ends, and neither completed nor renewed from then on"(
    context,
  ) {
    const { provider, check } = context;
    await createInstance(context, "a", { workerItems: [activity("a", 1), activity("a", 2)] });
    const lease = { lockTimeoutMs: DUE_MS };
    const { value: work, overMs } = await beginAndWait(context, async () => ({
      inTime: await mustFetchWork(context, lease),
      late: await mustFetchWork(context, lease),
    }));
    await provider.ackWorkItem(work.inTime.lockToken, completion("a", 1));
    check.equal((await mustFetch(context)).item.messages, [completion("a", 1)], "the outcome in time");
    await passUntil(context, overMs);
    const late = provider.ackWorkItem(work.late.lockToken, completion("a", 2));
    await check.rejects(late, "lock-lost", "a completion at the deadline");
    const renewal = provider.renewWorkItemLock(work.late.lockToken, DUE_MS);
    await check.rejects(renewal, "lock-lost", "a renewal at the deadline");
  },

  async "a session is idle when its last use lies as far back as the timeout"(context) {
    const { provider, check, time } = context;
    await enqueueInSession(context, 1);
    const usedMs = time.now();
    await mustFetchWork(context, as("me"));
    const renew = (idleTimeoutMs: number): Promise<number> =>
      provider.renewSessionLocks({ ownerIds: ["me"], extendMs: 60_000, idleTimeoutMs });
    await time.pass(200);
    check.equal(await renew(200), 0, "renewed where 200 ms are idle");
    const sinceMs = time.now() - usedMs;
    check.equal(await renew(sinceMs + nearnessOf(context).before), 1, "renewed where a little more is not");
  },
});
