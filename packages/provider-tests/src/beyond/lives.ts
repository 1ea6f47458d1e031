/**
 * Lives of one id, one after the other: nothing that can be read of a later life comes from an earlier one. Each case
 * compares the later life with the same life in a fresh store, by everything that a store can be asked.
 */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, eventOf, failed, queueMessage, raised, started, startItem } from "../messages.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  fetchWork,
  firstTurn,
  mustFetch,
} from "../steps.ts";

const shows = (status: string, eventId: number, executionId = 1) =>
  eventOf("CustomStatusUpdated", "a", eventId, { status }, executionId);
const sets = (key: string, eventId: number, executionId = 1) =>
  eventOf("KeyValueSet", "a", eventId, { key, value: "former", last_updated_at_ms: 1 }, executionId);

/** Two executions, a child, and something of everything that a store keeps of an instance. */
async function formerLife(context: CaseContext): Promise<void> {
  const { provider } = context;
  const child = startItem("child", { parent_instance: "a", parent_id: 9 });
  await createInstance(context, "a", {
    version: "1.2.3",
    historyDelta: [sets("ended", 2), shows("of the first", 3)],
    workerItems: [activity("a", 8)],
    orchestratorItems: [child],
  });
  await firstTurn(context, await mustFetch(context), { parentInstanceId: "a" });
  await continueAsNew(context, "a", 2, {
    historyDelta: [started("a", 2), sets("current", 2, 2), shows("of the second", 3, 2)],
    workerItems: [activity("a", 4, { execution_id: 2, session_id: "s" })],
  });
  await provider.enqueueForOrchestrator(queueMessage("a", "q"), 0, { messageId: "one" });
  await provider.enqueueForOrchestrator(raised("a", "hidden"), 50, { messageId: "two" });
}

async function fail(context: CaseContext): Promise<void> {
  const metadata = { status: "Failed", output: "former" } as const;
  const fetched = await mustFetch(context);
  await ack(context, fetched, { historyDelta: [failed("a", 9, "former", 2)], metadata });
}

/** Runs an instance that does nothing but end; its messages have the ids of those of the former life. */
async function laterLife(context: CaseContext, instanceId: string): Promise<readonly unknown[]> {
  const { provider, time } = context;
  const send = (messageId: string) =>
    provider.enqueueForOrchestrator(raised(instanceId, messageId), 0, { messageId });
  const fetched = await mustFetch(context);
  await firstTurn(context, fetched);
  const begun = await everythingOf(context, instanceId);
  for (const messageId of ["one", "two"]) await send(messageId);
  const { item } = await mustFetch(context);
  await time.pass(context.lockMs + 100);
  await complete(context, instanceId);
  const ended = await everythingOf(context, instanceId);
  return [fetched.item, begun, item, ended, await fetchWork(context), await fetchOrchestration(context)];
}

/** Times are left out. */
async function everythingOf({ provider, admin }: CaseContext, instanceId: string): Promise<unknown> {
  const executions = await admin.listExecutions(instanceId);
  const rows = (await admin.queryInstances()).instances;
  return withoutTimes({
    status: await provider.getInstanceStatus(instanceId),
    entries: [...(await provider.getKvValues(instanceId))],
    stats: await provider.getInstanceStats(instanceId),
    blocked: (await provider.admin.listBlocked({ instanceId: instanceId })).blocked,
    info: await admin.getInstanceInfo(instanceId),
    executions,
    histories: await Promise.all(
      executions.map(({ executionId }) => provider.readHistory(instanceId, executionId)),
    ),
    rows,
    work: (await admin.listWork()).work,
    counts: await admin.countInstances({}, ["status", "name"]),
    metrics: await admin.getSystemMetrics(),
    depths: await admin.getQueueDepths(),
  });
}

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !key.endsWith("Ms") && key !== "cost");
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutTimes(each)]));
}

/** `end` deletes the former life. The later one has the id of the former one, or that of another instance. */
async function compareLives(
  context: CaseContext,
  instanceId: string,
  end: (context: CaseContext) => Promise<unknown>,
): Promise<void> {
  await formerLife(context);
  await end(context);
  await context.provider.enqueueForOrchestrator(startItem(instanceId));
  const later = await laterLife(context, instanceId);
  await using fresh = await context.openStore();
  await fresh.provider.enqueueForOrchestrator(startItem(instanceId));
  context.check.equal(later, await laterLife(fresh, instanceId), "what can be read of the later life");
}

export const lives: readonly ProviderCase[] = casesOf("lives", {
  "one that runs is deleted, and its id begins anew": (context) =>
    compareLives(context, "a", ({ admin }) => admin.deleteInstance("a", { force: true })),

  "one that runs is deleted, and another instance begins": (context) =>
    compareLives(context, "b", ({ admin }) => admin.deleteInstance("a", { force: true })),

  "one that has failed is deleted in bulk, and its id begins anew": (context) =>
    compareLives(context, "a", async ({ admin }) => {
      await fail(context);
      await complete(context, "child");
      await admin.deleteInstances({ instanceIds: ["a"] });
    }),

  async "one that has failed is started over"(context) {
    await formerLife(context);
    await fail(context);
    await context.provider.startInstance(startItem("a"), { ifExists: "restart", messages: [] });
    const later = await laterLife(context, "a");
    await using fresh = await context.openStore();
    await fresh.provider.startInstance(startItem("a"), { ifExists: "restart", messages: [] });
    context.check.equal(later, await laterLife(fresh, "a"), "what can be read of the later life");
  },
});
