/** The lease of an activity. The row contains its token. */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import { lockTokenOf } from "../documents/lean.ts";
import { toActivityRow } from "../documents/rows.ts";
import type { ActivityLease } from "../memory/held.ts";
import type { LeaseKind } from "./lease.ts";
import type { ActivityToken } from "./lock-token.ts";

export const ACTIVITY_LEASE: LeaseKind<ActivityLease, ActivityToken> = {
  held: ({ heldActivities }) => heldActivities,
  tokenOf: ({ instanceId, secret, row }) => ({ instanceId, secret, rowId: row.id }),
  async read(work, { instanceId, rowId, secret }) {
    const stored = await work.read(instanceId, rowId);
    if (stored === undefined || lockTokenOf(stored) !== secret) return undefined;
    const row = toActivityRow(stored);
    return { instanceId, secret, row, lockedUntilMs: saturatedNumber(row.document.lockedUntil ?? 0) };
  },
  forget: ({ memory }, { row }) => memory.activities.remove(row.id),
};
