/** The status for waiting clients: what the last commit has left, else one statement of point reads. */
import type { ExecutionStatus, InstanceStatus } from "@duroxide-ts/core/stores";
import type { LastStatuses } from "../commit/last-statuses.ts";
import type { Database } from "../connection/database.ts";
import { fromOptionalText, fromText, toText } from "../rows/codec.ts";
import { FAILED_EVENTS, failureDetails } from "../rows/failed-event.ts";

const STATUS = `SELECT i.execution_id, e.status, e.output, ${FAILED_EVENTS} AS failed_events, c.custom_status, c.version,
    i.starts_at, iif(i.held_since IS NULL, NULL, i.limit_key) AS held_by
  FROM instances AS i
  LEFT JOIN executions AS e ON e.instance_key = i.instance_key AND e.execution_id = i.execution_id
  LEFT JOIN custom_statuses AS c ON c.instance_key = i.instance_key
  WHERE i.instance_id = ? AND i.orchestration_name IS NOT NULL`;

interface StatusRow {
  readonly execution_id: number;
  readonly status: ExecutionStatus | null;
  readonly output: string | null;
  readonly failed_events: string | null;
  readonly custom_status: string | null;
  readonly starts_at: number | null;
  readonly held_by: string | null;
  readonly version: number | null;
}

export function getInstanceStatus(
  db: Database,
  instanceId: string,
  lastStatuses: LastStatuses,
): InstanceStatus | undefined {
  const id = toText(instanceId);
  const last = lastStatuses.find(db, id);
  if (last !== undefined) return last === null ? undefined : { ...last };
  const row = db.get<StatusRow>(STATUS, id);
  if (row === undefined) return undefined;
  const failure = failureDetails(row.failed_events);
  return {
    executionId: row.execution_id,
    status: row.status ?? "Running",
    output: fromOptionalText(row.output),
    ...(failure === undefined ? undefined : { failure }),
    ...(row.starts_at !== null && { startsAtMs: row.starts_at }),
    ...(row.held_by !== null && { limit: fromText(row.held_by) }),
    customStatus: fromOptionalText(row.custom_status),
    customStatusVersion: row.version ?? 0,
  };
}
