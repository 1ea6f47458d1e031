/** Releases an activity, which keeps its place in the queue (docs/reference/provider-contract.md §8.1, §10). */
import { type BlockedReason, later } from "@duroxide-ts/core/stores";
import { blockedAgain } from "../documents/blocked.ts";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { isRankedAt } from "../documents/ranked.ts";
import { type ActivityRow, notesOf, toActivityRow } from "../documents/rows.ts";
import type { Work } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import { written } from "../service/batch.ts";
import { ACTIVITY_LEASE } from "./activity-lease.ts";
import { findLease, write, writeUnder } from "./lease.ts";
import type { ActivityToken } from "./lock-token.ts";

export interface GiveBackOptions {
  readonly hiddenForMs: number;
  readonly ignoreAttempt: boolean;
  /** Why this process cannot run it; `as before` keeps the stored reason. */
  readonly blocked: BlockedReason | "as before" | undefined;
}

/** Throws `lock-lost` if another fetch has locked it. */
export async function giveBackActivity(
  work: Work,
  token: ActivityToken,
  { hiddenForMs, ignoreAttempt, blocked }: GiveBackOptions,
): Promise<void> {
  const { memory } = work;
  const visibleAt = later(work.clock.now(), hiddenForMs);
  const lease = await findLease(ACTIVITY_LEASE, work, token);
  const outcome = await writeUnder(ACTIVITY_LEASE, work, lease, ({ instanceId, row }) => {
    const nowMs = work.clock.now();
    const body: Body = {
      ...toBody(row.document),
      lockToken: null,
      ...(isRankedAt(row.document.visibleAt)
        ? { lockedUntil: hiddenForMs > 0 ? visibleAt : null }
        : { lockedUntil: null, visibleAt }),
      attemptCount: Math.max(0, row.document.attemptCount - (ignoreAttempt ? 1 : 0)),
      ...(blocked !== "as before" && notedBlocked(row, blocked, { nowMs, nextTryAtMs: visibleAt })),
    };
    return write<ActivityRow | "unknown">(work, {
      partition: instanceId,
      operations: [{ kind: "replace", id: row.id, body, ifMatch: row.etag }],
      stored: ({ etags: [etag] }) => toActivityRow({ ...body, id: row.id, ...written(etag, row.rid) }),
      // An earlier attempt of this call has released the lock.
      storedBefore: () => "unknown",
    });
  });
  memory.heldActivities.delete(token.secret);
  memory.permits.end(token.rowId);
  if (outcome.kind === "done" && outcome.value !== "unknown") memory.activities.put(outcome.value);
  else memory.activities.remove(token.rowId);
  const isInVain = !ignoreAttempt || typeof blocked === "object";
  if (hiddenForMs > 0 && isInVain) memory.activities.left.add(token.rowId, visibleAt);
  memory.waitingForActivities.notify();
}

/** A row without notes stays without them. */
function notedBlocked(
  row: ActivityRow,
  reason: BlockedReason | undefined,
  times: { readonly nowMs: number; readonly nextTryAtMs: number },
): Body {
  const { blocked: before, ...notes } = notesOf(row.document);
  if (reason === undefined) return before === undefined ? {} : { [NOTES_FIELD]: notes };
  const blocked = { ...blockedAgain(before, reason, times), name: row.item.name };
  return { [NOTES_FIELD]: { ...notes, blocked } };
}

/** Undoes the fetch: for a lock whose fetch has failed or was aborted. */
export async function undoActivity(work: Work, token: ActivityToken): Promise<void> {
  const asBefore = { hiddenForMs: 0, ignoreAttempt: true, blocked: "as before" } as const;
  try {
    await giveBackActivity(work.within(BEST_EFFORT_MS), token, asBefore);
  } catch (error) {
    if (!isRefusal(error)) return;
    const { instanceId } = token;
    work.service.warn(`the lock of an activity is not given back, and ends by itself: ${error.detail}`, {
      instanceId,
    });
  }
}
