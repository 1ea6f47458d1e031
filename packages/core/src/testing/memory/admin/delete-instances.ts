/**
 * Deletion (docs/reference/provider-contract.md §16): all checks come before the first deletion. The lock, the queued
 * activities and the messages of children that have not begun are deleted too, so that a process that runs a turn of the
 * instance cannot create it again. A child whose parent does not exist is a root.
 */
import type { BulkOptions, DeleteOptions, DeleteResult } from "../../../contract/admin.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import type { InstanceFilter } from "../../../contract/queries.ts";
import { hasEnded } from "../../../contract/status.ts";
import { NOTHING_DELETED, sumOfDeletions } from "../../../stores/admin-results.ts";
import { debouncedSinceMs } from "../../../stores/debounced-start.ts";
import { toMessage } from "../codec.ts";
import type { MessageRow, Store } from "../store.ts";
import { findRoots } from "./find-instances.ts";
import { statusOf } from "./inspect.ts";
import { treeOf } from "./instance-tree.ts";

export function deleteInstance(
  store: Store,
  instanceId: string,
  { force = false }: DeleteOptions = {},
): DeleteResult {
  const operation = "deleteInstance";
  const root = store.instances.get(instanceId);
  if (root === undefined) throw ProviderError.notFound(operation, instanceId);
  const { parentInstanceId } = root;
  if (parentInstanceId !== undefined && store.instances.has(parentInstanceId))
    throw ProviderError.isChild(operation, instanceId, parentInstanceId);
  return deleteAll(store, operation, treeOf(store, instanceId), force);
}

/** Skips a root that runs, and one of which a child runs, because that may be undoing something. */
export function deleteInstances(store: Store, filter: InstanceFilter, options?: BulkOptions): DeleteResult {
  const roots = findRoots(store, filter, options);
  const trees = roots.map((root) => treeOf(store, root));
  return trees
    .filter((ids) => runningOf(store, ids) === undefined)
    .map((ids) => deleteAll(store, "deleteInstances", ids, false))
    .reduce(sumOfDeletions, NOTHING_DELETED);
}

function deleteAll(
  store: Store,
  operation: string,
  instanceIds: readonly string[],
  force: boolean,
): DeleteResult {
  const running = runningOf(store, instanceIds);
  if (!force && running !== undefined) throw ProviderError.stillRunning(operation, running);
  const existing = instanceIds.filter((id) => store.instances.has(id));
  return existing.map((id) => deleteOne(store, id)).reduce(sumOfDeletions, NOTHING_DELETED);
}

function runningOf(store: Store, instanceIds: readonly string[]): string | undefined {
  return instanceIds.find((id) => store.instances.has(id) && !hasEnded(statusOf(store, id)));
}

function deleteOne(store: Store, instanceId: string): DeleteResult {
  const executions = [...(store.executions.get(instanceId)?.values() ?? [])];
  const isKept = (row: { readonly instanceId: string }): boolean => row.instanceId !== instanceId;
  const nowMs = store.clock.now();
  const isHeld = (row: MessageRow): boolean =>
    row.visibleAtMs > nowMs && debouncedSinceMs(toMessage(row)) !== undefined;
  const isChildStart = ({ parentInstanceId }: MessageRow): boolean => parentInstanceId === instanceId;
  const unbegun = unbegunChildren(store, isChildStart);
  const messages = store.messages.filter(
    (row) => (isKept(row) && !isChildStart(row) && !unbegun.has(row.instanceId)) || isHeld(row),
  );
  const activities = store.activities.filter(isKept);
  const queueMessagesDeleted =
    store.messages.length - messages.length + store.activities.length - activities.length;
  store.messages = messages;
  store.activities = activities;
  const { instances, kv, customStatuses, historyTags, instanceLocks, blockedInstances, suspended } = store;
  const state = [
    store.streams,
    store.progress,
    instances,
    store.executions,
    kv,
    customStatuses,
    historyTags,
    suspended,
  ];
  const ofQueue = [store.messageIds, instanceLocks, blockedInstances];
  for (const table of [...state, ...ofQueue]) table.delete(instanceId);
  for (const child of unbegun) for (const table of ofQueue) table.delete(child);
  return {
    instancesDeleted: 1,
    executionsDeleted: executions.length,
    eventsDeleted: executions.reduce((total, { events }) => total + events.size, 0),
    queueMessagesDeleted,
  };
}

/**
 * Children that have not begun: a later child with the id would receive what was sent to this one, for example a
 * cancellation. Without those of which another instance has queued a start too.
 */
function unbegunChildren(store: Store, isStart: (row: MessageRow) => boolean): ReadonlySet<string> {
  const starts = store.messages.filter(isStart);
  const unbegun = new Set(
    starts.map(({ instanceId }) => instanceId).filter((id) => !store.instances.has(id)),
  );
  const others = store.messages.filter((row) => unbegun.has(row.instanceId) && !isStart(row));
  for (const row of others) if (toMessage(row).kind === "StartOrchestration") unbegun.delete(row.instanceId);
  return unbegun;
}
