/** Instances that belong together, and instances that a filter names. */
import type { InstanceFilter } from "@duroxide-ts/core";
import { checkInstanceFilter } from "@duroxide-ts/core/stores";
import { currentExecution } from "../operations/history.ts";
import type { Instance, Tables } from "../tables.ts";

export function childrenOf({ instances }: Tables, instanceId: string): string[] {
  return [...instances.values()].filter(({ parentId }) => parentId === instanceId).map(({ id }) => id);
}

/** The instance after all its descendants. */
export function treeOf(tables: Tables, instanceId: string): string[] {
  return [...childrenOf(tables, instanceId).flatMap((child) => treeOf(tables, child)), instanceId];
}

/** The oldest that match every condition and are wanted, at most as many as the limit allows. */
export function matching(
  tables: Tables,
  operation: string,
  filter: InstanceFilter,
  isWanted: (instance: Instance) => boolean = () => true,
): Instance[] {
  checkInstanceFilter(operation, filter);
  const { instanceIds, completedBeforeMs, limit = 1_000 } = filter;
  const isOldEnough = ({ id }: Instance): boolean =>
    completedBeforeMs === undefined ||
    (currentExecution(tables, id)?.completedAtMs ?? Number.POSITIVE_INFINITY) < completedBeforeMs;
  return [...tables.instances.values()]
    .filter(({ id }) => instanceIds === undefined || instanceIds.includes(id))
    .filter(isOldEnough)
    .filter(isWanted)
    .slice(0, limit);
}
