/** The executions of an instance. Only records count, because history may exist before the instance has a name. */
import {
  type ExecutionInfo,
  type ExecutionStatus,
  MOST_LISTED_BYTES,
  toPositiveId,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromOptionalText, toText } from "../rows/codec.ts";

const INFO = `SELECT e.execution_id, e.status, e.started_at, e.completed_at,
    (SELECT coalesce(sum(event_count), 0) FROM history AS h
      WHERE h.instance_key = e.instance_key AND h.execution_id = e.execution_id) AS events`;

const SOURCE = `FROM instances AS i JOIN executions AS e ON e.instance_key = i.instance_key
  WHERE i.instance_id = ?`;

const ONE = `${INFO}, e.output ${SOURCE} AND e.execution_id = ?`;

const ALL = `${INFO}, iif(octet_length(e.output) > ${MOST_LISTED_BYTES}, NULL, e.output) AS output ${SOURCE}
  ORDER BY e.execution_id`;

interface ExecutionRow {
  readonly execution_id: number;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly started_at: number;
  readonly completed_at: number | null;
  readonly events: number;
}

export function listExecutions(
  db: Database,
  instanceId: string,
  executionId?: number,
): readonly ExecutionInfo[] {
  const id = toText(instanceId);
  if (executionId === undefined) return db.all<ExecutionRow>(ALL, id).map(toInfo);
  toPositiveId("listExecutions", "executionId", executionId);
  return db.all<ExecutionRow>(ONE, id, executionId).map(toInfo);
}

function toInfo(row: ExecutionRow): ExecutionInfo {
  return {
    executionId: row.execution_id,
    status: row.status,
    output: fromOptionalText(row.output),
    startedAtMs: row.started_at,
    ...(row.completed_at === null ? undefined : { completedAtMs: row.completed_at }),
    eventCount: row.events,
  };
}
