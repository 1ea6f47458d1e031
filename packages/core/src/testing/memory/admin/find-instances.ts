/** The instances of a bulk deletion or pruning, the oldest ends first (docs/reference/provider-contract.md §16). */
import type { BulkOptions } from "../../../contract/admin.ts";
import { checkBulk } from "../../../contract/admin-arguments.ts";
import type { InstanceFilter } from "../../../contract/queries.ts";
import { currentExecution, type Store } from "../store.ts";
import { matchingInstances } from "./queries/query-instances.ts";

const DEFAULT_LIMIT = 1_000;

/** Returns those that run at the end. */
export function findRoots(store: Store, filter: InstanceFilter, options?: BulkOptions): string[] {
  checkBulk("deleteInstances", filter, options);
  return find(store, filter, options, (parentId) => !store.instances.has(parentId ?? ""));
}

/** Finds instances of any status. */
export function findInstances(store: Store, filter: InstanceFilter, options?: BulkOptions): string[] {
  checkBulk("pruneInstances", filter);
  return find(store, filter, options, () => true);
}

function find(
  store: Store,
  filter: InstanceFilter,
  { limit = DEFAULT_LIMIT }: BulkOptions = {},
  isWanted: (parentId: string | undefined) => boolean,
): string[] {
  const endOf = (id: string): number => currentExecution(store, id)?.completedAtMs ?? Number.MAX_SAFE_INTEGER;
  return matchingInstances(store, filter)
    .filter(({ parentInstanceId }) => isWanted(parentInstanceId))
    .map(({ instanceId }) => instanceId)
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, limit);
}
