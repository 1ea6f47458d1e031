/** Deletes or prunes many instances one after the other. A failure does not undo earlier ones (hazards W48, W49). */
import {
  type BulkOptions,
  type DeleteResult,
  type InstanceFilter,
  ProviderError,
  type PruneOptions,
  type PruneResult,
} from "@duroxide-ts/core";
import {
  checkBulk,
  checkPruneOptions,
  hasEnded,
  NOTHING_DELETED,
  pruneEach,
  sumOfDeletions,
} from "@duroxide-ts/core/stores";
import { type Instance, statusOf } from "../documents/instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import { type Deleted, deleteLateChildren, deleteTree } from "./delete-instances.ts";
import { IS_NAMED } from "./named-instances.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { conditionsFor } from "./queries/instance-conditions.ts";

const DEFAULT_LIMIT = 1_000;

interface Ending {
  readonly status: string;
  readonly updatedAt: number;
  readonly completedAt?: number | undefined;
}

interface Candidate extends Ending {
  readonly instanceId: string;
  readonly parentInstanceId?: string | null;
}

const COLUMNS = "c.instanceId, c.status, c.parentInstanceId, c.updatedAt, c.duroxideTs.completedAt";

/** Deletes roots that have ended, each with its tree. */
export async function deleteInstances(
  parts: Parts,
  filter: InstanceFilter,
  options: BulkOptions = {},
): Promise<DeleteResult> {
  const operation = "deleteInstances";
  checkBulk(operation, filter, options);
  let total = NOTHING_DELETED;
  const alone: string[] = [];
  for (const root of await findInstances(parts, operation, filter, options, finishedRoots)) {
    const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
    const tree = await deleteEnded(work, root);
    if (tree === undefined) continue;
    total = sumOfDeletions(total, tree.result);
    alone.push(...tree.alone);
  }
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  return sumOfDeletions(total, await deleteLateChildren(work, alone));
}

/**
 * Nothing is deleted if a child runs, because it may be undoing something, or if the root has changed since it was found:
 * it may not match any more.
 */
async function deleteEnded(work: Work, root: Candidate): Promise<Deleted | undefined> {
  const { instanceId, updatedAt } = root;
  const isAsked = (instance: Instance): boolean => {
    const { document } = instance;
    return document.instanceId === instanceId
      ? Number(document.updatedAt) === updatedAt
      : hasEnded(statusOf(instance).status);
  };
  try {
    return await deleteTree(work, instanceId, isAsked);
  } catch (error) {
    if (ProviderError.is(error) && error.code === "instance-still-running") return undefined;
    throw error;
  }
}

export async function pruneInstances(
  parts: Parts,
  filter: InstanceFilter,
  options: PruneOptions,
): Promise<PruneResult> {
  const operation = "pruneInstances";
  checkBulk(operation, filter);
  checkPruneOptions(operation, options);
  const found = await findInstances(parts, operation, filter, options, async (all) => all);
  const ids = found.map(({ instanceId }) => instanceId);
  return pruneEach(ids, async (instanceId) => {
    try {
      return await pruneExecutions(parts, operation, instanceId, options);
    } catch (error) {
      // The caller is told of a failure only if every instance has one.
      if (ProviderError.is(error) && (error.retryable || isRefusal(error)))
        parts.service.warn(`old executions are not pruned: ${error.detail}`, { instanceId });
      throw error;
    }
  });
}

async function findInstances(
  parts: Parts,
  operation: string,
  filter: InstanceFilter,
  { limit = DEFAULT_LIMIT }: BulkOptions,
  select: (candidates: readonly Candidate[], work: Work) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (filter.instanceIds?.length === 0) return [];
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  const { indexed, others, parameters } = await conditionsFor(work, filter);
  const candidates = await work.queryAll<Candidate>(
    `SELECT ${COLUMNS} FROM c WHERE ${indexed} AND ${others}`,
    parameters,
  );
  return (await select(candidates, work)).toSorted((a, b) => endOf(a) - endOf(b)).slice(0, limit);
}

const EXISTING = `SELECT VALUE c.instanceId FROM c WHERE ${IS_NAMED} AND ARRAY_CONTAINS(@ids, c.instanceId)`;

/** A child whose parent does not exist counts as a root. */
async function finishedRoots(candidates: readonly Candidate[], work: Work): Promise<readonly Candidate[]> {
  const finished = candidates.filter(({ status }) => hasEnded(status));
  const parents = new Set(finished.flatMap(({ parentInstanceId }) => parentInstanceId ?? []));
  if (parents.size === 0) return finished;
  const existing = new Set(await work.queryAll<string>(EXISTING, { "@ids": [...parents] }));
  return finished.filter(({ parentInstanceId }) => !existing.has(parentInstanceId ?? ""));
}

/** Rust stores no end time; the time of the last change is the best estimate. */
function endOf({ status, completedAt, updatedAt }: Ending): number {
  return hasEnded(status) ? (completedAt ?? updatedAt) : Number.POSITIVE_INFINITY;
}
