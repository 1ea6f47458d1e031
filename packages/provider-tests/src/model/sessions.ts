/** Sessions: the owner that may have their activities, and for how long (docs/reference/provider-contract.md §11). */
import type { RenewSessionsOptions, SessionClaim } from "@duroxide-ts/core/stores";
import { type Expectation, returns } from "./expectation.ts";
import { type Session, type State, withEntry } from "./state.ts";

/** Returns whether a fetch may take work of a session: that of its owner until its lock ends, then the next one. */
export function acceptsSession(
  { sessions, nowMs }: State,
  claim: SessionClaim | undefined,
  sessionId: string | undefined,
): boolean {
  if (sessionId === undefined) return true;
  if (claim === undefined) return false;
  const session = sessions.get(sessionId);
  return session === undefined || session.lockedUntilMs <= nowMs || session.ownerId === claim.ownerId;
}

export function claimSession(
  state: State,
  { ownerId, lockTimeoutMs }: SessionClaim,
  sessionId: string | undefined,
): State {
  if (sessionId === undefined) return state;
  const session = { ownerId, lockedUntilMs: state.nowMs + lockTimeoutMs, lastActivityAtMs: state.nowMs };
  return { ...state, sessions: withEntry(state.sessions, sessionId, session) };
}

/** Marks an unexpired session as active, because one of its activities was fetched or acknowledged. */
export function touchSession(state: State, sessionId: string | undefined): State {
  const session = sessionId === undefined ? undefined : state.sessions.get(sessionId);
  if (sessionId === undefined || session === undefined || session.lockedUntilMs <= state.nowMs) return state;
  const touched = { ...session, lastActivityAtMs: state.nowMs };
  return { ...state, sessions: withEntry(state.sessions, sessionId, touched) };
}

/** Extends unexpired, active sessions, shortens none, and never extends an expired one. */
export function renewSessionLocks(
  state: State,
  { ownerIds, extendMs, idleTimeoutMs }: RenewSessionsOptions,
): Expectation {
  const { nowMs } = state;
  const isRenewed = ({ ownerId, lockedUntilMs, lastActivityAtMs }: Session): boolean =>
    ownerIds.includes(ownerId) && lockedUntilMs > nowMs && lastActivityAtMs > nowMs - idleTimeoutMs;
  const renewed = [...state.sessions].filter(([, session]) => isRenewed(session));
  if (renewed.length === 0) return returns(0, state);
  const extended = renewed.map(([id, session]) => {
    const lockedUntilMs = Math.max(session.lockedUntilMs, nowMs + extendMs);
    return [id, { ...session, lockedUntilMs }] as const;
  });
  return returns(renewed.length, { ...state, sessions: new Map([...state.sessions, ...extended]) });
}

/** Deletes expired sessions that no activity refers to, locked or not. */
export function cleanupOrphanedSessions(state: State): Expectation {
  const used = new Set(state.activities.map(({ item }) => item.session_id));
  const kept = [...state.sessions].filter(
    ([id, { lockedUntilMs }]) => lockedUntilMs >= state.nowMs || used.has(id),
  );
  const removed = state.sessions.size - kept.length;
  return returns(removed, removed === 0 ? state : { ...state, sessions: new Map(kept) });
}
