/** A client that looks at everything once all is over: what it is shown is what is stored (checks/shown.ts). */
import { Client, type InstanceInfo } from "@duroxide-ts/core";
import { isAnswerKey } from "@duroxide-ts/core/stores";
import { isOfSchedule } from "../programs/schedules.ts";
import type { ShownInstance, SimulatedStore, Stored } from "../store/simulated-store.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";

/** Instances of which everything is read. */
const MOST = 10;

/** Returns what is shown otherwise than it is stored. */
export async function inspect(
  store: SimulatedStore,
  machine: Machine,
  chance: Chance,
): Promise<readonly string[]> {
  const connection = await store.connect(machine, "client");
  const client = new Client(connection.provider, { clock: machine, random: chance });
  const stored = store.read();
  const instances = stored.instances;
  const first = chance.below(Math.max(1, instances.length - MOST));
  const faults = [await listed(client, instances), await counted(client, stored)];
  for (const shown of instances.slice(first, first + MOST)) faults.push(await read(client, shown));
  await connection.close();
  return faults.flat();
}

async function listed(client: Client, instances: readonly ShownInstance[]): Promise<readonly string[]> {
  const rows = new Map<string, InstanceInfo>();
  let continuation: string | undefined;
  do {
    const page = await client.admin.query({ limit: 20, ...(continuation !== undefined && { continuation }) });
    for (const row of page.instances) rows.set(row.instanceId, row);
    continuation = page.continuation;
  } while (continuation !== undefined);
  const listable = instances.filter(({ instanceId }) => !isOfSchedule(instanceId));
  return [
    ...different("the listed ids", [...rows.keys()].toSorted(), listable.map(idOf).toSorted()),
    ...listable.flatMap((shown) => {
      const row = rows.get(shown.instanceId);
      return different(`the row of ${shown.instanceId}`, headOf(row), headOfShown(shown));
    }),
  ];
}

async function counted({ admin }: Client, stored: Stored): Promise<readonly string[]> {
  const instances = stored.instances.filter(({ instanceId }) => !isOfSchedule(instanceId));
  const withStatus = (status: string): number => instances.filter((each) => each.status === status).length;
  const expected = {
    totalInstances: instances.length,
    totalExecutions: stored.histories.size,
    runningInstances: withStatus("Running"),
    completedInstances: withStatus("Completed"),
    failedInstances: withStatus("Failed"),
    totalEvents: [...stored.histories.values()].reduce((sum, events) => sum + events.length, 0),
  };
  const metrics: Readonly<Record<string, unknown>> = { ...(await admin.metrics()) };
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, metrics[name]]));
  const { counts } = await admin.count({}, ["status"]);
  const byStatus = Object.fromEntries(counts.map(({ key, count }) => [key.join(), count]));
  const { blockedWork: _blocked, ...depths } = await admin.queueDepths();
  const { runningInstances } = expected;
  const empty = { orchestratorQueue: 0, workerQueue: 0, timerQueue: 0, runningInstances };
  return [
    ...different("the metrics", shown, expected),
    ...different("the count of completed", byStatus["Completed"] ?? 0, expected.completedInstances),
    ...different(
      "the count of failed and cancelled",
      (byStatus["Failed"] ?? 0) + (byStatus["Cancelled"] ?? 0),
      expected.failedInstances,
    ),
    ...different("the depths", depths, empty),
  ];
}

async function read(client: Client, shown: ShownInstance): Promise<readonly string[]> {
  const { instanceId, executionId, customStatus, entries, executions } = shown;
  const { admin } = client;
  const handle = client.handle("program", instanceId);
  const status = await handle.status();
  const info = await admin.info(instanceId);
  const numbers = await admin.executions(instanceId);
  const histories = await Promise.all(numbers.map((number) => admin.execution(instanceId, number)));
  const ended = new Map(histories.map((each) => [each.executionId, each.status]));
  const { allIds } = await admin.tree(instanceId);
  const read = {
    executionId: status.status === "NotFound" ? 0 : status.executionId,
    customStatus: status.status === "NotFound" ? null : status.customStatus,
    entries: Object.fromEntries(await handle.entries()),
    executions: Object.fromEntries(ended),
    isInTree: allIds.includes(instanceId),
  };
  const expected = {
    executionId,
    customStatus: customStatus === null ? undefined : JSON.parse(customStatus),
    entries: Object.fromEntries(
      [...entries].filter(([key]) => !isAnswerKey(key)).map(([key, text]) => [key, JSON.parse(text)]),
    ),
    executions: Object.fromEntries(executions),
    isInTree: true,
  };
  return [
    ...different(`what is read of ${instanceId}`, read, expected),
    ...different(`the info of ${instanceId}`, headOf(info), headOfShown(shown)),
    ...different(
      `whether ${instanceId} is cancelled`,
      info.status === "Cancelled",
      status.status === "Cancelled",
    ),
    ...different(`the output of ${instanceId}`, info.output, shown.output),
  ];
}

function idOf({ instanceId }: ShownInstance): string {
  return instanceId;
}

function headOf(info: InstanceInfo | undefined): readonly unknown[] {
  // The history of a cancelled instance ends as failed.
  return [info?.status === "Cancelled" ? "Failed" : info?.status, info?.currentExecutionId];
}

function headOfShown({ status, executionId }: ShownInstance): readonly unknown[] {
  return [status, executionId];
}

function different(what: string, shown: unknown, stored: unknown): readonly string[] {
  const [a, b] = [textOf(shown), textOf(stored)];
  return a === b ? [] : [`${what} is shown as ${a.slice(0, 300)}, and stored as ${b.slice(0, 300)}`];
}

/** Serialises a value with sorted keys. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([x], [y]) => (x < y ? -1 : 1)))
        : each,
    ) ?? "nothing"
  );
}
