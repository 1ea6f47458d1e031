/**
 * Deletion (docs/reference/provider-contract.md §16). What refuses it is looked at in the transaction that
 * deletes, and before the first row goes. Queued starts of children go with their parent. Locks and queued activities go with the instance: whoever held them
 * fails to acknowledge, and an instance that is created anew under the id never sees old results.
 */
import { type DeleteResult, ProviderError } from "@duroxide-ts/core";
import { NOTHING_DELETED, sumOfDeletions } from "@duroxide-ts/core/stores";
import { fromText, toText } from "../codec.ts";
import { totalOf } from "../effects.ts";
import { forgetMessages } from "../message-ids.ts";
import type { Transaction, WriteOperation } from "../transaction.ts";
import { treeOf } from "./instance-tree.ts";

const FIND = `SELECT instance_key, instance_id, parent_instance_id, status FROM instances
  WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

const CHILDREN = `SELECT instance_id FROM instances
  WHERE parent_instance_id = ? AND orchestration_name IS NOT NULL`;

const DELETE_ORCHESTRATOR_ROWS = "DELETE FROM orchestrator_queue WHERE instance_key = ?";
const DELETE_CHILD_STARTS = "DELETE FROM orchestrator_queue WHERE parent_instance_id = ?";
const DELETE_WORKER_ROWS = "DELETE FROM worker_queue WHERE instance_key = ?";
const DELETE_EVENTS = "DELETE FROM history WHERE instance_key = ?";
const DELETE_EXECUTIONS = "DELETE FROM executions WHERE instance_key = ?";
const DELETE_THE_REST = [
  "DELETE FROM custom_statuses WHERE instance_key = ?",
  "DELETE FROM kv_store WHERE instance_key = ?",
  "DELETE FROM kv_delta WHERE instance_key = ?",
  "DELETE FROM instances WHERE instance_key = ?",
];

interface StoredInstance {
  readonly instance_key: number;
  readonly instance_id: string;
  readonly parent_instance_id: string | null;
  readonly status: string;
}

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

/** `id` is that of a root, as a column. */
export function deleteTree(tx: Transaction, operation: string, id: string, force = true): DeleteResult {
  const root = find(tx, id);
  if (root === undefined) throw ProviderError.notFound(operation, fromText(id));
  const { parent_instance_id: parent } = root;
  if (parent !== null && !isRoot(tx, root))
    throw ProviderError.isChild(operation, fromText(id), fromText(parent));
  return deleteAll(tx, operation, treeOf(tx.db, id), force);
}

/** For bulk deletion: a root that meanwhile runs again, or is gone, is left alone. */
export function deleteFinishedTree(instanceId: string): WriteOperation<DeleteResult> {
  const id = toText(instanceId);
  return (tx) => {
    const root = find(tx, id);
    if (root === undefined || root.status === "Running" || !isRoot(tx, root)) {
      return NOTHING_DELETED;
    }
    return deleteAll(tx, "deleteInstances", treeOf(tx.db, id), true);
  };
}

/** A child whose parent does not exist is one too. */
function isRoot(tx: Transaction, { parent_instance_id: parent }: StoredInstance): boolean {
  return parent === null || find(tx, parent) === undefined;
}

function deleteAll(tx: Transaction, operation: string, ids: readonly string[], force: boolean): DeleteResult {
  const instances = ids.map((id) => find(tx, id)).filter((found) => found !== undefined);
  for (const { instance_id: id, status } of instances) {
    if (!force && status === "Running") throw ProviderError.stillRunning(operation, fromText(id));
  }
  refuseOrphans(tx, operation, new Set(ids));
  return instances.map((instance) => deleteOne(tx, instance)).reduce(sumOfDeletions, NOTHING_DELETED);
}

function refuseOrphans(tx: Transaction, operation: string, ids: ReadonlySet<string>): void {
  for (const id of ids) {
    for (const { instance_id: child } of tx.db.all<{ instance_id: string }>(CHILDREN, id)) {
      if (!ids.has(child)) throw ProviderError.orphanedChild(operation, fromText(id), fromText(child));
    }
  }
}

function deleteOne(tx: Transaction, instance: StoredInstance): DeleteResult {
  const key = instance.instance_key;
  const result = {
    instancesDeleted: 1,
    executionsDeleted: tx.db.run(DELETE_EXECUTIONS, key),
    eventsDeleted: tx.db.run(DELETE_EVENTS, key),
    queueMessagesDeleted:
      tx.db.run(DELETE_ORCHESTRATOR_ROWS, key) +
      tx.db.run(DELETE_CHILD_STARTS, instance.instance_id) +
      tx.db.run(DELETE_WORKER_ROWS, key),
  };
  forgetMessages(tx, key);
  for (const statement of DELETE_THE_REST) tx.db.run(statement, key);
  const status = totalOf(instance.status);
  if (status !== undefined) tx.effects.count(status, -1);
  tx.effects.count("instances", -1);
  tx.effects.count("executions", -result.executionsDeleted);
  tx.effects.count("events", -result.eventsDeleted);
  tx.effects.touchedInstances.add(fromText(instance.instance_id));
  return result;
}

function find(tx: Transaction, id: string): StoredInstance | undefined {
  return tx.db.get<StoredInstance>(FIND, id);
}
