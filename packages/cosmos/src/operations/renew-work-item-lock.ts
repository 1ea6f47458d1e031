/**
 * Extends the lock of an activity (docs/reference/provider-contract.md §8.2, §10). That it is lost is how a worker learns
 * of a cancellation (hazard W33).
 */
import { later, type RenewOptions, saturatedNumber, toDurationMs } from "@duroxide-ts/core/stores";
import { parseActivityToken } from "../lock-token.ts";
import { type BatchOperation, type Body, written } from "../requests/batch.ts";
import { toBody } from "../schema/body.ts";
import { NOTES_FIELD } from "../schema/instance.ts";
import { type ActivityRow, notesOf, toActivityRow } from "../schema/rows.ts";
import { touchSession } from "../sessions/touch-session.ts";
import type { Store } from "../store/store.ts";
import { findActivityAgain, findValidActivity } from "../work/find-held-activity.ts";

const OPERATION = "renewWorkItemLock";

export async function renewWorkItemLock(
  store: Store,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const { requests, clock } = store;
  let held = await findValidActivity(store, requests.call(OPERATION, 1_000), token);
  const call = requests.call(OPERATION, held.lockedUntilMs - clock.now());
  for (;;) {
    const { instanceId, row } = held;
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(clock.now(), durationMs));
    const body: Body = {
      ...toBody(row.document),
      ...changes(row, options),
      lockedUntil: lockedUntilMs,
      visibleAt: lockedUntilMs,
    };
    const replace: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
    const outcome = await requests.batch(call, instanceId, [replace]);
    const renewed = outcome.ok
      ? toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], row.rid) })
      : (await findActivityAgain(store, call, token)).row;
    // After a lost answer the renewal may be this one, and must not change the attempts twice.
    const isDone =
      outcome.ok ||
      (outcome.repeated &&
        renewed.visibleAtMs === lockedUntilMs &&
        renewed.attempts === body["attemptCount"]);
    held = { ...held, row: renewed, lockedUntilMs: saturatedNumber(renewed.document.lockedUntil ?? 0) };
    if (!isDone) continue;
    store.activities.set(held);
    store.ready.add(renewed);
    await touchSession(store, held);
    return;
  }
}

function changes(row: ActivityRow, { ignoreAttempt = false, alone = false }: RenewOptions): Body {
  return {
    ...(ignoreAttempt && { attemptCount: Math.max(0, row.attempts - 1) }),
    ...(alone && { [NOTES_FIELD]: { ...notesOf(row.document), alone } }),
  };
}
