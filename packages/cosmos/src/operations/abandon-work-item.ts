/** Gives an activity back, to its place in the queue (docs/reference/provider-contract.md §10). */
import type { AbandonOptions } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseActivityToken } from "../lock-token.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import { written } from "../requests/batch.ts";
import { toBody } from "../schema/body.ts";
import { toActivityRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { findActivity, findActivityAgain } from "../work/find-held-activity.ts";

const OPERATION = "abandonWorkItem";

const PATIENCE_MS = 10_000;

export async function abandonWorkItem(
  store: Store,
  lockToken: string,
  { delayMs = 0, ignoreAttempt = false }: AbandonOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs);
  const { requests, clock } = store;
  const call = requests.call(OPERATION, PATIENCE_MS);
  let held = await findActivity(store, call, token);
  for (;;) {
    const { instanceId, row } = held;
    const { attemptCount } = row.document;
    const body: Body = {
      ...toBody(row.document),
      lockToken: null,
      lockedUntil: null,
      visibleAt: later(clock.now(), hiddenForMs),
      attemptCount: Math.max(0, attemptCount - (ignoreAttempt ? 1 : 0)),
    };
    const replace: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
    const outcome = await requests.batch(call, instanceId, [replace]);
    // After a lost answer the lock is gone because this call has given it back.
    if (outcome.ok || outcome.repeated) {
      store.activities.delete(held.secret);
      if (outcome.ok)
        store.ready.add(toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], row.rid) }));
      else store.ready.remove(row.id);
      break;
    }
    held = await findActivityAgain(store, call, token);
  }
  store.activitiesWanted.notify();
}
