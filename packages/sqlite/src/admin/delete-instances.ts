/** Deletion by id (docs/reference/provider-contract.md §16). */
import { type DeleteResult, type InstanceFilter, NOTHING_DELETED } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { deleteIfEnded, deleteTree } from "../storing/delete-tree.ts";
import { treeOf } from "../storing/instance-tree.ts";
import { findFinishedRoots } from "./find-instances.ts";

export function deleteInstance(instanceId: string, force: boolean): WriteOperation<DeleteResult> {
  const operation = "deleteInstance";
  const id = toText(instanceId);
  return (tx) => deleteTree(tx, operation, id, force);
}

/**
 * Deletes a tree in a bulk deletion: skips a root that was deleted meanwhile or does not match any more, and one of
 * which a child runs, because that may be undoing something.
 */
export function deleteFinishedTree(instanceId: string, filter: InstanceFilter): WriteOperation<DeleteResult> {
  const ofRoot = { ...filter, instanceIds: [instanceId] };
  return (tx) => {
    if (findFinishedRoots(tx.db, ofRoot, tx.nowMs).length === 0) return NOTHING_DELETED;
    return deleteIfEnded(tx, "deleteInstances", treeOf(tx.db, toText(instanceId)));
  };
}
