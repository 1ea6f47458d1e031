/** Starts whose code begins later (docs/reference/provider-contract.md §2, §15.1). */
import type { InstanceFilter, InstanceInfo, ListedStatus } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { continueItem, NAMED, started, startItem, timer } from "../messages.ts";
import { ack, complete, createInstance, fetchOrchestration, mustFetch, turn } from "../steps.ts";
import { CANCELLED, create, DECLINED, idsOf } from "./query-steps.ts";
import { revised, secondExecution } from "./revision-steps.ts";

const HOUR_MS = 3_600_000;
const SHORT_MS = 2_000;

/** An instance whose start message and first event have the time; each is 10 ms newer than the last. */
async function schedule(context: CaseContext, id: string, delayMs = HOUR_MS): Promise<number> {
  const { provider, time } = context;
  const startsAtMs = time.now() + delayMs;
  await provider.enqueueForOrchestrator(startItem(id, { start_at_ms: startsAtMs }));
  await ack(context, await mustFetch(context), {
    historyDelta: [started(id, 1, { start_at_ms: startsAtMs })],
    orchestratorItems: [timer(id, startsAtMs)],
    metadata: NAMED,
  });
  await time.pass(10);
  return startsAtMs;
}

async function infoOf(
  { admin }: CaseContext,
  id: string,
): Promise<Pick<InstanceInfo, "status" | "startsAtMs">> {
  const { status, startsAtMs } = await admin.getInstanceInfo(id);
  return { status, ...(startsAtMs !== undefined && { startsAtMs }) };
}

const STATUSES: readonly (readonly [readonly ListedStatus[], readonly string[]])[] = [
  [["Scheduled"], ["later", "late"]],
  [["Running"], ["plain"]],
  [
    ["Running", "Scheduled"],
    ["plain", "later", "late"],
  ],
  [["Failed"], ["declined"]],
  [["Cancelled"], ["cancelled"]],
  [
    ["Cancelled", "Failed"],
    ["cancelled", "declined"],
  ],
  [
    ["Scheduled", "Cancelled"],
    ["cancelled", "later", "late"],
  ],
  [
    ["Running", "Failed"],
    ["plain", "declined"],
  ],
  [
    ["Completed", "Scheduled"],
    ["done", "later", "late"],
  ],
];

export const delayedStarts: readonly ProviderCase[] = casesOf("delayed_starts", {
  async "a start that waits in the queue is listed with its time"(context) {
    const { provider, check, admin, time } = context;
    const startsAtMs = time.now() + HOUR_MS;
    await provider.enqueueForOrchestrator(startItem("a", { start_at_ms: startsAtMs }));
    await provider.enqueueForOrchestrator(startItem("b"));
    const { work } = await admin.listWork({ kind: "orchestrator" });
    const times = work.map((row) => `${row.instanceId}: ${row.startsAtMs}`).sort();
    check.equal(times, [`a: ${startsAtMs}`, "b: undefined"], "the times");
    check.equal((await mustFetch(context)).item.instanceId, "a", "a turn at once");
  },

  async "an instance is scheduled until its time, and running from then on"(context) {
    const { provider, check, time } = context;
    const startsAtMs = await schedule(context, "a", SHORT_MS);
    check.equal(await infoOf(context, "a"), { status: "Scheduled", startsAtMs }, "the instance");
    const before = await provider.getInstanceStatus("a");
    check.equal([before?.status, before?.startsAtMs], ["Running", startsAtMs], "the stored status");
    check.absent(await fetchOrchestration(context), "a turn before its time");
    await time.pass(SHORT_MS);
    check.equal(await infoOf(context, "a"), { status: "Running", startsAtMs }, "the instance at its time");
    check.equal(await idsOf(context, { filter: { status: ["Scheduled"] } }), [], "scheduled ones");
    await ack(context, await mustFetch(context));
    check.equal(await infoOf(context, "a"), { status: "Running", startsAtMs }, "after the turn that begins");
  },

  async "lists and counts by status are those of the client"(context) {
    const { check, admin } = context;
    await create(context, "declined", { ends: DECLINED });
    await schedule(context, "late");
    await create(context, "done", { ends: "Completed" });
    await schedule(context, "later", 2 * HOUR_MS);
    await create(context, "plain");
    await create(context, "cancelled", { ends: CANCELLED });
    for (const [status, ids] of STATUSES) {
      for (const more of [{}, { name: ["TestOrch"] }, { idPrefix: "" }] satisfies InstanceFilter[]) {
        const filter = { status, ...more };
        const newestFirst = ["cancelled", "plain", "later", "done", "late", "declined"];
        const expected = newestFirst.filter((id) => ids.includes(id));
        check.equal(await idsOf(context, { filter }), expected, JSON.stringify(filter));
        const byUpdate = await idsOf(context, { filter, order: "updated-desc", limit: 1 });
        check.equal(byUpdate, expected, `by update: ${JSON.stringify(filter)}`);
        const { counts } = await admin.countInstances(filter);
        check.equal(counts, [{ key: [], count: ids.length }], `the number: ${JSON.stringify(filter)}`);
      }
    }
    const { counts } = await admin.countInstances({}, ["status", "name"]);
    const texts = counts.map(({ key, count }) => `${key.join(" ")}: ${count}`).sort();
    const each = ["Cancelled", "Completed", "Failed", "Running"].map((status) => `${status} TestOrch: 1`);
    check.equal(texts, [...each, "Scheduled TestOrch: 2"], "counts by status and name");
  },

  async "the time is that of the current execution"(context) {
    const { check } = context;
    const startsAtMs = await schedule(context, "a");
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
    });
    await ack(context, await mustFetch(context), {
      executionId: 2,
      historyDelta: [started("a", 2)],
      metadata: NAMED,
    });
    check.equal(await infoOf(context, "a"), { status: "Running" }, "the next execution");

    await turn(context, "a", { executionId: 2, metadata: { status: "Failed", output: "broken" } });
    await revised(context, {
      instanceId: "a",
      expected: { executionId: 2, status: "Failed", lastEventId: 1 },
      turn: secondExecution({
        executionId: 3,
        historyDelta: [started("a", 3, { start_at_ms: startsAtMs })],
        workerItems: [],
      }),
    });
    check.equal(await infoOf(context, "a"), { status: "Scheduled", startsAtMs }, "a repeated execution");
  },

  async "a scheduled instance that has ended is not scheduled"(context) {
    const { check, admin } = context;
    const startsAtMs = await schedule(context, "a");
    await complete(context, "a", "Failed");
    check.equal(await infoOf(context, "a"), { status: "Failed", startsAtMs }, "the instance");
    check.equal(await idsOf(context, { filter: { status: ["Scheduled"] } }), [], "scheduled ones");
    check.equal((await admin.deleteInstances({ status: ["Failed"] })).instancesDeleted, 1, "deleted ones");
  },

  async "a deletion by status takes failed instances, and not cancelled ones"(context) {
    const { check, admin } = context;
    await createInstance(context, "running");
    await create(context, "declined", { ends: DECLINED });
    await create(context, "cancelled", { ends: CANCELLED });
    await admin.deleteInstances({ status: ["Failed"] });
    check.equal(await idsOf(context), ["cancelled", "running"], "after the deletion of failed ones");
    await admin.deleteInstances({ status: ["Cancelled"] });
    check.equal(await idsOf(context), ["running"], "after that of cancelled ones");
  },
});
