/** Adds an activity to the worker queue (docs/reference/provider-contract.md §10). */
import { type ActivityExecute, checkItem, invalidInput } from "@duroxide-ts/core/stores";
import { newRow } from "../commit/new-row.ts";
import { checkWorkItem } from "../documents/encode.ts";
import { rankedBy } from "../documents/ranked.ts";
import { receiptBody } from "../documents/receipt.ts";
import { activityBody, toActivityRow } from "../documents/rows.ts";
import { markRanked } from "../limits/mark.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import { written } from "../service/batch.ts";

const OPERATION = "enqueueForWorker";

export async function enqueueForWorker(parts: Parts, item: ActivityExecute): Promise<void> {
  checkItem(OPERATION, item);
  if (item.kind !== "ActivityExecute")
    throw invalidInput(OPERATION, "only an ActivityExecute belongs in the worker queue");
  checkWorkItem(OPERATION, item);
  const instanceId = item.instance.toWellFormed();
  const row = newRow(parts, instanceId, item, { nowMs: parts.clock.now() });
  const body = activityBody(row, undefined);
  const work = new Work(parts, OPERATION, WRITE_PATIENCE_MS);
  if (rankedBy(item) !== undefined) await markRanked(work);
  // With a receipt the row is created once, also if it was completed before the retry after a lost answer.
  const receipt = receiptBody(row.id, instanceId, instanceId);
  const outcome = await work.batch(instanceId, [
    { kind: "create", body },
    { kind: "create", body: receipt },
  ]);
  if (outcome.ok) {
    parts.memory.activities.put(
      toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], outcome.rids[0]) }),
    );
  }
  parts.memory.waitingForActivities.notify();
}
