/** Which instances a filter means (docs/reference/provider-contract.md §16). */
import type { InstanceFilter } from "../../../contract/admin.ts";
import { invalidInput } from "../refusals.ts";
import { currentExecution, type Instance, type Store } from "../store.ts";
import { statusOf } from "./inspect.ts";

const DEFAULT_LIMIT = 1_000;

export function findFinishedRoots(store: Store, filter: InstanceFilter): string[] {
  const isFinishedRoot = ([id, { parentInstanceId }]: readonly [string, Instance]): boolean =>
    !store.instances.has(parentInstanceId ?? "") && statusOf(store, id) !== "Running";
  return find(store, "deleteInstances", filter, isFinishedRoot);
}

/** Of any status; one that runs has no time of completion to compare. */
export function findInstances(store: Store, filter: InstanceFilter): string[] {
  return find(store, "pruneInstances", filter, () => true);
}

function find(
  store: Store,
  operation: string,
  { instanceIds, completedBeforeMs, limit = DEFAULT_LIMIT }: InstanceFilter,
  matches: (entry: readonly [string, Instance]) => boolean,
): string[] {
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw invalidInput(operation, `limit is ${limit}; it must be a whole number from 0`);
  }
  const completedInTime = (id: string): boolean =>
    completedBeforeMs === undefined ||
    (currentExecution(store, id)?.completedAtMs ?? Number.POSITIVE_INFINITY) < completedBeforeMs;
  return [...store.instances]
    .filter((entry) => matches(entry) && (instanceIds?.includes(entry[0]) ?? true))
    .map(([id]) => id)
    .filter(completedInTime)
    .slice(0, limit);
}
