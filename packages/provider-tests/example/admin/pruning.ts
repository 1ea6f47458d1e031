/** Pruning: old executions go, the current one and what belongs to the instance stay (§16). */
import { type InstanceFilter, ProviderError, type PruneOptions, type PruneResult } from "@duroxide-ts/core";
import { checkPruneOptions } from "@duroxide-ts/core/stores";
import type { Execution, Moment, Tables } from "../tables.ts";
import { matching } from "./family.ts";

export function pruneExecutions({ tables }: Moment, instanceId: string, options: PruneOptions): PruneResult {
  const operation = "pruneExecutions";
  checkPruneOptions(operation, options);
  if (!tables.instances.has(instanceId)) throw ProviderError.notFound(operation, instanceId);
  return prune(tables, [instanceId], options);
}

export function pruneInstances(
  { tables }: Moment,
  filter: InstanceFilter,
  options: PruneOptions,
): PruneResult {
  const operation = "pruneInstances";
  checkPruneOptions(operation, options);
  const instances = matching(tables, operation, filter);
  return prune(
    tables,
    instances.map(({ id }) => id),
    options,
  );
}

function prune(tables: Tables, instanceIds: readonly string[], options: PruneOptions): PruneResult {
  let executionsDeleted = 0;
  let eventsDeleted = 0;
  for (const instanceId of instanceIds) {
    const all = tables.executions.get(instanceId) ?? [];
    const old = oldExecutions(all, options);
    executionsDeleted += old.size;
    for (const { events } of old) eventsDeleted += events.size;
    tables.executions.set(
      instanceId,
      all.filter((execution) => !old.has(execution)),
    );
  }
  return { instancesProcessed: instanceIds.length, executionsDeleted, eventsDeleted };
}

function oldExecutions(
  all: readonly Execution[],
  { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY }: PruneOptions,
): ReadonlySet<Execution> {
  const beyondKept = all.slice(0, all.length - Math.max(1, keepLast));
  return new Set(
    beyondKept.filter(
      ({ completedAtMs }) => completedAtMs !== undefined && completedAtMs < completedBeforeMs,
    ),
  );
}
