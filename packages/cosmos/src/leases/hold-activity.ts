/** The lock of an activity, and what its holder gets to work on. */
import { type FetchedWork, saturatedNumber } from "@duroxide-ts/core/stores";
import { toBlocked } from "../documents/blocked.ts";
import type { Body } from "../documents/body.ts";
import { type ActivityRow, notesOf } from "../documents/rows.ts";
import type { Memory } from "../memory/memory.ts";
import { formatActivityToken } from "./lock-token.ts";

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
export function holdActivity(memory: Memory, row: ActivityRow, secret: string): FetchedWork {
  const { instanceId, lockedUntil, executionId, activityId } = row.document;
  const lockedUntilMs = saturatedNumber(lockedUntil ?? 0);
  memory.heldActivities.set({ instanceId, secret, row, lockedUntilMs });
  // Should nobody come back for it, it is here again.
  memory.activities.put(row);
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
    ...(alone !== undefined && { loneRuns: Number(alone) }),
    ...(blocked !== undefined && { blocked: toBlocked({ instanceId, ...ids, blocked }) }),
    ...(orchestration !== undefined && { orchestration }),
  };
}
