/** The executions of an instance. Only records count, because history may exist before the instance has a name. */
import {
  type ExecutionInfo,
  type ExecutionStatus,
  ProviderError,
  toPositiveId,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromOptionalText, toText } from "../rows/codec.ts";

const LIST = `SELECT e.execution_id FROM instances AS i
  JOIN executions AS e ON e.instance_key = i.instance_key
  WHERE i.instance_id = ? ORDER BY e.execution_id`;

const LATEST = "SELECT execution_id FROM instances WHERE instance_id = ? AND execution_id > 0";

const INFO = `SELECT e.status, e.output, e.started_at, e.completed_at,
    (SELECT count(*) FROM history AS h
      WHERE h.instance_key = e.instance_key AND h.execution_id = e.execution_id) AS events
  FROM instances AS i JOIN executions AS e ON e.instance_key = i.instance_key
  WHERE i.instance_id = ? AND e.execution_id = ?`;

interface ExecutionRow {
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly started_at: number;
  readonly completed_at: number | null;
  readonly events: number;
}

export function listExecutions(db: Database, instanceId: string): readonly number[] {
  return db.all<{ execution_id: number }>(LIST, toText(instanceId)).map((row) => row.execution_id);
}

export function latestExecutionId(db: Database, instanceId: string): number {
  return db.get<{ execution_id: number }>(LATEST, toText(instanceId))?.execution_id ?? 1;
}

export function getExecutionInfo(db: Database, instanceId: string, executionId: number): ExecutionInfo {
  toPositiveId("getExecutionInfo", "executionId", executionId);
  const row = db.get<ExecutionRow>(INFO, toText(instanceId), executionId);
  if (row === undefined) throw ProviderError.notFound("getExecutionInfo", instanceId, executionId);
  return {
    executionId,
    status: row.status,
    output: fromOptionalText(row.output),
    startedAtMs: row.started_at,
    ...(row.completed_at === null ? undefined : { completedAtMs: row.completed_at }),
    eventCount: row.events,
  };
}
