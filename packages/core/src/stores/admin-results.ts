/** What bulk deletion and pruning report of several instances (docs/reference/provider-contract.md §16). */
import type { DeleteResult, PruneResult } from "../contract/admin.ts";

/** Where a deletion finds nothing, and where a sum begins. */
export const NOTHING_DELETED: DeleteResult = {
  instancesDeleted: 0,
  executionsDeleted: 0,
  eventsDeleted: 0,
  queueMessagesDeleted: 0,
};

/** Of two deletions, each counted once. */
export function sumOfDeletions(a: DeleteResult, b: DeleteResult): DeleteResult {
  return {
    instancesDeleted: a.instancesDeleted + b.instancesDeleted,
    executionsDeleted: a.executionsDeleted + b.executionsDeleted,
    eventsDeleted: a.eventsDeleted + b.eventsDeleted,
    queueMessagesDeleted: a.queueMessagesDeleted + b.queueMessagesDeleted,
  };
}

/** Of any number of instances, also none. */
export function sumOfPrunings(results: readonly PruneResult[]): PruneResult {
  return results.reduce(
    (a, b) => ({
      instancesProcessed: a.instancesProcessed + b.instancesProcessed,
      executionsDeleted: a.executionsDeleted + b.executionsDeleted,
      eventsDeleted: a.eventsDeleted + b.eventsDeleted,
    }),
    { instancesProcessed: 0, executionsDeleted: 0, eventsDeleted: 0 },
  );
}

/**
 * One instance after the other. One that fails is passed over; the first failure is thrown only if nothing succeeded
 * (hazards W48, W49).
 */
export async function pruneEach(
  instanceIds: readonly string[],
  prune: (instanceId: string) => Promise<PruneResult>,
): Promise<PruneResult> {
  const done: PruneResult[] = [];
  const failures: unknown[] = [];
  for (const id of instanceIds) {
    try {
      done.push(await prune(id));
    } catch (error) {
      failures.push(error);
    }
  }
  if (done.length === 0 && failures.length > 0) throw failures[0];
  return sumOfPrunings(done);
}
