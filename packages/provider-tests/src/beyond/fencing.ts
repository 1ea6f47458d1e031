/**
 * A lost lock token has no effect, whatever the state of the lock meanwhile (hazards W3, W4, W19 and W34). There is a
 * case for each combination of a way of losing the lock and a late call.
 */
import type { FetchedOrchestration, FetchedWork } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, raised } from "../messages.ts";
import { ack, createInstance, mustFetch, mustFetchWork, passLock } from "../steps.ts";
import { fullTurn, instanceInTurn } from "./full-turn.ts";
import { observe } from "./observe.ts";

/** A way of losing the lock on instance "a" or on the activity; `holder` is the fetch that has it afterwards. */
type Loss<Fetched> = (context: CaseContext, late: Fetched) => Promise<Fetched | undefined>;

const turnLosses: Readonly<Record<string, Loss<FetchedOrchestration>>> = {
  async "another fetch locked the instance"(context) {
    await passLock(context);
    return mustFetch(context);
  },
  async "another fetch locked the instance and committed"(context) {
    await passLock(context);
    await ack(context, await mustFetch(context));
    return undefined;
  },
  async "another fetch locked the instance and renewed the lock"(context) {
    await passLock(context);
    const holder = await mustFetch(context);
    await context.provider.renewOrchestrationItemLock(holder.lockToken, 2 * context.lockMs);
    return holder;
  },
  async "it gave the instance back"(context, late) {
    await context.provider.abandonOrchestrationItem(late.lockToken);
    return undefined;
  },
  async "it released the instance and another fetch locked it"(context, late) {
    await context.provider.abandonOrchestrationItem(late.lockToken);
    return mustFetch(context);
  },
  async "it committed already"(context, late) {
    await ack(context, late);
    return undefined;
  },
  async "the instance was deleted"(context) {
    await context.admin.deleteInstance("a", { force: true });
    return undefined;
  },
  async "the instance was deleted and made anew"(context) {
    await context.admin.deleteInstance("a", { force: true });
    await createInstance(context, "a");
    await context.provider.enqueueForOrchestrator(raised("a", "anew"));
    return mustFetch(context);
  },
};

const lateTurns: Readonly<
  Record<string, (context: CaseContext, late: FetchedOrchestration) => Promise<unknown>>
> = {
  commit: ({ provider }, late) => provider.ackOrchestrationItem(fullTurn(late)),
  "commit of nothing": (context, late) => ack(context, late),
  renewal: ({ provider, lockMs }, late) => provider.renewOrchestrationItemLock(late.lockToken, lockMs),
  "giving back": ({ provider }, late) =>
    provider.abandonOrchestrationItem(late.lockToken, { delayMs: 60_000, ignoreAttempt: true }),
};

const workLosses: Readonly<Record<string, Loss<FetchedWork>>> = {
  async "another fetch locked the activity"(context) {
    await passLock(context);
    return mustFetchWork(context);
  },
  async "another fetch completed the activity"(context) {
    await passLock(context);
    await context.provider.ackWorkItem(
      (await mustFetchWork(context)).lockToken,
      completion("a", 10, "theirs"),
    );
    return undefined;
  },
  async "it gave the activity back"(context, late) {
    await context.provider.abandonWorkItem(late.lockToken);
    return undefined;
  },
  async "it released the activity and another fetch locked it"(context, late) {
    await context.provider.abandonWorkItem(late.lockToken);
    return mustFetchWork(context);
  },
  async "it completed the activity already"(context, late) {
    await context.provider.ackWorkItem(late.lockToken, completion("a", 10, "theirs"));
    return undefined;
  },
  async "the activity was cancelled"(context) {
    const cancelledActivities = [{ instanceId: "a", executionId: 1, activityId: 10 }];
    await context.provider.enqueueForOrchestrator(raised("a", "cancel"));
    await ack(context, await mustFetch(context), { cancelledActivities });
    return undefined;
  },
  async "the instance was deleted"(context) {
    await context.admin.deleteInstance("a", { force: true });
    return undefined;
  },
};

const lateWork: Readonly<Record<string, (context: CaseContext, late: FetchedWork) => Promise<unknown>>> = {
  completion: ({ provider }, late) => provider.ackWorkItem(late.lockToken, completion("a", 10, "late")),
  drop: ({ provider }, late) => provider.ackWorkItem(late.lockToken),
  renewal: ({ provider, lockMs }, late) => provider.renewWorkItemLock(late.lockToken, lockMs),
  "giving back": ({ provider }, late) => provider.abandonWorkItem(late.lockToken, { delayMs: 60_000 }),
};

/** The late call is rejected, no read shows an effect of it, and the holder of the lock can commit. */
async function turnIsFenced(
  context: CaseContext,
  lose: Loss<FetchedOrchestration>,
  attempt: (context: CaseContext, late: FetchedOrchestration) => Promise<unknown>,
): Promise<void> {
  const { check } = context;
  const late = await instanceInTurn(context);
  const holder = await lose(context, late);
  const before = await observe(context, "a");

  await check.rejects(attempt(context, late), "lock-lost", "the late call");

  check.equal(await observe(context, "a"), before, "what reads show");
  if (holder === undefined) return;
  await ack(context, holder);
  check.absent(await context.provider.getInstanceStatus("child"), "the child that the late turn started");
}

/** The late call is rejected, enqueues no message, and the holder of the lock can complete the activity. */
async function workIsFenced(
  context: CaseContext,
  lose: Loss<FetchedWork>,
  attempt: (context: CaseContext, late: FetchedWork) => Promise<unknown>,
): Promise<void> {
  const { check, provider } = context;
  await createInstance(context, "a", { workerItems: [activity("a", 10)] });
  const late = await mustFetchWork(context);
  const holder = await lose(context, late);

  await check.rejects(attempt(context, late), "lock-lost", "the late call");

  if (holder !== undefined) await provider.ackWorkItem(holder.lockToken, completion("a", 10, "theirs"));
  const batch = await provider.fetchOrchestrationItem({ lockTimeoutMs: context.lockMs, pollTimeoutMs: 0 });
  const results = (batch?.item.messages ?? []).filter(({ kind }) => kind === "ActivityCompleted");
  check.isTrue(results.length <= 1, "at most one completion");
  check.equal(results, results.length === 0 ? [] : [completion("a", 10, "theirs")], "whose completion it is");
}

function fencedCases<Fetched>(
  losses: Readonly<Record<string, Loss<Fetched>>>,
  attempts: Readonly<Record<string, (context: CaseContext, late: Fetched) => Promise<unknown>>>,
  isFenced: (
    context: CaseContext,
    loss: Loss<Fetched>,
    attempt: (context: CaseContext, late: Fetched) => Promise<unknown>,
  ) => Promise<void>,
): GroupOfCases {
  const cases = Object.entries(losses).flatMap(([loss, how]) =>
    Object.entries(attempts).map(([name, attempt]) => [
      `${name}, after ${loss}`,
      (context: CaseContext) => isFenced(context, how, attempt),
    ]),
  );
  return Object.fromEntries(cases);
}

export const fencing: readonly ProviderCase[] = [
  ...casesOf("fencing_of_turns", fencedCases(turnLosses, lateTurns, turnIsFenced)),
  ...casesOf("fencing_of_activities", fencedCases(workLosses, lateWork, workIsFenced)),
];
