/** Parents and children, by the parent that an instance was created with (docs/reference/provider-contract.md §15). */
import type { InstanceTree } from "../../../contract/admin.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import type { Store } from "../store.ts";

export function listChildren(store: Store, instanceId: string): string[] {
  return [...store.instances]
    .filter(([, { parentInstanceId }]) => parentInstanceId === instanceId)
    .map(([id]) => id);
}

export function getParentId(store: Store, instanceId: string): string | undefined {
  const instance = store.instances.get(instanceId);
  if (instance === undefined) throw ProviderError.notFound("getParentId", instanceId);
  return instance.parentInstanceId;
}

/** Children before parents. Each id is visited once, so that a cycle ends too. */
export function getInstanceTree(store: Store, rootId: string): InstanceTree {
  const found = new Set([rootId]);
  for (const id of found) for (const child of listChildren(store, id)) found.add(child);
  return { rootId, allIds: [...found].reverse() };
}
