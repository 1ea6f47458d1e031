/** The instances that have changed since a time, with the tags of their last commits. */
import type { Store } from "../store.ts";

export function changedInstances(
  store: Store,
  instanceIds: readonly string[],
  sinceMs: number,
): ReadonlyMap<string, string> {
  const changed = instanceIds.filter((id) => (store.instances.get(id)?.updatedAtMs ?? -1) >= sinceMs);
  return new Map(changed.map((id) => [id, store.historyTags.get(id) ?? ""]));
}
