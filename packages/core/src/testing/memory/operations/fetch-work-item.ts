/**
 * Locks the oldest activity that the worker may have, together with its session
 * (docs/reference/provider-contract.md §10 to §12).
 */

import type { FetchedWork, FetchWorkOptions, SessionClaim } from "../../../contract/provider.ts";
import { acceptsTag } from "../../../stores/accepts-tag.ts";
import { blockedActivity } from "../blocked.ts";
import { toActivity } from "../codec.ts";
import { isActivityLocked } from "../locks.ts";
import { checkDuration, invalidInput } from "../refusals.ts";
import { isReadable } from "../set-aside.ts";
import type { ActivityRow, Store } from "../store.ts";

const OPERATION = "fetchWorkItem";

const MOST_TAGS = 5;

/** Refuses what the contract forbids, before anybody waits for it. */
export function checkFetchWork({ lockTimeoutMs, pollTimeoutMs, session, tagFilter }: FetchWorkOptions): void {
  checkDuration(OPERATION, "lockTimeoutMs", lockTimeoutMs);
  checkDuration(OPERATION, "pollTimeoutMs", pollTimeoutMs);
  if (session !== undefined) checkDuration(OPERATION, "session.lockTimeoutMs", session.lockTimeoutMs);
  if ("tags" in tagFilter && (tagFilter.tags.length < 1 || tagFilter.tags.length > MOST_TAGS)) {
    throw invalidInput(OPERATION, `a tag filter has 1 to ${MOST_TAGS} tags, not ${tagFilter.tags.length}`);
  }
}

export function fetchWorkItem(store: Store, options: FetchWorkOptions): FetchedWork | undefined {
  const { tagFilter, session } = options;
  const nowMs = store.clock.now();
  const eligible = store.activities.filter(
    (candidate) =>
      candidate.visibleAtMs <= nowMs &&
      !isActivityLocked(candidate, nowMs) &&
      acceptsTag(tagFilter, candidate.tag) &&
      acceptsSession(store, session, candidate.sessionId, nowMs),
  );
  const row = eligible.find((candidate) => isReadable(store, candidate, toActivity));
  if (row === undefined) return undefined;
  if (session !== undefined) claimSession(store, session, row, nowMs);
  return lock(store, row, nowMs + options.lockTimeoutMs);
}

/** A session belongs to its owner until its lock ends; then to whoever comes first. */
function acceptsSession(
  store: Store,
  claim: SessionClaim | undefined,
  sessionId: string | undefined,
  nowMs: number,
): boolean {
  if (sessionId === undefined) return true;
  if (claim === undefined) return false;
  const session = store.sessions.get(sessionId);
  return session === undefined || session.lockedUntilMs <= nowMs || session.ownerId === claim.ownerId;
}

function claimSession(
  store: Store,
  { ownerId, lockTimeoutMs }: SessionClaim,
  { sessionId }: ActivityRow,
  nowMs: number,
): void {
  if (sessionId === undefined) return;
  store.sessions.set(sessionId, { ownerId, lockedUntilMs: nowMs + lockTimeoutMs, lastActivityAtMs: nowMs });
}

function lock(store: Store, row: ActivityRow, lockedUntilMs: number): FetchedWork {
  const lockToken = store.random.uuid();
  row.lockToken = lockToken;
  row.lockedUntilMs = lockedUntilMs;
  row.attemptCount++;
  const instance = store.instances.get(row.instanceId);
  return {
    item: toActivity(row),
    lockToken,
    attemptCount: row.attemptCount,
    lockedUntilMs,
    ...(row.ranAlone && { ranAlone: true }),
    ...(row.block !== undefined && { blocked: blockedActivity(row, row.block) }),
    ...(instance !== undefined && { orchestration: { name: instance.name, version: instance.version } }),
  };
}
