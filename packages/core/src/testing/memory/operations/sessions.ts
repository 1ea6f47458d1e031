/** Renews, touches and removes sessions (docs/reference/provider-contract.md §11). */
import type { RenewSessionsOptions } from "../../../contract/provider.ts";
import { toDurationMs } from "../../../stores/arguments.ts";
import type { Store } from "../store.ts";

/** Extends unexpired sessions that were active recently, never shortens one, and never renews an expired one. */
export function renewSessionLocks(store: Store, { ownerIds, ...options }: RenewSessionsOptions): number {
  const extendMs = toDurationMs("renewSessionLocks", "extendMs", options.extendMs);
  const idleTimeoutMs = toDurationMs("renewSessionLocks", "idleTimeoutMs", options.idleTimeoutMs);
  const nowMs = store.clock.now();
  const renewed = [...store.sessions.values()].filter(
    ({ ownerId, lockedUntilMs, lastActivityAtMs }) =>
      ownerIds.includes(ownerId) && lockedUntilMs > nowMs && lastActivityAtMs > nowMs - idleTimeoutMs,
  );
  for (const session of renewed) {
    session.lockedUntilMs = Math.max(session.lockedUntilMs, nowMs + extendMs);
  }
  return renewed.length;
}

/** Removes expired sessions that no activity refers to, locked or not. */
export function cleanupOrphanedSessions(store: Store): number {
  const nowMs = store.clock.now();
  const needed = new Set(store.activities.map(({ sessionId }) => sessionId));
  let removed = 0;
  for (const [sessionId, { lockedUntilMs }] of store.sessions) {
    if (lockedUntilMs >= nowMs || needed.has(sessionId)) continue;
    store.sessions.delete(sessionId);
    removed++;
  }
  return removed;
}

/** Marks an unexpired session as active, because one of its activities was fetched or acknowledged. */
export function touchSession(store: Store, sessionId: string | undefined, nowMs: number): void {
  const session = sessionId === undefined ? undefined : store.sessions.get(sessionId);
  if (session !== undefined && session.lockedUntilMs > nowMs) session.lastActivityAtMs = nowMs;
}
