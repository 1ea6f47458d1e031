/** Puts an activity into the worker queue (docs/reference/provider-contract.md §10). */
import type { ActivityExecute } from "@duroxide-ts/core";
import { invalidInput } from "@duroxide-ts/core/stores";
import { encodeWorkItem, toInteger, toLane, toOptionalText, toText } from "../codec.ts";
import type { Transaction, WriteOperation } from "../transaction.ts";
import type { Requester } from "../turn/instance-row.ts";

const FIND_INSTANCE = `SELECT instance_key, orchestration_name, orchestration_version
  FROM instances WHERE instance_id = ?`;

/** The instance need not exist; this row is the anchor by which cancellation and deletion find the activity. */
const ADD_INSTANCE = "INSERT INTO instances (instance_id, created_at, updated_at) VALUES (?1, ?2, ?2)";

const ADD_ACTIVITY = `INSERT INTO worker_queue (instance_key, execution_id, activity_id, lane, session_id,
  orchestration_name, orchestration_version, work_item) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** An activity ready to be inserted. */
export interface ActivityRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly lane: string;
  readonly sessionId: string | null;
  readonly workItem: string;
}

export function enqueueForWorker(item: ActivityExecute): WriteOperation<void> {
  const row = toActivityRow("enqueueForWorker", item);
  return (tx) => addActivity(tx, requesterOf(tx, row.instanceId), row);
}

export function toActivityRow(operation: string, item: ActivityExecute): ActivityRow {
  if (item.kind !== "ActivityExecute") {
    throw invalidInput(operation, "only an ActivityExecute belongs in the worker queue");
  }
  return {
    instanceId: toText(item.instance),
    executionId: toInteger(item.execution_id),
    activityId: toInteger(item.id),
    lane: toLane(item.tag),
    sessionId: toOptionalText(item.session_id),
    workItem: encodeWorkItem(operation, item),
  };
}

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
  );
  tx.effects.activities.add(tx.nowMs);
}
