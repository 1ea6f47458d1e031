/**
 * Locks ready activities for parked fetches, oldest first (docs/reference/provider-contract.md §10 to §12). It
 * runs inside the transaction of a flush, so the lock of the activity and that of its session are one step.
 *
 * Locked or delayed rows are not in the searched indexes. A fetch adds each to them again when its lock or delay ends;
 * their position in the order does not change.
 */
import {
  type ActivityExecute,
  DEFAULT_PRIORITY,
  type FetchedWork,
  type FetchWorkOptions,
  handlerOf,
  hasActivity,
  later,
  rankOf,
  type SessionClaim,
} from "@duroxide-ts/core/stores";
import type { NewActivity } from "../commit/open-activities.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import type { FetchSource, Look, Served } from "../fetching/fetch-source.ts";
import { admitInstances, mayAdmit, PERMIT_LANE } from "../limits/admit.ts";
import type { LockedWork } from "../limits/begins.ts";
import { isOpenIn, type NextRanked, nextRanked, openLanes } from "../limits/next-ranked.ts";
import { heldBy, type Slot } from "../limits/permits.ts";
import { joinQueue, leaveQueue, served } from "../limits/queues.ts";
import { toBlockedActivity } from "../rows/blocked.ts";
import { decodeActivity, fromText, RANKED_AT, toText } from "../rows/codec.ts";
import type { Requester } from "../rows/instance-row.ts";
import { HEAD_START_MS, namesKey } from "../rows/left-work.ts";
import { formatLockToken, PLAIN_TOKEN, RANKED_TOKEN, SESSION_TOKEN } from "../rows/lock-token.ts";
import { addMessage } from "../storing/add-message.ts";
import { setAside } from "../storing/dead-letters.ts";
import { ActivityLocks } from "../work/activity-locks.ts";
import {
  acceptsLane,
  areSessionActivitiesReady,
  type Eligibility,
  findActivity,
  findDue,
  findReadyActivities,
  lanesFor,
  nextDueActivityMs,
  promoteDueActivities,
  type RankedActivity,
  type ReadyActivity,
} from "../work/ready-activities.ts";

const OPERATION = "fetchWorkItem";

/** Ends an expired lock too. */
const LEAVE = "UPDATE worker_queue SET left_to = ?, due_at = ?, lock_token = NULL WHERE id = ?";

/** The limits of a row that was left let none begin. */
const WAIT = `UPDATE worker_queue SET due_at = ${RANKED_AT}, left_to = NULL WHERE id = ?`;

const END_LEAVING = "UPDATE worker_queue SET left_to = NULL WHERE id = ?";

const CLAIM_SESSION = `INSERT INTO sessions (session_id, owner_id, locked_until, last_activity_at, holder)
  VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (session_id) DO UPDATE SET owner_id = excluded.owner_id, locked_until = excluded.locked_until,
    last_activity_at = excluded.last_activity_at, holder = excluded.holder`;

/** The end of a session makes its activities eligible for other owners. */
const NEXT_SESSION_END = "SELECT min(locked_until) AS due_at FROM sessions WHERE locked_until > ?";

export const workSource: FetchSource<FetchWorkOptions, LockedWork> = {
  operation: OPERATION,

  groupOf({ tagFilter, session, activities }) {
    if (tagFilter.kind === "none") return undefined;
    const kind = session === undefined ? tagFilter.kind : `sessions ${tagFilter.kind}`;
    const tags = "tags" in tagFilter ? JSON.stringify([kind, ...tagFilter.tags]) : kind;
    return `${tags} ${namesKey(activities)}`;
  },

  ownerOf: ({ session }) => session?.ownerId ?? "",

  peek(db, nowMs, requests) {
    const { isAnyDue, queues } = findDue(db, nowMs);
    const isAnyOpen = queues?.open === 1;
    const isDue = isAnyDue || queues?.opening === 1 || (isAnyOpen && mayAdmit(db));
    const mayTake = (request: FetchWorkOptions): boolean =>
      isDue ||
      (isAnyOpen && isOpenIn(db, openLanesFor(db, request))) ||
      findReadyActivities(db, nowMs, eligibility(request), 1).length > 0;
    if (areOwnersApart(db, requests)) {
      return { found: requests.map((request) => (mayTake(request) ? true : undefined)), nothingLeft: false };
    }
    const found = requests.slice(0, 1).some(mayTake);
    return { found: requests.map(() => (found ? true : undefined)), nothingLeft: !found };
  },

  prepare(tx) {
    if (tx.effects.queuesOpened) admit(tx);
  },

  take(tx, requests) {
    const isAnyOpen = promoteDueActivities(tx);
    if (isAnyOpen) admit(tx);
    return areOwnersApart(tx.db, requests)
      ? takeByOwner(tx, requests, isAnyOpen)
      : takeOldest(tx, requests, withoutSession, isAnyOpen);
  },

  dueTimes: (effects) => effects.activities,

  nextDueMs(db, nowMs) {
    const earliest = (row: { readonly due_at: number | null } | undefined): number =>
      row?.due_at ?? Number.POSITIVE_INFINITY;
    return Math.min(nextDueActivityMs(db), earliest(db.get(NEXT_SESSION_END, nowMs)));
  },
};

function admit(tx: Transaction): void {
  tx.effects.queuesOpened = false;
  admitInstances(tx, (message) => addMessage(tx, message, { visibleAtMs: tx.nowMs }));
}

/** If no activity of a session is ready, the owner of the request does not matter. */
function areOwnersApart(db: Database, [first]: readonly FetchWorkOptions[]): boolean {
  return first?.session !== undefined && areSessionActivitiesReady(db);
}

/**
 * Assigns the oldest rows to the first of requests that accept the same rows. Never early, because an activity cannot
 * be undone, so it must begin after the commit of its lock.
 */
function takeOldest(
  tx: Transaction,
  requests: readonly FetchWorkOptions[],
  eligibilityOf: (request: FetchWorkOptions) => Eligibility,
  isAnyOpen: boolean,
): Look<Served<LockedWork>> {
  const found: Served<LockedWork>[] = [];
  for (;;) {
    const wanted = requests.slice(found.length);
    const first = wanted[0];
    if (first === undefined) {
      // Closes what may not begin, so that no other process searches in vain.
      if (isAnyOpen) nextOf(tx, requests);
      return { found, nothingLeft: false };
    }
    const ranked = isAnyOpen ? nextOf(tx, requests) : undefined;
    if (ranked !== undefined) {
      const result = takeFirst(tx, ranked, first, eligibilityOf(first));
      if (result !== undefined) found.push({ result, early: false });
      continue;
    }
    const ready = findReadyActivities(tx.db, tx.nowMs, eligibilityOf(first), wanted.length);
    const locks = new ActivityLocks(tx);
    for (const activity of ready) {
      const request = requests[found.length];
      const result = request === undefined ? undefined : lockReady(tx, activity, request, locks);
      if (result !== undefined) found.push({ result, early: false });
    }
    locks.write();
    // Rows that could not be decoded were removed, and those of other names are left, so this loop ends.
    if (ready.length < wanted.length && !takeNew(tx, requests, found)) return { found, nothingLeft: true };
  }
}

/** The ranked activity that the group may take, of those that their limits let begin. */
function nextOf(tx: Transaction, [first]: readonly FetchWorkOptions[]): NextRanked | undefined {
  return first && nextRanked(tx, openLanesFor(tx.db, first));
}

function openLanesFor(db: Database, { tagFilter }: FetchWorkOptions): readonly string[] {
  return lanesFor(tagFilter, () => openLanes(db)).filter((lane) => lane !== PERMIT_LANE);
}

/** Takes the ranked activity, or one without a limit that goes before it. */
function takeFirst(
  tx: Transaction,
  ranked: NextRanked,
  request: FetchWorkOptions,
  eligible: Eligibility,
): LockedWork | undefined {
  tx.effects.newActivities.writeAll(tx.db);
  const [plain] = findReadyActivities(tx.db, tx.nowMs, eligible, 1);
  const locks = new ActivityLocks(tx);
  if (plain !== undefined && goesBefore(tx, plain, ranked)) {
    const result = lockReady(tx, plain, request, locks);
    locks.write();
    return result;
  }
  const row = findActivity(tx.db, ranked.id);
  const result = row && lock(tx, row, request, locks);
  locks.write();
  if (result !== undefined) return withSlots(result, served(tx, ranked.key, ranked.lane));
  leaveQueue(tx, ranked.key, ranked.lane);
  return undefined;
}

function withSlots(fetched: FetchedWork, slots: readonly Slot[]): LockedWork {
  return slots.length === 0 ? fetched : { ...fetched, slots };
}

function goesBefore({ nowMs }: Transaction, plain: ReadyActivity, ranked: NextRanked): boolean {
  const rank = rankOf(DEFAULT_PRIORITY, plain.queued_at, nowMs);
  return rank === ranked.rank ? plain.id < ranked.id : rank < ranked.rank;
}

/** Locks a row that was found by its age, or by its name: the limits of a ranked one are not checked yet. */
function lockReady(
  tx: Transaction,
  row: ReadyActivity | RankedActivity,
  request: FetchWorkOptions,
  locks: ActivityLocks,
): LockedWork | undefined {
  const key = keyOf(row);
  if (key === null || !("lane" in row)) return lock(tx, row, request, locks);
  const held = heldBy(tx.db, key, tx.nowMs);
  if (held !== undefined) {
    tx.db.run(WAIT, row.id);
    joinQueue(tx, row);
    return undefined;
  }
  const result = lock(tx, row, request, locks);
  // Its limits count locked rows.
  locks.write();
  return result && withSlots(result, served(tx, key, row.lane));
}

function keyOf(row: ReadyActivity | RankedActivity): string | null {
  return "limit_key" in row ? row.limit_key : null;
}

/**
 * After all stored rows: takes activities that the transaction has not inserted yet. False if none of them is left. If
 * the first one has another tag, or a name without code here, inserts all, so that the caller searches again.
 */
function takeNew(
  tx: Transaction,
  requests: readonly FetchWorkOptions[],
  found: Served<LockedWork>[],
): boolean {
  const { newActivities } = tx.effects;
  for (let request = requests[found.length]; request !== undefined; request = requests[found.length]) {
    const next = newActivities.first;
    if (next === undefined) return false;
    const { item } = next.row;
    if (!acceptsLane(request.tagFilter, next.row.lane) || !hasActivity(request, handlerOf(item))) {
      newActivities.writeAll(tx.db);
      return true;
    }
    found.push({ result: lockNew(tx, { next, item }, request), early: false });
  }
  return true;
}

function lockNew(
  tx: Transaction,
  { next, item }: { readonly next: NewActivity; readonly item: ActivityExecute },
  request: FetchWorkOptions,
): FetchedWork {
  const untilMs = later(tx.nowMs, request.lockTimeoutMs);
  const secret = tx.lockSecret();
  const id = tx.effects.newActivities.lockFirst(tx.db, next, { secret, untilMs });
  tx.effects.activities.add(untilMs);
  return {
    item,
    lockToken: formatLockToken({ key: id, visibleUntilMs: PLAIN_TOKEN, secret }),
    attemptCount: 1,
    lockedUntilMs: untilMs,
    ...requestedBy(next.requester),
  };
}

function requestedBy(requester: Omit<Requester, "instance_key">): Pick<FetchedWork, "orchestration"> {
  const { orchestration_name: name, orchestration_version: version } = requester;
  if (name === null || version === null) return {};
  return { orchestration: { name: fromText(name), version: fromText(version) } };
}

/**
 * One owner after the other, because each accepts other rows, and a claim of a session changes the rows of the next.
 */
function takeByOwner(
  tx: Transaction,
  requests: readonly FetchWorkOptions[],
  isAnyOpen: boolean,
): Look<Served<LockedWork>> {
  return {
    found: requests.map((request) => takeOldest(tx, [request], eligibility, isAnyOpen).found[0]),
    nothingLeft: false,
  };
}

/** If no activity of a session is ready, sessions need not be searched. */
function withoutSession({ tagFilter, activities }: FetchWorkOptions): Eligibility {
  return { tagFilter, ownerId: undefined, activities };
}

function eligibility({ tagFilter, session, activities }: FetchWorkOptions): Eligibility {
  const ownerId = session === undefined ? undefined : toText(session.ownerId);
  return { tagFilter, ownerId, activities };
}

/** left-work.N1 */
function leave(tx: Transaction, { id }: ReadyActivity, name: string): void {
  const untilMs = later(tx.nowMs, HEAD_START_MS);
  tx.db.run(LEAVE, toText(name), untilMs, id);
  tx.effects.activities.add(tx.nowMs);
  tx.effects.activities.add(untilMs);
}

function lock(
  tx: Transaction,
  row: ReadyActivity | RankedActivity,
  request: FetchWorkOptions,
  locks: ActivityLocks,
): FetchedWork | undefined {
  const item = decode(tx, row);
  if (item === undefined) return undefined;
  const handler = handlerOf(item);
  const isKnown = hasActivity(request, handler);
  if (!isKnown && row.left_to === null) {
    leave(tx, row, handler);
    return undefined;
  }
  if (isKnown && row.left_to !== null) tx.db.run(END_LEAVING, row.id);
  const lockedUntilMs = later(tx.nowMs, request.lockTimeoutMs);
  const secret = locks.add(row.id, lockedUntilMs);
  if (row.session_id !== null && request.session !== undefined) {
    claimSession(tx, row.session_id, request.session);
  }
  return {
    item,
    lockToken: formatLockToken({ key: row.id, visibleUntilMs: markOf(row), secret }),
    attemptCount: row.attempt_count + 1,
    lockedUntilMs,
    queuedAtMs: row.queued_at,
    ...(row.ran_alone > 0 && { loneRuns: row.ran_alone }),
    ...(row.blocked !== null && { blocked: toBlockedActivity(item, row.blocked) }),
    ...requestedBy(row),
  };
}

function markOf(row: ReadyActivity | RankedActivity): number {
  if (row.session_id !== null) return SESSION_TOKEN;
  return keyOf(row) === null ? PLAIN_TOKEN : RANKED_TOKEN;
}

function claimSession(tx: Transaction, sessionId: string, claim: SessionClaim): void {
  const lockedUntilMs = later(tx.nowMs, claim.lockTimeoutMs);
  tx.db.run(CLAIM_SESSION, sessionId, toText(claim.ownerId), lockedUntilMs, tx.nowMs, tx.holder);
  tx.effects.activities.add(lockedUntilMs);
}

function decode(tx: Transaction, row: ReadyActivity): ActivityExecute | undefined {
  try {
    return decodeActivity(row.work_item);
  } catch (error) {
    setAside(tx, "worker_queue", row.id, error);
    return undefined;
  }
}
