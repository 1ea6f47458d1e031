/** The instances of a bulk deletion or pruning, the oldest ends first (docs/reference/provider-contract.md §16). */
import type { BulkOptions } from "../../../contract/admin.ts";
import { checkBulk } from "../../../contract/admin-arguments.ts";
import type { InstanceFilter } from "../../../contract/queries.ts";
import { hasEnded } from "../../../contract/status.ts";
import { currentExecution, type Store } from "../store.ts";
import { statusOf } from "./inspect.ts";
import { matchingInstances } from "./queries/query-instances.ts";

const DEFAULT_LIMIT = 1_000;

export function findFinishedRoots(store: Store, filter: InstanceFilter, options?: BulkOptions): string[] {
  checkBulk("deleteInstances", filter, options);
  return find(
    store,
    filter,
    options,
    (id, parentId) => !store.instances.has(parentId ?? "") && hasEnded(statusOf(store, id)),
  );
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
  isWanted: (instanceId: string, parentId: string | undefined) => boolean,
): string[] {
  const endOf = (id: string): number => currentExecution(store, id)?.completedAtMs ?? Number.MAX_SAFE_INTEGER;
  return matchingInstances(store, filter)
    .filter(({ instanceId, parentInstanceId }) => isWanted(instanceId, parentInstanceId))
    .map(({ instanceId }) => instanceId)
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, limit);
}
