/** Extends the sessions of some owners that are valid and were active lately (docs/reference/provider-contract.md §11). */
import { later, type RenewSessionsOptions, toDurationMs } from "@duroxide-ts/core/stores";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { readOwner, type SessionOwner, toOwner, writeOwner } from "../sessions/claim-session.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "renewSessionLocks";

const PATIENCE_MS = 10_000;

const QUERY = `SELECT * FROM c WHERE c.type = 'session_owner' AND ARRAY_CONTAINS(@owners, c.ownerId)
  AND c.lockedUntil > @now AND c.lastActivity > @active`;

export async function renewSessionLocks(store: Store, options: RenewSessionsOptions): Promise<number> {
  const { ownerIds } = options;
  const extendMs = toDurationMs(OPERATION, "extendMs", options.extendMs);
  const idleTimeoutMs = toDurationMs(OPERATION, "idleTimeoutMs", options.idleTimeoutMs);
  if (ownerIds.length === 0 || idleTimeoutMs === 0) return 0;
  const { requests, clock } = store;
  const call = requests.call(OPERATION, PATIENCE_MS);
  const nowMs = clock.now();
  const sessions = await requests.queryAll<Stored>(call, {
    query: QUERY,
    parameters: [
      { name: "@owners", value: [...ownerIds] },
      { name: "@now", value: nowMs },
      { name: "@active", value: nowMs - idleTimeoutMs },
    ],
  });
  const isRenewable = ({ ownerId, lockedUntilMs }: SessionOwner): boolean =>
    ownerIds.includes(ownerId) && lockedUntilMs > nowMs;
  const renewed = await Promise.all(
    sessions.map((stored) => extend(store, call, toOwner(stored), later(nowMs, extendMs), isRenewable)),
  );
  return renewed.filter((isRenewed) => isRenewed).length;
}

/** Whoever ends an activity of the session writes the same document at the same time. */
async function extend(
  store: Store,
  call: Call,
  found: SessionOwner,
  untilMs: number,
  isRenewable: (owner: SessionOwner) => boolean,
): Promise<boolean> {
  let owner: SessionOwner | undefined = found;
  while (owner !== undefined && isRenewable(owner)) {
    const lockedUntilMs = Math.max(owner.lockedUntilMs, untilMs);
    if ((await writeOwner(store, call, { ...owner, lockedUntilMs })) !== undefined) return true;
    owner = await readOwner(store, call, owner.sessionId);
  }
  return false;
}
