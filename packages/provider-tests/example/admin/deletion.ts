/** Deletion: an instance goes with everything that it owns, and never without its children (§16). */
import { type DeleteResult, type InstanceFilter, ProviderError } from "@duroxide-ts/core";
import { currentExecution } from "../operations/history.ts";
import type { Instance, Moment, Tables } from "../tables.ts";
import { childrenOf, matching, treeOf } from "./family.ts";

export function deleteInstancesAtomic(
  { tables }: Moment,
  instanceIds: readonly string[],
  force: boolean,
): DeleteResult {
  return deleteAll(tables, "deleteInstancesAtomic", instanceIds, force);
}

export function deleteInstance({ tables }: Moment, instanceId: string, force: boolean): DeleteResult {
  const operation = "deleteInstance";
  const root = tables.instances.get(instanceId);
  if (root === undefined) throw ProviderError.notFound(operation, instanceId);
  const { parentId } = root;
  if (parentId !== undefined && tables.instances.has(parentId))
    throw ProviderError.isChild(operation, instanceId, parentId);
  return deleteAll(tables, operation, treeOf(tables, instanceId), force);
}

/** Finished roots, and children without a parent; what still runs below one goes with it. */
export function deleteInstances({ tables }: Moment, filter: InstanceFilter): DeleteResult {
  const operation = "deleteInstances";
  const isFinishedRoot = ({ id, parentId = "" }: Instance) =>
    !tables.instances.has(parentId) && !isRunning(tables, id);
  const roots = matching(tables, operation, filter, isFinishedRoot);
  const ids = roots.flatMap(({ id }) => treeOf(tables, id));
  return deleteAll(tables, operation, ids, true);
}

function deleteAll(
  tables: Tables,
  operation: string,
  instanceIds: readonly string[],
  force: boolean,
): DeleteResult {
  const doomed = new Set(instanceIds.filter((id) => tables.instances.has(id)));
  for (const id of doomed) {
    if (!force && isRunning(tables, id)) throw ProviderError.stillRunning(operation, id);
    const orphan = childrenOf(tables, id).find((child) => !doomed.has(child));
    if (orphan !== undefined) throw ProviderError.orphanedChild(operation, id, orphan);
  }
  const childStarts = [...tables.orchestratorQueue].filter(({ parentId = "" }) => doomed.has(parentId));
  for (const row of childStarts) tables.orchestratorQueue.delete(row);
  const executions = [...doomed].flatMap((id) => tables.executions.get(id) ?? []);
  for (const id of doomed) removeRecords(tables, id);
  return {
    instancesDeleted: doomed.size,
    executionsDeleted: executions.length,
    eventsDeleted: executions.reduce((sum, { events }) => sum + events.size, 0),
    queueMessagesDeleted:
      childStarts.length +
      removeRows(tables.orchestratorQueue, doomed) +
      removeRows(tables.workerQueue, doomed),
  };
}

/** Without its lock and its rows, whoever works on the instance can commit nothing anymore. */
function removeRecords(tables: Tables, instanceId: string): void {
  tables.instances.delete(instanceId);
  tables.executions.delete(instanceId);
  tables.customStatuses.delete(instanceId);
  tables.keyValues.delete(instanceId);
  tables.instanceLocks.delete(instanceId);
  tables.messageIds.delete(instanceId);
}

function removeRows<Row extends { readonly instanceId: string }>(
  queue: Set<Row>,
  instanceIds: ReadonlySet<string>,
): number {
  const removed = [...queue].filter(({ instanceId }) => instanceIds.has(instanceId));
  for (const row of removed) queue.delete(row);
  return removed.length;
}

function isRunning(tables: Tables, instanceId: string): boolean {
  return currentExecution(tables, instanceId)?.status === "Running";
}
