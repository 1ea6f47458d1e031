/**
 * Deletes instances (docs/reference/provider-contract.md §16).
 *
 * - delete-tree.T1: All checks run in the transaction that deletes, before the first deletion.
 * - delete-tree.T2: Locks, queued activities, queued starts of children, and the messages and locks of children that
 *   have not begun, are deleted with the instance. Therefore the acknowledgement of work that was fetched before is
 *   rejected, and a new instance with the same id never receives an old result or an old cancellation.
 * - delete-tree.T3: A start of the id that waits for further ones stays: it is no part of the instance.
 */
import {
  type DeleteResult,
  hasEnded,
  invariant,
  NOTHING_DELETED,
  ProviderError,
  SCHEDULE_ORCHESTRATION,
  sumOfDeletions,
} from "@duroxide-ts/core/stores";
import { totalOf } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import { type LeavingRow, leaveLimits } from "../limits/leave.ts";
import { fromText } from "../rows/codec.ts";
import { deleteProgress } from "../streams/progress-rows.ts";
import { deleteStreams } from "../streams/stream-rows.ts";
import { deleteEvents } from "./delete-events.ts";
import { treeOf } from "./instance-tree.ts";
import { keptStarts, storeAgain } from "./kept-start.ts";
import { forgetMessages } from "./message-ids.ts";

const FIND = `SELECT instance_key, instance_id, parent_instance_id, status, orchestration_name
  FROM instances WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

const DELETE_ORCHESTRATOR_ROWS = "DELETE FROM orchestrator_queue WHERE instance_key = ?";
/**
 * Children that have not begun: a later child with the id would receive what was sent to this one, for example a
 * cancellation. Without those of which another instance has queued a start too.
 */
const UNBEGUN_CHILDREN = `SELECT DISTINCT q.instance_key, i.instance_id FROM orchestrator_queue AS q
  JOIN instances AS i ON i.instance_key = q.instance_key
  WHERE q.parent_instance_id = ?1 AND i.orchestration_name IS NULL AND NOT EXISTS (
    SELECT 1 FROM orchestrator_queue AS other WHERE other.instance_key = q.instance_key AND other.begins = 1
    AND other.parent_instance_id IS NOT ?1)`;
const DELETE_CHILD_STARTS = "DELETE FROM orchestrator_queue WHERE parent_instance_id = ?";
const DELETE_WORKER_ROWS =
  "DELETE FROM worker_queue WHERE instance_key = ? RETURNING limit_key, lane, due_at";
const DELETE_EXECUTIONS = "DELETE FROM executions WHERE instance_key = ?";
const DELETE_INSTANCE = "DELETE FROM instances WHERE instance_key = ?";
const DELETE_THE_REST = [
  "DELETE FROM custom_statuses WHERE instance_key = ?",
  "DELETE FROM kv_store WHERE instance_key = ?",
  "DELETE FROM kv_delta WHERE instance_key = ?",
  "DELETE FROM instance_tags WHERE instance_key = ?",
];

interface KnownInstance {
  readonly instance_key: number;
  readonly instance_id: string;
}

interface StoredInstance extends KnownInstance {
  readonly parent_instance_id: string | null;
  readonly status: string;
  readonly orchestration_name: string;
}

/** `id` is that of a root, as a column. */
export function deleteTree(tx: Transaction, operation: string, id: string, force = true): DeleteResult {
  const root = findNamed(tx, id);
  if (root === undefined) throw ProviderError.notFound(operation, fromText(id));
  const { parent_instance_id: parent } = root;
  if (parent !== null && !isRoot(tx, root))
    throw ProviderError.isChild(operation, fromText(id), fromText(parent));
  const instances = storedOf(tx, treeOf(tx.db, id));
  const running = force ? undefined : instances.find(isRunning);
  if (running !== undefined) throw ProviderError.stillRunning(operation, fromText(running.instance_id));
  return deleteStored(tx, operation, instances);
}

/** A child whose parent does not exist is a root too. */
function isRoot(tx: Transaction, { parent_instance_id: parent }: StoredInstance): boolean {
  return parent === null || findNamed(tx, parent) === undefined;
}

/** Deletes nothing if one of them runs. `ids` are columns. */
export function deleteIfEnded(tx: Transaction, operation: string, ids: readonly string[]): DeleteResult {
  const instances = storedOf(tx, ids);
  return instances.some(isRunning) ? NOTHING_DELETED : deleteStored(tx, operation, instances);
}

function isRunning({ status }: StoredInstance): boolean {
  return !hasEnded(status);
}

function deleteStored(
  tx: Transaction,
  operation: string,
  instances: readonly StoredInstance[],
): DeleteResult {
  return instances
    .map((instance) => deleteOne(tx, operation, instance))
    .reduce(sumOfDeletions, NOTHING_DELETED);
}

function storedOf(tx: Transaction, ids: readonly string[]): StoredInstance[] {
  return ids.map((id) => findNamed(tx, id)).filter((found) => found !== undefined);
}

function deleteOne(tx: Transaction, operation: string, instance: StoredInstance): DeleteResult {
  const key = instance.instance_key;
  const kept = keptStarts(tx, operation, key);
  const result = {
    instancesDeleted: 1,
    executionsDeleted: tx.db.run(DELETE_EXECUTIONS, key),
    eventsDeleted: deleteEvents(tx, "instance_key = ?", key),
    queueMessagesDeleted:
      tx.db.run(DELETE_ORCHESTRATOR_ROWS, key) -
      kept.length +
      deleteUnbegun(tx, instance.instance_id) +
      tx.db.run(DELETE_CHILD_STARTS, instance.instance_id) +
      deleteActivities(tx, key),
  };
  forgetMessages(tx, key);
  for (const statement of DELETE_THE_REST) tx.db.run(statement, key);
  deleteStreams(tx, key);
  deleteProgress(tx, key);
  invariant(tx.db.run(DELETE_INSTANCE, key) === 1, "delete-tree.T1");
  storeAgain(tx, kept);
  if (instance.orchestration_name !== SCHEDULE_ORCHESTRATION) {
    const status = totalOf(instance.status);
    if (status !== undefined) tx.effects.count(status, -1);
    tx.effects.count("instances", -1);
  }
  tx.effects.count("executions", -result.executionsDeleted);
  tx.effects.count("events", -result.eventsDeleted);
  tx.effects.touch(instance.instance_id);
  return result;
}

function deleteActivities(tx: Transaction, key: number): number {
  const rows = tx.db.all<LeavingRow>(DELETE_WORKER_ROWS, key);
  leaveLimits(tx, rows);
  return rows.length;
}

/** Returns the number of their messages. A first turn that runs loses its lock. */
function deleteUnbegun(tx: Transaction, parent: string): number {
  let messages = 0;
  for (const { instance_key: key, instance_id: id } of tx.db.all<KnownInstance>(UNBEGUN_CHILDREN, parent)) {
    messages += tx.db.run(DELETE_ORCHESTRATOR_ROWS, key);
    forgetMessages(tx, key);
    tx.db.run(DELETE_INSTANCE, key);
    tx.effects.touch(id);
  }
  return messages;
}

function findNamed(tx: Transaction, id: string): StoredInstance | undefined {
  return tx.db.get<StoredInstance>(FIND, id);
}
