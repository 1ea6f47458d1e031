/** An instance with the status and output of its current execution. */
import { type InstanceInfo, ProviderError } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { toText } from "../rows/codec.ts";
import { type InfoRow, toInstanceInfo } from "./instance-info.ts";
import { readTags } from "./read-tags.ts";

const INFO = `SELECT i.instance_key, i.orchestration_name, i.orchestration_version, i.execution_id, i.parent_instance_id,
    i.status, e.output, i.created_at, i.updated_at, i.suspended, i.starts_at, i.limit_key, i.held_since,
    i.failure_category
  FROM instances AS i
  LEFT JOIN executions AS e ON e.instance_key = i.instance_key AND e.execution_id = i.execution_id
  WHERE i.instance_id = ? AND i.orchestration_name IS NOT NULL`;

export function getInstanceInfo(db: Database, instanceId: string, nowMs: number): InstanceInfo {
  const row = db.get<InfoRow & { readonly instance_key: number }>(INFO, toText(instanceId));
  if (row === undefined) throw ProviderError.notFound("getInstanceInfo", instanceId);
  const { instance_key: key } = row;
  return toInstanceInfo(instanceId, row, readTags(db, [key]).get(key), nowMs);
}
