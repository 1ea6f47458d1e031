/** The instances that match a filter (docs/reference/provider-contract.md §16). */
import type { InstanceFilter } from "../../../contract/admin.ts";
import { checkInstanceFilter } from "../../../contract/admin-arguments.ts";
import { currentExecution, type Instance, type Store } from "../store.ts";
import { statusOf } from "./inspect.ts";

const DEFAULT_LIMIT = 1_000;

export function findFinishedRoots(store: Store, filter: InstanceFilter): string[] {
  const isFinishedRoot = ([id, { parentInstanceId }]: readonly [string, Instance]): boolean =>
    !store.instances.has(parentInstanceId ?? "") && statusOf(store, id) !== "Running";
  return find(store, "deleteInstances", filter, isFinishedRoot);
}

/** Finds instances of any status; a running one has no completion time, so a condition on it never matches. */
export function findInstances(store: Store, filter: InstanceFilter): string[] {
  return find(store, "pruneInstances", filter, () => true);
}

function find(
  store: Store,
  operation: string,
  filter: InstanceFilter,
  matches: (entry: readonly [string, Instance]) => boolean,
): string[] {
  checkInstanceFilter(operation, filter);
  const { instanceIds, completedBeforeMs, limit = DEFAULT_LIMIT } = filter;
  const completedInTime = (id: string): boolean =>
    completedBeforeMs === undefined ||
    (currentExecution(store, id)?.completedAtMs ?? Number.POSITIVE_INFINITY) < completedBeforeMs;
  return [...store.instances]
    .filter((entry) => matches(entry) && (instanceIds?.includes(entry[0]) ?? true))
    .map(([id]) => id)
    .filter(completedInTime)
    .slice(0, limit);
}
