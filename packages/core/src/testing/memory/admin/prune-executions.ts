/** Deletes old executions, never the current one or one that runs; KV stays (docs/reference/provider-contract.md §16). */
import type { InstanceFilter, PruneOptions, PruneResult } from "../../../contract/admin.ts";
import { checkPruneOptions } from "../../../contract/admin-arguments.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import { sumOfPrunings } from "../../../stores/admin-results.ts";
import { currentExecutionId, type Store } from "../store.ts";
import { findInstances } from "./find-instances.ts";
import { listExecutions } from "./inspect.ts";

export function pruneExecutions(store: Store, instanceId: string, options: PruneOptions): PruneResult {
  return prune(store, "pruneExecutions", instanceId, options);
}

export function pruneInstances(store: Store, filter: InstanceFilter, options: PruneOptions): PruneResult {
  checkPruneOptions("pruneInstances", options);
  const ids = findInstances(store, filter);
  return sumOfPrunings(ids.map((id) => prune(store, "pruneInstances", id, options)));
}

function prune(store: Store, operation: string, instanceId: string, options: PruneOptions): PruneResult {
  checkPruneOptions(operation, options);
  const { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY } = options;
  const executions = store.executions.get(instanceId);
  if (!store.instances.has(instanceId) || executions === undefined)
    throw ProviderError.notFound(operation, instanceId);
  const kept = new Set(listExecutions(store, instanceId).slice(-Math.max(1, keepLast)));
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
