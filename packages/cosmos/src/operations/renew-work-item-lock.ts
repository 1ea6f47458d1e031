/**
 * Extends the lock of an activity (docs/reference/provider-contract.md §8.2, §10). That it is lost is how a worker learns
 * of a cancellation (hazard W33).
 */

import type { RenewOptions } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { type ActivityRow, notesOf, toActivityRow } from "../documents/rows.ts";
import { findActivityAgain, findValidActivity } from "../leases/find-held-activity.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { touchSession } from "../leases/touch-session.ts";
import type { Memory } from "../memory/memory.ts";
import { FIND_LOCK_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { written } from "../service/batch.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "renewWorkItemLock";

export async function renewWorkItemLock(
  service: Service,
  memory: Memory,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const { clock } = service;
  let held = await findValidActivity(service, memory, service.call(OPERATION, FIND_LOCK_MS), token);
  const call = service.call(OPERATION, held.lockedUntilMs - clock.now());
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
    const outcome = await service.batch(call, instanceId, [replace]);
    const renewed = outcome.ok
      ? toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], row.rid) })
      : (await findActivityAgain(service, memory, call, token)).row;
    // After a lost answer the renewal may be this one, and must not change the attempts twice.
    const isDone =
      outcome.ok ||
      (outcome.repeated &&
        renewed.visibleAtMs === lockedUntilMs &&
        renewed.attempts === body["attemptCount"]);
    held = { ...held, row: renewed, lockedUntilMs: saturatedNumber(renewed.document.lockedUntil ?? 0) };
    if (!isDone) continue;
    memory.heldActivities.set(held);
    memory.activities.put(renewed);
    await touchSession(service, memory, held);
    return;
  }
}

function changes(row: ActivityRow, { ignoreAttempt = false, alone = false }: RenewOptions): Body {
  return {
    ...(ignoreAttempt && { attemptCount: Math.max(0, row.attempts - 1) }),
    ...(alone && { [NOTES_FIELD]: { ...notesOf(row.document), alone } }),
  };
}
