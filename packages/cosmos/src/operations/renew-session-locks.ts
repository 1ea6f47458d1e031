/** Extends the sessions of some owners that are valid and were active lately (docs/reference/provider-contract.md §11). */

import { later, type RenewSessionsOptions, toDurationMs } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { type SessionOwner, toOwner } from "../documents/session.ts";
import { readOwner, writeOwner } from "../leases/claim-session.ts";
import type { Memory } from "../memory/memory.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";

const OPERATION = "renewSessionLocks";

const QUERY = `SELECT * FROM c WHERE c.type = 'session_owner' AND ARRAY_CONTAINS(@owners, c.ownerId)
  AND c.lockedUntil > @now AND c.lastActivity > @active`;

export async function renewSessionLocks(
  service: Service,
  memory: Memory,
  options: RenewSessionsOptions,
): Promise<number> {
  const { ownerIds } = options;
  const extendMs = toDurationMs(OPERATION, "extendMs", options.extendMs);
  const idleTimeoutMs = toDurationMs(OPERATION, "idleTimeoutMs", options.idleTimeoutMs);
  if (ownerIds.length === 0 || idleTimeoutMs === 0) return 0;
  const { clock } = service;
  const call = service.call(OPERATION, WRITE_PATIENCE_MS);
  const nowMs = clock.now();
  const spec = {
    query: QUERY,
    parameters: [
      { name: "@owners", value: [...ownerIds] },
      { name: "@now", value: nowMs },
      { name: "@active", value: nowMs - idleTimeoutMs },
    ],
  };
  const isRenewable = ({ ownerId, lockedUntilMs }: SessionOwner): boolean =>
    ownerIds.includes(ownerId) && lockedUntilMs > nowMs;
  let renewed = 0;
  // A physical partition that throttles keeps its own sessions from being extended, and no others.
  await call.inEachRange(async (range) => {
    const sessions = await call.queryRange<Stored>(range, spec);
    const outcomes = await Promise.all(
      sessions.map((stored) => extend(memory, call, toOwner(stored), later(nowMs, extendMs), isRenewable)),
    );
    renewed += outcomes.filter((isRenewed) => isRenewed).length;
  });
  return renewed;
}

/** Whoever ends an activity of the session writes the same document at the same time. */
async function extend(
  memory: Memory,
  call: Call,
  found: SessionOwner,
  untilMs: number,
  isRenewable: (owner: SessionOwner) => boolean,
): Promise<boolean> {
  let owner: SessionOwner | undefined = found;
  while (owner !== undefined && isRenewable(owner)) {
    const lockedUntilMs = Math.max(owner.lockedUntilMs, untilMs);
    if ((await writeOwner(memory, call, { ...owner, lockedUntilMs })) !== undefined) return true;
    owner = await readOwner(memory, call, owner.sessionId);
  }
  return false;
}
