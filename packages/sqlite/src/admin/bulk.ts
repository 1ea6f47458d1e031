/**
 * Bulk deletion and pruning: one read lists the instances, then each is an operation of its own, some in one transaction
 * (bulk-pace.ts). Therefore completed deletions are kept when a later one fails or the process ends, and other writes run in
 * between: a deletion checks the filter again. At the end the free space is returned to the file system in the same way.
 */
import {
  type BulkOptions,
  checkBulk,
  checkPruneOptions,
  type DeleteResult,
  type InstanceFilter,
  NOTHING_DELETED,
  type PruneOptions,
  type PruneResult,
  pruneEach,
  sumOfDeletions,
} from "@duroxide-ts/core/stores";
import type { Store } from "../store.ts";
import type { BulkPace } from "./bulk-pace.ts";
import { giveBack } from "./compaction.ts";
import { deleteFinishedTree } from "./delete-instances.ts";
import { findFinishedRoots, findInstances } from "./find-instances.ts";
import { makeRoom } from "./make-room.ts";
import { pruneExecutions } from "./prune-executions.ts";

export async function deleteInstances(
  store: Store,
  pace: BulkPace,
  nowMs: number,
  filter: InstanceFilter,
  options?: BulkOptions,
): Promise<DeleteResult> {
  const operation = "deleteInstances";
  store.refuseWrite(operation);
  checkBulk(operation, filter, options);
  const roots = await store.read(operation, (db) => findFinishedRoots(db, filter, nowMs, options));
  const deleted = await pace.inGroups(roots, (root) =>
    makeRoom(store, operation, pace.timed(deleteFinishedTree(root, filter))),
  );
  if (roots.length > 0) await giveBack(store);
  return deleted.reduce(sumOfDeletions, NOTHING_DELETED);
}

export async function pruneInstances(
  store: Store,
  nowMs: number,
  filter: InstanceFilter,
  options: PruneOptions,
): Promise<PruneResult> {
  const operation = "pruneInstances";
  store.refuseWrite(operation);
  checkBulk(operation, filter);
  checkPruneOptions(operation, options);
  const ids = await store.read(operation, (db) => findInstances(db, filter, nowMs, options));
  const result = await pruneEach(ids, (id) =>
    makeRoom(store, operation, pruneExecutions(operation, id, options)),
  );
  if (result.executionsDeleted > 0) await giveBack(store);
  return result;
}
