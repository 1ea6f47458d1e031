/** Deletion by id (docs/reference/provider-contract.md §16). */
import { type DeleteResult, NOTHING_DELETED } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { deleteAll, deleteTree, findNamed, isRoot } from "../storing/delete-tree.ts";
import { treeOf } from "../storing/instance-tree.ts";

export function deleteInstancesAtomic(
  instanceIds: readonly string[],
  force: boolean,
): WriteOperation<DeleteResult> {
  const ids = [...new Set(instanceIds.map(toText))];
  return (tx) => deleteAll(tx, "deleteInstancesAtomic", ids, force);
}

export function deleteInstance(instanceId: string, force: boolean): WriteOperation<DeleteResult> {
  const operation = "deleteInstance";
  const id = toText(instanceId);
  return (tx) => deleteTree(tx, operation, id, force);
}

/** For bulk deletion: skips a root that runs again meanwhile, or was deleted. */
export function deleteFinishedTree(instanceId: string): WriteOperation<DeleteResult> {
  const id = toText(instanceId);
  return (tx) => {
    const root = findNamed(tx, id);
    if (root === undefined || root.status === "Running" || !isRoot(tx, root)) {
      return NOTHING_DELETED;
    }
    return deleteAll(tx, "deleteInstances", treeOf(tx.db, id), true);
  };
}
