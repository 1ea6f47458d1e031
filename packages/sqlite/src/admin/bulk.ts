/**
 * Bulk deletion and pruning: a list of instances from one read, then a transaction for each of them. What was
 * done stays done when a later one fails or the process ends, and other writes get their turn in between.
 */
import type { DeleteResult, InstanceFilter, PruneOptions, PruneResult } from "@duroxide-ts/core";
import type { Store } from "../store.ts";
import { deleteFinishedTree, NOTHING_DELETED, sumOf } from "./delete-instances.ts";
import { findFinishedRoots, findInstances } from "./find-instances.ts";
import { pruneExecutions } from "./prune-executions.ts";

export async function deleteInstances(store: Store, filter: InstanceFilter): Promise<DeleteResult> {
  const operation = "deleteInstances";
  const roots = await store.read(operation, (db) => findFinishedRoots(db, filter));
  let total = NOTHING_DELETED;
  for (const root of roots) total = sumOf(total, await store.write(operation, deleteFinishedTree(root)));
  return total;
}

/** An instance that fails is passed over; the first failure is reported only if nothing succeeded. */
export async function pruneInstances(
  store: Store,
  filter: InstanceFilter,
  options: PruneOptions,
): Promise<PruneResult> {
  const operation = "pruneInstances";
  const ids = await store.read(operation, (db) => findInstances(db, filter));
  const done: PruneResult[] = [];
  const failures: unknown[] = [];
  for (const id of ids) {
    try {
      done.push(await store.write(operation, pruneExecutions(operation, id, options)));
    } catch (error) {
      failures.push(error);
    }
  }
  if (done.length === 0 && failures.length > 0) throw failures[0];
  return done.reduce(
    (a, b) => ({
      instancesProcessed: a.instancesProcessed + b.instancesProcessed,
      executionsDeleted: a.executionsDeleted + b.executionsDeleted,
      eventsDeleted: a.eventsDeleted + b.eventsDeleted,
    }),
    { instancesProcessed: 0, executionsDeleted: 0, eventsDeleted: 0 },
  );
}
