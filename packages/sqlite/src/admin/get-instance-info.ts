/** An instance with the status and output of its current execution. */
import { type ExecutionStatus, type InstanceInfo, ProviderError } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromOptionalText, fromText, toText } from "../rows/codec.ts";
import { parseSuspended } from "../rows/suspended.ts";

const INFO = `SELECT i.orchestration_name, i.orchestration_version, i.execution_id, i.parent_instance_id,
    i.status, e.output, i.created_at, i.updated_at, i.suspended
  FROM instances AS i
  LEFT JOIN executions AS e ON e.instance_key = i.instance_key AND e.execution_id = i.execution_id
  WHERE i.instance_id = ? AND i.orchestration_name IS NOT NULL`;

interface InfoRow {
  readonly orchestration_name: string;
  readonly orchestration_version: string | null;
  readonly execution_id: number;
  readonly parent_instance_id: string | null;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly suspended: string | null;
}

export function getInstanceInfo(db: Database, instanceId: string): InstanceInfo {
  const row = db.get<InfoRow>(INFO, toText(instanceId));
  if (row === undefined) throw ProviderError.notFound("getInstanceInfo", instanceId);
  const parent = row.parent_instance_id;
  return {
    instanceId,
    orchestrationName: fromText(row.orchestration_name),
    orchestrationVersion: fromText(row.orchestration_version ?? "unknown"),
    currentExecutionId: row.execution_id,
    status: row.status,
    output: fromOptionalText(row.output),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    ...(parent === null ? undefined : { parentInstanceId: fromText(parent) }),
    ...(row.suspended === null ? undefined : { suspended: parseSuspended(row.suspended) }),
  };
}
