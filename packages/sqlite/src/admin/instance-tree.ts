/** Parents and children, by the parent that an instance was created with. */
import { type InstanceTree, ProviderError } from "@duroxide-ts/core";
import { fromText, toText } from "../codec.ts";
import type { Database } from "../database.ts";

const CHILDREN = `SELECT instance_id FROM instances
  WHERE parent_instance_id = ? AND orchestration_name IS NOT NULL ORDER BY instance_key`;

const PARENT = `SELECT parent_instance_id FROM instances
  WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

export function listChildren(db: Database, instanceId: string): readonly string[] {
  return childrenOf(db, toText(instanceId)).map(fromText);
}

export function getParentId(db: Database, instanceId: string): string | undefined {
  const row = db.get<{ parent_instance_id: string | null }>(PARENT, toText(instanceId));
  if (row === undefined) throw ProviderError.notFound("getParentId", instanceId);
  return row.parent_instance_id === null ? undefined : fromText(row.parent_instance_id);
}

export function getInstanceTree(db: Database, instanceId: string): InstanceTree {
  return { rootId: instanceId, allIds: treeOf(db, toText(instanceId)).map(fromText) };
}

/** Ids as columns, children before their parents. An id is visited once, so that even a ring has an end. */
export function treeOf(db: Database, rootId: string): string[] {
  const found = new Set([rootId]);
  for (const id of found) for (const child of childrenOf(db, id)) found.add(child);
  return [...found].reverse();
}

function childrenOf(db: Database, instanceId: string): string[] {
  return db.all<{ instance_id: string }>(CHILDREN, instanceId).map((row) => row.instance_id);
}
