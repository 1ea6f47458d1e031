/** Deletes old executions, never the current one or one that runs; KV stays (docs/reference/provider-contract.md §16). */
import type { PruneOptions, PruneResult } from "../../../contract/admin.ts";
import { checkPruneOptions } from "../../../contract/admin-arguments.ts";
import type { InstanceFilter } from "../../../contract/queries.ts";
import { sumOfPrunings } from "../../../stores/admin-results.ts";
import { currentExecutionId, type Store } from "../store.ts";
import { findInstances } from "./find-instances.ts";

export function pruneInstances(store: Store, filter: InstanceFilter, options: PruneOptions): PruneResult {
  checkPruneOptions("pruneInstances", options);
  return sumOfPrunings(findInstances(store, filter, options).map((id) => prune(store, id, options)));
}

function prune(store: Store, instanceId: string, options: PruneOptions): PruneResult {
  const { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY } = options;
  const executions = store.executions.get(instanceId);
  if (executions === undefined) return { instancesProcessed: 1, executionsDeleted: 0, eventsDeleted: 0 };
  const ids = [...executions.keys()].sort((a, b) => a - b);
  const kept = new Set(ids.slice(-Math.max(1, keepLast)));
  kept.add(currentExecutionId(store, instanceId));
  let executionsDeleted = 0;
  let eventsDeleted = 0;
  for (const [id, { status, completedAtMs = Number.POSITIVE_INFINITY, events }] of executions) {
    if (kept.has(id) || status === "Running" || completedAtMs >= completedBeforeMs) continue;
    executions.delete(id);
    executionsDeleted++;
    eventsDeleted += events.size;
  }
  return { instancesProcessed: 1, executionsDeleted, eventsDeleted };
}
