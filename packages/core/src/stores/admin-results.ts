/** The results of bulk deletion and pruning (docs/reference/provider-contract.md §16). */
import type { DeleteResult, PruneResult } from "../contract/admin.ts";
import { ProviderError } from "../contract/provider-error.ts";

/** The result of a deletion without matches, and the initial value of a sum. */
export const NOTHING_DELETED: DeleteResult = {
  instancesDeleted: 0,
  executionsDeleted: 0,
  eventsDeleted: 0,
  queueMessagesDeleted: 0,
};

/** The sum of two deletions. */
export function sumOfDeletions(a: DeleteResult, b: DeleteResult): DeleteResult {
  return {
    instancesDeleted: a.instancesDeleted + b.instancesDeleted,
    executionsDeleted: a.executionsDeleted + b.executionsDeleted,
    eventsDeleted: a.eventsDeleted + b.eventsDeleted,
    queueMessagesDeleted: a.queueMessagesDeleted + b.queueMessagesDeleted,
  };
}

/** The sum of any number of prunings. */
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
 * Prunes one instance after the other. Skips an instance that is gone or fails; throws the first failure only if no
 * instance succeeded (hazards W48, W49).
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
      // Another process has deleted it meanwhile.
      if (ProviderError.is(error, "instance-not-found")) continue;
      failures.push(error);
    }
  }
  if (done.length === 0 && failures.length > 0) throw failures[0];
  return sumOfPrunings(done);
}
