/** Puts an activity into the worker queue (docs/reference/provider-contract.md §10). */
import { type ActivityExecute, invalidInput } from "@duroxide-ts/core/stores";
import { checkWorkItem } from "../encode.ts";
import { receiptBody } from "../outbox/receipt.ts";
import { written } from "../requests/batch.ts";
import { activityBody, toActivityRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "enqueueForWorker";

const PATIENCE_MS = 10_000;

export async function enqueueForWorker(store: Store, item: ActivityExecute): Promise<void> {
  if (item.kind !== "ActivityExecute")
    throw invalidInput(OPERATION, "only an ActivityExecute belongs in the worker queue");
  checkWorkItem(OPERATION, item);
  const { requests, clock, random } = store;
  const instanceId = item.instance.toWellFormed();
  const row = {
    id: random.uuid(),
    instanceId,
    item,
    visibleAtMs: clock.now(),
    enqueuedAtMs: clock.now(),
    sequence: store.nextSequence(),
  };
  const body = activityBody(row, undefined);
  const call = requests.call(OPERATION, PATIENCE_MS);
  // Beside a receipt the row comes once, also where it was done and gone before a lost answer is asked for again.
  const receipt = receiptBody(row.id, instanceId, instanceId);
  const outcome = await requests.batch(call, instanceId, [
    { kind: "create", body },
    { kind: "create", body: receipt },
  ]);
  if (outcome.ok) {
    store.ready.add(toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], outcome.rids[0]) }));
  }
  store.activitiesWanted.notify();
}
