/**
 * Locks the oldest activity that the worker may have, together with its session
 * (docs/reference/provider-contract.md §10 to §12).
 */
import type { FetchedWork, FetchWorkOptions, SessionClaim } from "../../../contract/provider.ts";
import { acceptsTag } from "../../../stores/accepts-tag.ts";
import { PERMIT_TAG } from "../../../wire/known-code.ts";
import { blockedActivity } from "../blocked.ts";
import { toActivity } from "../codec.ts";
import { isActivityForOthers, isReleasedTo } from "../left-work.ts";
import { isRanked, nextActivity, noteBegin } from "../limits/next-activity.ts";
import { isActivityLocked } from "../locks.ts";
import { isReadable } from "../set-aside.ts";
import type { ActivityRow, Store } from "../store.ts";

export function fetchWorkItem(store: Store, options: FetchWorkOptions): FetchedWork | undefined {
  const { tagFilter, session } = options;
  const nowMs = store.clock.now();
  const eligible = store.activities.filter(
    (candidate) =>
      (candidate.visibleAtMs <= nowMs || isReleasedTo(candidate, options)) &&
      store.sees(candidate) &&
      candidate.tag !== PERMIT_TAG &&
      !isActivityLocked(candidate, nowMs) &&
      acceptsTag(tagFilter, candidate.tag) &&
      acceptsSession(store, session, candidate.sessionId, nowMs),
  );
  const row = first(store, eligible, options, nowMs);
  if (row === undefined) return undefined;
  noteBegin(store, row, nowMs);
  if (session !== undefined) claimSession(store, session, row, nowMs);
  return lock(store, row, nowMs + options.lockTimeoutMs);
}

/** Sets aside what cannot be read, and passes over what is left to others. */
function first(
  store: Store,
  eligible: readonly ActivityRow[],
  options: FetchWorkOptions,
  nowMs: number,
): ActivityRow | undefined {
  const fits = (row: ActivityRow): boolean =>
    isReadable(store, row, toActivity) && !isActivityForOthers(store, row, options);
  if (!eligible.some(isRanked)) return eligible.find(fits);
  const passed = new Set<ActivityRow>();
  for (;;) {
    const left = eligible.filter((row) => !passed.has(row));
    const row = nextActivity(store, left, nowMs);
    if (row === undefined || fits(row)) return row;
    passed.add(row);
  }
}

/**
 * Whether the fetch may take the session: it belongs to its owner until its lock ends, then the next fetch may claim
 * it.
 */
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
    queuedAtMs: row.queuedAtMs,
    ...(row.loneRuns > 0 && { loneRuns: row.loneRuns }),
    ...(row.block !== undefined && { blocked: blockedActivity(row, row.block) }),
    ...(instance !== undefined && { orchestration: { name: instance.name, version: instance.version } }),
  };
}
