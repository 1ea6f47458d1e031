/** An activity as a row of the worker queue. */
import { type ActivityExecute, DEFAULT_PRIORITY, invalidInput } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { encodeWorkItem, NO_KEY, RANKED_AT, toInteger, toLane, toOptionalText, toText } from "./codec.ts";
import type { Requester } from "./instance-row.ts";

/** An activity ready to be inserted. */
export interface ActivityRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly lane: string;
  readonly sessionId: string | null;
  /** The key of its limits (limits/queues.ts). */
  readonly limitKey: string | null;
  readonly priority: number;
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
  const priority = item.priority === undefined ? DEFAULT_PRIORITY : toInteger(item.priority);
  return {
    instanceId: toText(item.instance),
    executionId: toInteger(item.execution_id),
    activityId: toInteger(item.id),
    lane: toLane(item.tag),
    sessionId: toOptionalText(item.session_id),
    limitKey: limitKeyOf(item, priority),
    priority,
    workItem,
    item,
  };
}

/** A worker takes the activities of its session in their order, so these have no place among others. */
function limitKeyOf({ session_id, limit }: ActivityExecute, priority: number): string | null {
  const isRanked = session_id === undefined && (limit !== undefined || priority !== DEFAULT_PRIORITY);
  return isRanked ? toText(limit ?? NO_KEY) : null;
}

export interface ActivityPlace {
  readonly queuedAtMs: number;
  /** Lock of a fetch that takes the activity in the same transaction, which is its first attempt. */
  readonly lock?: { readonly secret: string; readonly untilMs: number };
}

const INSERT = `INSERT INTO worker_queue (instance_key, execution_id, activity_id, lane, session_id,
  orchestration_name, orchestration_version, work_item, queued_at, due_at, lock_token, attempt_count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_RANKED = `INSERT INTO worker_queue (instance_key, execution_id, activity_id, lane,
  orchestration_name, orchestration_version, work_item, queued_at, due_at, limit_key, priority)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${RANKED_AT}, ?, ?)`;

/** Adds one that waits with others of its key. */
export function insertRanked(db: Database, requester: Requester, row: ActivityRow, queuedAtMs: number): void {
  db.insert(
    INSERT_RANKED,
    requester.instance_key,
    row.executionId,
    row.activityId,
    row.lane,
    requester.orchestration_name,
    requester.orchestration_version,
    row.workItem,
    queuedAtMs,
    row.limitKey,
    row.priority,
  );
}

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
