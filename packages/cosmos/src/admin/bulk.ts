/** Deletion and pruning of many instances, one after the other: what was done stays done (hazards W48, W49). */
import {
  type DeleteResult,
  type InstanceFilter,
  NOTHING_DELETED,
  type PruneOptions,
  type PruneResult,
  pruneEach,
  sumOfDeletions,
} from "@duroxide-ts/core/stores";
import type { Call } from "../requests/call.ts";
import { runsOn } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";
import { deleteAll } from "./delete-instances.ts";
import { treeOf } from "./instance-tree.ts";
import { ADMIN_PATIENCE_MS, IS_NAMED } from "./named-instances.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { deleteQueuedStarts } from "./queued-starts.ts";

const DEFAULT_LIMIT = 1_000;

interface Candidate {
  readonly instanceId: string;
  readonly status: string;
  readonly parentInstanceId: string | null;
  readonly updatedAt: number;
  readonly completedAt?: number;
}

const COLUMNS = "c.instanceId, c.status, c.parentInstanceId, c.updatedAt, c.duroxideTs.completedAt";

/** Those that have ended, each with its tree. */
export async function deleteInstances(store: Store, filter: InstanceFilter): Promise<DeleteResult> {
  const operation = "deleteInstances";
  let total = NOTHING_DELETED;
  const deleted = new Set<string>();
  for (const root of await findInstances(store, operation, filter, finishedRoots)) {
    const call = store.requests.call(operation, ADMIN_PATIENCE_MS);
    const tree = await treeOf(store, call, root);
    total = sumOfDeletions(total, await deleteAll(store, call, tree, true));
    for (const id of tree) deleted.add(id);
  }
  const call = store.requests.call(operation, ADMIN_PATIENCE_MS);
  const queueMessagesDeleted = await deleteQueuedStarts(store, call, deleted);
  return sumOfDeletions(total, { ...NOTHING_DELETED, queueMessagesDeleted });
}

export async function pruneInstances(
  store: Store,
  filter: InstanceFilter,
  options: PruneOptions,
): Promise<PruneResult> {
  const operation = "pruneInstances";
  const ids = await findInstances(store, operation, filter, async (candidates) => candidates);
  return pruneEach(ids, (id) => pruneExecutions(store, operation, id, options));
}

async function findInstances(
  store: Store,
  operation: string,
  { instanceIds, completedBeforeMs, limit = DEFAULT_LIMIT }: InstanceFilter,
  select: (candidates: readonly Candidate[], store: Store, call: Call) => Promise<readonly Candidate[]>,
): Promise<readonly string[]> {
  if (instanceIds?.length === 0) return [];
  const among = instanceIds === undefined ? "" : " AND ARRAY_CONTAINS(@ids, c.instanceId)";
  const call = store.requests.call(operation, ADMIN_PATIENCE_MS);
  const stored = await store.requests.queryAll<Candidate>(call, {
    query: `SELECT ${COLUMNS} FROM c WHERE ${IS_NAMED}${among}`,
    parameters: [{ name: "@ids", value: [...(instanceIds ?? [])] }],
  });
  const candidates = stored
    .map((each) => (runsOn(each.status, each.completedAt) ? { ...each, status: "Running" } : each))
    .filter((each) => completedBeforeMs === undefined || endOf(each) < completedBeforeMs);
  return (await select(candidates, store, call))
    .toSorted((a, b) => endOf(a) - endOf(b))
    .slice(0, limit)
    .map(({ instanceId }) => instanceId);
}

const EXISTING = `SELECT VALUE c.instanceId FROM c WHERE ${IS_NAMED} AND ARRAY_CONTAINS(@ids, c.instanceId)`;

/** A child whose parent does not exist counts as a root. */
async function finishedRoots(
  candidates: readonly Candidate[],
  store: Store,
  call: Call,
): Promise<readonly Candidate[]> {
  const finished = candidates.filter(({ status }) => status !== "Running");
  const parents = new Set(finished.flatMap(({ parentInstanceId }) => parentInstanceId ?? []));
  if (parents.size === 0) return finished;
  const parameters = [{ name: "@ids", value: [...parents] }];
  const existing = new Set(await store.requests.queryAll<string>(call, { query: EXISTING, parameters }));
  return finished.filter(
    ({ parentInstanceId }) => parentInstanceId === null || !existing.has(parentInstanceId),
  );
}

/** Rust notes no end; its last change is the best guess. */
function endOf({ status, completedAt, updatedAt }: Candidate): number {
  return status === "Running" ? Number.POSITIVE_INFINITY : (completedAt ?? updatedAt);
}
