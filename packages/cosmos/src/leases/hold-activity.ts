/** The lock of an activity, and the fetched work that its holder gets. */
import { type FetchedWork, saturatedNumber } from "@duroxide-ts/core/stores";
import { toBlocked } from "../documents/blocked.ts";
import type { Body } from "../documents/body.ts";
import { isRankedAt } from "../documents/ranked.ts";
import { type ActivityRow, notesOf } from "../documents/rows.ts";
import type { Parts } from "../memory/parts.ts";
import { formatActivityToken } from "./lock-token.ts";

/** Hidden until the lock ends, so that queries do not return running activities (docs/decisions/cosmos-turns.md). */
export function lockedBody(row: Body, secret: string, lockedUntilMs: number): Body {
  return {
    ...row,
    lockToken: secret,
    ...lockedFor(row, lockedUntilMs),
    attemptCount: Number(row["attemptCount"]) + 1,
  };
}

/** A ranked row keeps its place (documents/ranked.ts). */
export function lockedFor({ visibleAt }: Body, lockedUntilMs: number): Body {
  return { lockedUntil: lockedUntilMs, visibleAt: isRankedAt(visibleAt) ? visibleAt : lockedUntilMs };
}

/** `row` is the row with the lock. `takeover`: this process has created it with the lock. */
export function holdActivity(
  { memory }: Parts,
  row: ActivityRow,
  secret: string,
  takeover?: "possible",
): FetchedWork {
  const { instanceId, lockedUntil, executionId, activityId, enqueuedAt } = row.document;
  const lockedUntilMs = saturatedNumber(lockedUntil ?? 0);
  memory.heldActivities.set({ instanceId, secret, row, lockedUntilMs, takeover });
  // When the lock ends without an acknowledgement, the row is a candidate again.
  memory.activities.put(row);
  memory.permits.extended(row.id, lockedUntilMs);
  const { orchestration, blocked, alone } = notesOf(row.document);
  const ids = {
    executionId: saturatedNumber(executionId ?? 0),
    activityId: saturatedNumber(activityId ?? 0),
  };
  return {
    item: row.item,
    lockToken: formatActivityToken({ instanceId, rowId: row.id, secret }),
    attemptCount: row.attempts,
    lockedUntilMs,
    ...(takeover === undefined && { queuedAtMs: saturatedNumber(enqueuedAt) }),
    ...(alone !== undefined && { loneRuns: Number(alone) }),
    ...(blocked !== undefined && { blocked: toBlocked({ instanceId, ...ids, blocked }) }),
    ...(orchestration !== undefined && { orchestration }),
  };
}
