/** Adds activities to the worker queue, each with columns of its instance. */
import type { Transaction } from "../commit/transaction.ts";
import type { ActivityRow } from "../rows/activity-row.ts";
import type { Requester } from "../rows/instance-row.ts";

const FIND_INSTANCE = `SELECT instance_key, orchestration_name, orchestration_version
  FROM instances WHERE instance_id = ?`;

/** The instance need not exist; this row is the anchor by which cancellation and deletion find the activity. */
const ADD_INSTANCE = "INSERT INTO instances (instance_id, created_at, updated_at) VALUES (?1, ?2, ?2)";

const ADD_ACTIVITY = `INSERT INTO worker_queue (instance_key, execution_id, activity_id, lane, session_id,
  orchestration_name, orchestration_version, work_item, queued_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function requesterOf(tx: Transaction, instanceId: string): Requester {
  const known = tx.db.get<Requester>(FIND_INSTANCE, instanceId);
  if (known !== undefined) return known;
  const instanceKey = tx.db.insert(ADD_INSTANCE, instanceId, tx.nowMs);
  return { instance_key: instanceKey, orchestration_name: null, orchestration_version: null };
}

export function addActivity(tx: Transaction, requester: Requester, row: ActivityRow): void {
  tx.db.run(
    ADD_ACTIVITY,
    requester.instance_key,
    row.executionId,
    row.activityId,
    row.lane,
    row.sessionId,
    requester.orchestration_name,
    requester.orchestration_version,
    row.workItem,
    tx.nowMs,
  );
  tx.effects.activities.add(tx.nowMs);
}
