/** The columns of an instance with its current execution, as the contract describes it. */
import type { ExecutionStatus, InstanceInfo, ListedStatus, Tags } from "@duroxide-ts/core/stores";
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
  readonly starts_at: number | null;
  readonly limit_key: string | null;
  /** Set while its limit holds it back. */
  readonly held_since: number | null;
  /** Null unless the instance has failed. */
  readonly failure_category: string | null;
}

/** The categories of cancelled instances. */
export const CANCELLED: readonly string[] = ["cancelled", "clean-up-failed"];

/** Condition on a row of `instances` that is stored as `Failed`. */
export const IS_CANCELLED: string = `failure_category IN ('${CANCELLED.join("', '")}')`;

/** `nowMs` tells whether a delayed start is still to come. */
export function toInstanceInfo(
  instanceId: string,
  row: InfoRow,
  tags: Tags | undefined,
  nowMs: number,
): InstanceInfo {
  const { parent_instance_id: parent, suspended, starts_at: startsAtMs } = row;
  return {
    instanceId,
    orchestrationName: fromText(row.orchestration_name),
    orchestrationVersion: fromText(row.orchestration_version ?? "unknown"),
    currentExecutionId: row.execution_id,
    status: statusOf(row, nowMs),
    output: fromOptionalText(row.output),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    ...(parent !== null && { parentInstanceId: fromText(parent) }),
    ...(startsAtMs !== null && { startsAtMs }),
    ...(row.held_since !== null && row.limit_key !== null && { limit: fromText(row.limit_key) }),
    ...(tags !== undefined && { tags }),
    ...(suspended !== null && { suspended: parseSuspended(suspended) }),
  };
}

function statusOf(
  { status, failure_category: category, starts_at: startsAtMs, held_since: heldSinceMs }: InfoRow,
  nowMs: number,
): ListedStatus {
  if (status === "Running" && startsAtMs !== null && startsAtMs > nowMs) return "Scheduled";
  if (status === "Running" && heldSinceMs !== null) return "Waiting";
  return status === "Failed" && CANCELLED.includes(category ?? "") ? "Cancelled" : status;
}
