/** Progress of running activities (docs/reference/provider-contract.md §13.2). */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, continueItem, scheduled, started } from "../messages.ts";
import { ack, createInstance, given, mustFetch, mustFetchWork, passLock, turn } from "../steps.ts";
import { writing } from "./stream-steps.ts";

function report(
  { provider }: CaseContext,
  { item, lockToken }: FetchedWork,
  value: string,
  { delivery = "d1", leastAttempt = 1, executionId = Number(item.execution_id) } = {},
): Promise<void> {
  const call = executionId === 1 ? `${item.id}` : `${executionId}:${item.id}`;
  const writer = { call, name: item.name, delivery, leastAttempt, lockToken };
  return given(provider.reportProgress, "no progress").call(provider, {
    instanceId: item.instance,
    executionId,
    value,
    writer,
  });
}

/** Calls with attempt and value, by call. */
async function reports({ provider }: CaseContext, call?: string): Promise<readonly unknown[]> {
  const all = await given(provider.readProgress, "no progress").call(provider, "a", call);
  return all.map((each) => `${each.call} ${each.name}/${each.attempt} ${each.value}`).sort();
}

const bodies: GroupOfCases = {
  async "the last report of each call is kept, with its time"(context) {
    const { provider, check, time } = context;
    check.equal(await reports(context), [], "of an unknown instance");
    const first = await writing(context, 2, 3);
    const second = await mustFetchWork(context);
    await report(context, first, "a");
    await report(context, second, "b", { delivery: "d2" });
    await time.pass(50);
    await report(context, first, "c\u0000é");
    check.equal(await reports(context), ["2 work/1 c\u0000é", "3 work/1 b"], "all");
    check.equal(await reports(context, "3"), ["3 work/1 b"], "of one call");
    check.equal(await reports(context, "4"), [], "of a call that has reported nothing");
    const [a, b] = ["2", "3"].map((call) => provider.readProgress?.("a", call));
    const [[later], [earlier]] = [(await a) ?? [], (await b) ?? []];
    check.isTrue((later?.atMs ?? 0) > (earlier?.atMs ?? 0), "the later one has a later time");
  },

  async "a new delivery is the next attempt"(context) {
    const fetched = await writing(context, 2);
    await report(context, fetched, "a");
    await passLock(context);
    await report(context, fetched, "b");
    const second = await mustFetchWork(context);
    context.check.equal(await reports(context), ["2 work/1 b"], "before it has reported");
    await context.check.rejects(report(context, fetched, "late"), "lock-lost", "a late report");
    await report(context, second, "c", { delivery: "d2", leastAttempt: 2 });
    await report(context, second, "d", { delivery: "d2", leastAttempt: 2 });
    context.check.equal(await reports(context), ["2 work/2 d"], "after it");
  },

  async "a report stays after its activity has ended, which reports no more"(context) {
    const fetched = await writing(context, 2);
    await report(context, fetched, "a");
    await context.provider.ackWorkItem(fetched.lockToken, completion("a", 2));
    await context.check.rejects(report(context, fetched, "b"), "lock-lost", "after its end");
    context.check.equal(await reports(context), ["2 work/1 a"], "its report");
  },

  async "an execution that reports removes what earlier ones have left, and deletion removes all"(context) {
    const { check, admin } = context;
    const fetched = await writing(context, 2);
    await report(context, fetched, "a");
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
      cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 2 }],
    });
    await ack(context, await mustFetch(context), {
      executionId: 2,
      historyDelta: [started("a", 2), scheduled("a", 2, 2), scheduled("a", 3, 2)],
      workerItems: [2, 3].map((id) => activity("a", id, { execution_id: 2 })),
    });
    check.equal(await reports(context), ["2 work/1 a"], "before the next one reports");
    await report(context, await mustFetchWork(context), "b", { delivery: "d2" });
    await report(context, await mustFetchWork(context), "c", { delivery: "d3" });
    check.equal(await reports(context), ["2:2 work/1 b", "2:3 work/1 c"], "after it");
    await admin.deleteInstance("a", { force: true });
    await createInstance(context, "a");
    check.equal(await reports(context), [], "of another instance of the id");
  },
};

export const progress: readonly ProviderCase[] = casesOf("progress", needing(["streams"], bodies));
