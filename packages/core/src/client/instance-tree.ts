/** An instance with its descendants, read a generation at a time. */
import type { ProviderAdmin } from "../contract/admin.ts";
import { instanceIds } from "./instance-ids.ts";

/** An instance and all its descendants. */
export interface InstanceTree {
  readonly rootId: string;
  /** The root and all its descendants, children before parents. */
  readonly allIds: readonly string[];
}

/** Parents in one query, so that a filter stays small. */
const MOST_PARENTS = 200;
const PAGE = 1_000;

export async function treeOf(admin: ProviderAdmin, rootId: string): Promise<InstanceTree> {
  const found = new Set([rootId]);
  let generation: readonly string[] = [rootId];
  while (generation.length > 0) {
    const children: string[] = [];
    for (let from = 0; from < generation.length; from += MOST_PARENTS) {
      const parentId = generation.slice(from, from + MOST_PARENTS);
      for await (const id of instanceIds(admin, { parentId }, PAGE)) if (!found.has(id)) children.push(id);
    }
    // A cycle ends, because each id is visited once.
    for (const id of children) found.add(id);
    generation = children;
  }
  return { rootId, allIds: [...found].reverse() };
}
