/** Extends the lock of an activity. That it is lost is how a worker learns of a cancellation (hazard W33). */

import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseActivityToken } from "../lock-token.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import { written } from "../requests/batch.ts";
import { toBody } from "../schema/body.ts";
import { toActivityRow } from "../schema/rows.ts";
import { touchSession } from "../sessions/touch-session.ts";
import type { Store } from "../store/store.ts";
import { findActivityAgain, findValidActivity } from "../work/find-held-activity.ts";

const OPERATION = "renewWorkItemLock";

export async function renewWorkItemLock(store: Store, lockToken: string, extendMs: number): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const { requests, clock } = store;
  let held = await findValidActivity(store, requests.call(OPERATION, 1_000), token);
  const call = requests.call(OPERATION, held.lockedUntilMs - clock.now());
  for (;;) {
    const { instanceId, row } = held;
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(clock.now(), durationMs));
    const body: Body = { ...toBody(row.document), lockedUntil: lockedUntilMs, visibleAt: lockedUntilMs };
    const replace: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
    const outcome = await requests.batch(call, instanceId, [replace]);
    if (outcome.ok) {
      const renewed = toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], row.rid) });
      store.activities.set({ ...held, row: renewed, lockedUntilMs });
      store.ready.add(renewed);
      await touchSession(store, held);
      return;
    }
    held = await findActivityAgain(store, call, token);
  }
}
