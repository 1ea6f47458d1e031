/** An instance with its descendants, by the parents that they were created with. */
import type { Store } from "../store.ts";

/** Children before parents. Each id is visited once, so that a cycle ends too. */
export function treeOf(store: Store, rootId: string): readonly string[] {
  const found = new Set([rootId]);
  for (const id of found) {
    for (const [child, { parentInstanceId }] of store.instances)
      if (parentInstanceId === id) found.add(child);
  }
  return [...found].reverse();
}
