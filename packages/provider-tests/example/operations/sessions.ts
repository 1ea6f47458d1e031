/** Sessions: which worker gets the activities that belong together (§11). */
import type { RenewSessionsOptions, SessionClaim } from "@duroxide-ts/core";
import { requireDurations } from "../input.ts";
import { isValid, type Moment } from "../tables.ts";

/** A session is open to its owner, and to all who would claim it when it has none or has expired. */
export function isOpenTo(
  { tables, nowMs }: Moment,
  sessionId: string | undefined,
  claim: SessionClaim | undefined,
): boolean {
  if (sessionId === undefined) return true;
  const session = tables.sessions.get(sessionId);
  return claim !== undefined && (!isValid(session, nowMs) || session.ownerId === claim.ownerId);
}

export function claimSession({ tables, nowMs }: Moment, sessionId: string, claim: SessionClaim): void {
  const untilMs = nowMs + claim.lockTimeoutMs;
  tables.sessions.set(sessionId, { ownerId: claim.ownerId, untilMs, lastActivityMs: nowMs });
}

/** Completing or renewing an activity shows that its session is in use. An expired session stays expired. */
export function touchSession({ tables, nowMs }: Moment, sessionId: string | undefined): void {
  const session = sessionId === undefined ? undefined : tables.sessions.get(sessionId);
  if (isValid(session, nowMs)) session.lastActivityMs = nowMs;
}

export function renewSessionLocks(
  { tables, nowMs }: Moment,
  { ownerIds, extendMs, idleTimeoutMs }: RenewSessionsOptions,
): number {
  requireDurations("renewSessionLocks", { extendMs, idleTimeoutMs });
  const renewed = [...tables.sessions.values()].filter(
    (session) =>
      ownerIds.includes(session.ownerId) &&
      isValid(session, nowMs) &&
      session.lastActivityMs > nowMs - idleTimeoutMs,
  );
  for (const session of renewed) session.untilMs = Math.max(session.untilMs, nowMs + extendMs);
  return renewed.length;
}

/** An expired session goes when no activity, locked or not, refers to it. */
export function cleanupOrphanedSessions({ tables, nowMs }: Moment): number {
  const used = new Set([...tables.workerQueue].map(({ sessionId }) => sessionId));
  const orphaned = [...tables.sessions].filter(([id, session]) => !isValid(session, nowMs) && !used.has(id));
  for (const [id] of orphaned) tables.sessions.delete(id);
  return orphaned.length;
}
