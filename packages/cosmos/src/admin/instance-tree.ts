/** Instances with their descendants. */
import type { Work } from "../memory/parts.ts";
import { IS_NAMED } from "./named-instances.ts";

export interface Child {
  readonly instanceId: string;
  readonly parentInstanceId: string;
}

const CHILDREN = `SELECT c.instanceId, c.parentInstanceId FROM c
  WHERE ${IS_NAMED} AND ARRAY_CONTAINS(@parents, c.parentInstanceId)`;

export async function childrenOf(work: Work, parents: readonly string[]): Promise<readonly Child[]> {
  if (parents.length === 0) return [];
  return work.queryAll<Child>(CHILDREN, { "@parents": parents });
}

/** Children before their parents. One query for each generation. */
export async function treeOf(work: Work, rootId: string): Promise<readonly string[]> {
  const seen = new Set([rootId]);
  let generation: readonly string[] = [rootId];
  while (generation.length > 0) {
    const children = await childrenOf(work, generation);
    generation = children.map(({ instanceId }) => instanceId).filter((id) => !seen.has(id));
    for (const id of generation) seen.add(id);
  }
  return [...seen].reverse();
}
