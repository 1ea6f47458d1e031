/**
 * Extends the lock of an activity (docs/reference/provider-contract.md §8.2, §10). A lost lock tells the worker that the
 * activity was cancelled (hazard W33).
 */
import { later, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { type ActivityRow, notesOf, toActivityRow } from "../documents/rows.ts";
import { ACTIVITY_LEASE } from "../leases/activity-lease.ts";
import { lockedFor } from "../leases/hold-activity.ts";
import { findValidLease, write, writeUnder } from "../leases/lease.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { renewMirror } from "../leases/session-mirror.ts";
import { touchSession } from "../leases/touch-session.ts";
import { keepShare } from "../limits/keep-share.ts";
import type { ActivityLease } from "../memory/held.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { FIND_LOCK_MS } from "../memory/waits.ts";
import { written } from "../service/batch.ts";

const OPERATION = "renewWorkItemLock";

export async function renewWorkItemLock(
  parts: Parts,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const finding = new Work(parts, OPERATION, FIND_LOCK_MS);
  const lease = await findValidLease(ACTIVITY_LEASE, finding, token);
  const work = new Work(parts, OPERATION, lease.lockedUntilMs - parts.clock.now());
  const outcome = await writeUnder(ACTIVITY_LEASE, work, lease, async (held) => {
    const { instanceId, row } = held;
    const stored = toBody(row.document);
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(parts.clock.now(), durationMs));
    await keepShare(work, row.item, durationMs);
    const body: Body = {
      ...stored,
      ...changes(row, options),
      ...lockedFor(stored, lockedUntilMs),
    };
    return write<ActivityLease>(work, {
      partition: instanceId,
      operations: [{ kind: "replace", id: row.id, body, ifMatch: row.etag }],
      stored: ({ etags: [etag] }) => {
        return {
          ...held,
          lockedUntilMs,
          row: toActivityRow({ ...body, id: row.id, ...written(etag, row.rid) }),
        };
      },
      // An earlier attempt may have stored this renewal, which must not change the attempts twice.
      async storedBefore() {
        const now = await ACTIVITY_LEASE.read(work, token);
        const isThis = now?.row.visibleAtMs === lockedUntilMs && now.row.attempts === body["attemptCount"];
        return isThis ? now : undefined;
      },
    });
  });
  if (outcome.kind !== "done") return;
  parts.memory.heldActivities.set(outcome.value);
  parts.memory.activities.put(outcome.value.row);
  parts.memory.permits.extended(outcome.value.row.id, outcome.value.lockedUntilMs);
  await renewMirror(parts, outcome.value);
  await touchSession(parts, outcome.value);
}

function changes(row: ActivityRow, { ignoreAttempt = false, alone = false }: RenewOptions): Body {
  const notes = notesOf(row.document);
  return {
    ...(ignoreAttempt && { attemptCount: Math.max(0, row.attempts - 1) }),
    ...(alone && { [NOTES_FIELD]: { ...notes, alone: Number(notes.alone ?? 0) + 1 } }),
  };
}
