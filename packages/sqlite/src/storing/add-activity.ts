/** Adds activities to the worker queue, each with columns of its instance. */
import type { Transaction } from "../commit/transaction.ts";
import { holdInstance, PERMIT_LANE } from "../limits/admit.ts";
import { joinQueue } from "../limits/queues.ts";
import {
  type ActivityRow,
  type DecodedActivityRow,
  insertActivity,
  insertRanked,
} from "../rows/activity-row.ts";
import type { Requester } from "../rows/instance-row.ts";

const FIND_INSTANCE = `SELECT instance_key, orchestration_name, orchestration_version
  FROM instances WHERE instance_id = ?`;

/** The instance need not exist; this row is the anchor by which cancellation and deletion find the activity. */
const ADD_INSTANCE = "INSERT INTO instances (instance_id, created_at, updated_at) VALUES (?1, ?2, ?2)";

export function requesterOf(tx: Transaction, instanceId: string): Requester {
  const known = tx.db.get<Requester>(FIND_INSTANCE, instanceId);
  if (known !== undefined) return known;
  const instanceKey = tx.db.insert(ADD_INSTANCE, instanceId, tx.nowMs);
  return { instance_key: instanceKey, orchestration_name: null, orchestration_version: null };
}

/** Adds an activity that a turn of its own instance schedules; it may stay unwritten for a while (open-activities.ts). */
export function addOwnActivity(tx: Transaction, requester: Requester, row: DecodedActivityRow): void {
  if (row.sessionId !== null || row.limitKey !== null) {
    addActivity(tx, requester, row);
    return;
  }
  tx.effects.newActivities.add({ requester, row });
  tx.effects.activities.add(tx.nowMs);
}

export function addActivity(tx: Transaction, requester: Requester, row: ActivityRow): void {
  tx.effects.newActivities.writeAll(tx.db);
  const { limitKey, lane, priority } = row;
  if (limitKey !== null) {
    insertRanked(tx.db, requester, row, tx.nowMs);
    joinQueue(tx, { limit_key: limitKey, lane, priority, queued_at: tx.nowMs });
    if (lane === PERMIT_LANE) holdInstance(tx, requester.instance_key, limitKey);
    return;
  }
  insertActivity(tx.db, requester, row, { queuedAtMs: tx.nowMs });
  tx.effects.activities.add(tx.nowMs);
}
