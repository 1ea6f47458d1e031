/** Parents and children, by the parent that an instance was created with. */
import { type InstanceTree, ProviderError } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText, toText } from "../rows/codec.ts";
import { childrenOf, treeOf } from "../storing/instance-tree.ts";

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
