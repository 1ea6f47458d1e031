/** The descendants of an instance, by the parent at the creation of each. */
import type { Database } from "../connection/database.ts";

const CHILDREN = `SELECT instance_id FROM instances
  WHERE parent_instance_id = ? AND orchestration_name IS NOT NULL ORDER BY instance_key`;

/** Ids as columns, children before their parents. Each id is visited once, so that a cycle ends too. */
export function treeOf(db: Database, rootId: string): string[] {
  const found = new Set([rootId]);
  for (const id of found) for (const child of childrenOf(db, id)) found.add(child);
  return [...found].reverse();
}

function childrenOf(db: Database, instanceId: string): string[] {
  return db.all<{ instance_id: string }>(CHILDREN, instanceId).map((row) => row.instance_id);
}
