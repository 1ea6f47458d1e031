/** Sessions: the owner that may have their activities, and for how long (docs/reference/provider-contract.md §11). */
import type { RenewSessionsOptions, SessionClaim } from "@duroxide-ts/core/stores";
import { type Expectation, returns } from "./expectation.ts";
import { type Session, type State, withEntry } from "./state.ts";

/** A session belongs to its owner until its lock ends; then to whoever comes first. */
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

/** Work on one of its activities keeps a live session from counting as idle. */
export function touchSession(state: State, sessionId: string | undefined): State {
  const session = sessionId === undefined ? undefined : state.sessions.get(sessionId);
  if (sessionId === undefined || session === undefined || session.lockedUntilMs <= state.nowMs) return state;
  const touched = { ...session, lastActivityAtMs: state.nowMs };
  return { ...state, sessions: withEntry(state.sessions, sessionId, touched) };
}

/** Live and active ones, none of which is shortened; what has expired is never revived. */
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

/** Expired ones that no activity refers to, locked or not. */
export function cleanupOrphanedSessions(state: State): Expectation {
  const used = new Set(state.activities.map(({ item }) => item.session_id));
  const kept = [...state.sessions].filter(
    ([id, { lockedUntilMs }]) => lockedUntilMs >= state.nowMs || used.has(id),
  );
  const removed = state.sessions.size - kept.length;
  return returns(removed, removed === 0 ? state : { ...state, sessions: new Map(kept) });
}
