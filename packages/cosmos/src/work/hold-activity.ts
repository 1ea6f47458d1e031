/** The lock of an activity, and what its holder gets to work on. */
import { type FetchedWork, saturatedNumber } from "@duroxide-ts/core/stores";
import { formatActivityToken } from "../lock-token.ts";
import type { Body } from "../requests/batch.ts";
import { toBlocked } from "../schema/blocked.ts";
import { type ActivityRow, notesOf } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";

/** Hidden until the lock ends, so that what is being worked on is in nobody's way (docs/decisions/0013). */
export function lockedBody(row: Body, secret: string, lockedUntilMs: number): Body {
  return {
    ...row,
    lockToken: secret,
    lockedUntil: lockedUntilMs,
    visibleAt: lockedUntilMs,
    attemptCount: Number(row["attemptCount"]) + 1,
  };
}

/** `row` as the lock wrote it. */
export function holdActivity(store: Store, row: ActivityRow, secret: string): FetchedWork {
  const { instanceId, lockedUntil, executionId, activityId } = row.document;
  const lockedUntilMs = saturatedNumber(lockedUntil ?? 0);
  store.activities.set({ instanceId, secret, row, lockedUntilMs });
  // Should nobody come back for it, it is here again.
  store.ready.add(row);
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
    ...(alone === true && { ranAlone: true }),
    ...(blocked !== undefined && { blocked: toBlocked({ instanceId, ...ids, blocked }) }),
    ...(orchestration !== undefined && { orchestration }),
  };
}
