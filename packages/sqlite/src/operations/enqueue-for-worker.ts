/** Adds an activity to the worker queue (docs/reference/provider-contract.md §10). */
import type { ActivityExecute } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toActivityRow } from "../rows/activity-row.ts";
import { addActivity, requesterOf } from "../storing/add-activity.ts";

export function enqueueForWorker(item: ActivityExecute): WriteOperation<void> {
  const row = toActivityRow("enqueueForWorker", item);
  return (tx) => addActivity(tx, requesterOf(tx, row.instanceId), row);
}
