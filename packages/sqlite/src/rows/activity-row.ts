/** An activity as a row of the worker queue. */
import { type ActivityExecute, invalidInput } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { encodeWorkItem, toInteger, toLane, toOptionalText, toText } from "./codec.ts";
import type { Requester } from "./instance-row.ts";

/** An activity ready to be inserted. */
export interface ActivityRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly lane: string;
  readonly sessionId: string | null;
  readonly workItem: string;
}

/** An activity whose item is known, so that a fetch in the same transaction need not decode it. */
export interface DecodedActivityRow extends ActivityRow {
  readonly item: ActivityExecute;
}

export function toActivityRow(operation: string, item: ActivityExecute): DecodedActivityRow {
  if (item.kind !== "ActivityExecute") {
    throw invalidInput(operation, "only an ActivityExecute belongs in the worker queue");
  }
  // First, because it refuses what the columns cannot hold.
  const workItem = encodeWorkItem(operation, item);
  return {
    instanceId: toText(item.instance),
    executionId: toInteger(item.execution_id),
    activityId: toInteger(item.id),
    lane: toLane(item.tag),
    sessionId: toOptionalText(item.session_id),
    workItem,
    item,
  };
}

export interface ActivityPlace {
  readonly queuedAtMs: number;
  /** Lock of a fetch that takes the activity in the same transaction, which is its first attempt. */
  readonly lock?: { readonly secret: string; readonly untilMs: number };
}

const INSERT = `INSERT INTO worker_queue (instance_key, execution_id, activity_id, lane, session_id,
  orchestration_name, orchestration_version, work_item, queued_at, due_at, lock_token, attempt_count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Returns the id of the row. */
export function insertActivity(
  db: Database,
  requester: Requester,
  row: ActivityRow,
  { queuedAtMs, lock }: ActivityPlace,
): number {
  return db.insert(
    INSERT,
    requester.instance_key,
    row.executionId,
    row.activityId,
    row.lane,
    row.sessionId,
    requester.orchestration_name,
    requester.orchestration_version,
    row.workItem,
    queuedAtMs,
    lock?.untilMs ?? 0,
    lock?.secret ?? null,
    lock === undefined ? 0 : 1,
  );
}
