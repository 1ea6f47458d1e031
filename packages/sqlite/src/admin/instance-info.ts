/** The columns of an instance with its current execution, as the contract describes it. */
import type { ExecutionStatus, InstanceInfo, Tags } from "@duroxide-ts/core/stores";
import { fromOptionalText, fromText } from "../rows/codec.ts";
import { parseSuspended } from "../rows/suspended.ts";

export interface InfoRow {
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

export function toInstanceInfo(instanceId: string, row: InfoRow, tags: Tags | undefined): InstanceInfo {
  const { parent_instance_id: parent, suspended } = row;
  return {
    instanceId,
    orchestrationName: fromText(row.orchestration_name),
    orchestrationVersion: fromText(row.orchestration_version ?? "unknown"),
    currentExecutionId: row.execution_id,
    status: row.status,
    output: fromOptionalText(row.output),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    ...(parent !== null && { parentInstanceId: fromText(parent) }),
    ...(tags !== undefined && { tags }),
    ...(suspended !== null && { suspended: parseSuspended(suspended) }),
  };
}
