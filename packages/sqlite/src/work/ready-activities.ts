/**
 * Finds eligible activities of a worker, in queue order, without reading activities that are not eligible.
 *
 * A lane is a tag (or none). Activities without a session are found by (lane, id); those of a session by
 * (session, lane, id), for every session that is free or owned by the worker. Lanes and sessions in use are
 * enumerated by stepping through the index from one to the next, however long their backlogs are.
 */
import { type FetchWorkOptions, hasActivity, type TagFilter } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { isNever, PERMIT_ENDS_AT } from "../limits/permits.ts";
import {
  endPermit,
  joinQueue,
  lookAtQueues,
  nextOpenMs,
  passTime,
  type QueuesLook,
  type RankedRow,
} from "../limits/queues.ts";
import { BEHIND_RANKED, RANKED_AT, toLane } from "../rows/codec.ts";
import { leftNames } from "../rows/left-work.ts";

export interface ReadyActivity {
  readonly id: number;
  readonly session_id: string | null;
  readonly attempt_count: number;
  readonly orchestration_name: string | null;
  readonly orchestration_version: string | null;
  readonly work_item: string;
  readonly queued_at: number;
  readonly ran_alone: number;
  /** JSON. */
  readonly blocked: string | null;
  /** Its name, if an earlier fetch had no code for it (rows/left-work.ts). */
  readonly left_to: string | null;
}

/** A row that may be a ranked one. */
export interface RankedActivity extends ReadyActivity {
  readonly limit_key: string | null;
  readonly lane: string;
  readonly priority: number | null;
}

/** The activities that a group of waiters accepts. */
export interface Eligibility {
  readonly tagFilter: TagFilter;
  /** Owner as a column value. Without one only activities outside any session are eligible. */
  readonly ownerId: string | undefined;
  /** The names that the worker has code for; without them, all. */
  readonly activities: FetchWorkOptions["activities"] | undefined;
}

const COLUMNS = `id, session_id, attempt_count, orchestration_name, orchestration_version, work_item,
  queued_at, ran_alone, blocked, left_to`;

/** `LIMIT ? + 0`: with a plain parameter SQLite compiles the statement again for each call. */
const IN_LANE = `SELECT ${COLUMNS} FROM worker_queue
  WHERE due_at = 0 AND session_id IS NULL AND lane = ? ORDER BY id LIMIT ? + 0`;

const IN_SESSION_LANE = `SELECT ${COLUMNS} FROM worker_queue
  WHERE due_at = 0 AND session_id = ? AND lane = ? ORDER BY id LIMIT ? + 0`;

const LANES = `WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM worker_queue WHERE due_at = 0 AND session_id IS NULL
    UNION ALL
    SELECT (SELECT min(w.lane) FROM worker_queue AS w
      WHERE w.due_at = 0 AND w.session_id IS NULL AND w.lane > lanes.lane)
    FROM lanes WHERE lane IS NOT NULL)
  SELECT lane FROM lanes WHERE lane IS NOT NULL`;

const SESSION_LANES = `WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM worker_queue WHERE due_at = 0 AND session_id = ?1
    UNION ALL
    SELECT (SELECT min(w.lane) FROM worker_queue AS w
      WHERE w.due_at = 0 AND w.session_id = ?1 AND w.lane > lanes.lane)
    FROM lanes WHERE lane IS NOT NULL)
  SELECT lane FROM lanes WHERE lane IS NOT NULL`;

/** Sessions with ready activities that are free, expired or the owner's. */
const SESSIONS = `WITH RECURSIVE waiting (session_id) AS (
    SELECT min(session_id) FROM worker_queue WHERE due_at = 0 AND session_id IS NOT NULL
    UNION ALL
    SELECT (SELECT min(w.session_id) FROM worker_queue AS w
      WHERE w.due_at = 0 AND w.session_id > waiting.session_id)
    FROM waiting WHERE session_id IS NOT NULL)
  SELECT session_id FROM waiting WHERE session_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM sessions AS s
    WHERE s.session_id = waiting.session_id AND s.owner_id <> ?1 AND s.locked_until > ?2)`;

const ANY_SESSION = "SELECT 1 FROM worker_queue WHERE due_at = 0 AND session_id IS NOT NULL LIMIT 1";

const ANY_LEFT_SESSION =
  "SELECT 1 FROM worker_queue WHERE left_to IS NOT NULL AND session_id IS NOT NULL LIMIT 1";

/**
 * Rows that are not ready, in lanes of a JSON list or in all. Locked rows are due when their lock ends, so they are left
 * out by their lock.
 */
const LEFT = `SELECT ${COLUMNS}, limit_key, lane, priority FROM worker_queue AS w
  WHERE left_to = ?1 AND due_at > ?2 AND lock_token IS NULL
    AND (?3 IS NULL OR lane IN (SELECT value FROM json_each(?3)))
    AND (session_id IS NULL OR (?4 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions AS s
      WHERE s.session_id = w.session_id AND s.owner_id <> ?4 AND s.locked_until > ?2)))
  ORDER BY id LIMIT ?5 + 0`;

const PROMOTE = `UPDATE worker_queue SET due_at = iif(limit_key IS NULL, 0, ${RANKED_AT})
  WHERE ${BEHIND_RANKED} AND due_at <= ? RETURNING limit_key, lane, priority, queued_at`;

/** Ranked rows come first. */
const FIRST_DUE = "SELECT due_at FROM worker_queue WHERE due_at > 0 AND due_at <= ? ORDER BY due_at LIMIT 1";

/** Rows that a search may find beside ready ones. */
export interface Due {
  /** Whether the lock or the delay of a row has ended. */
  readonly isAnyDue: boolean;
  /** Absent if no ranked rows wait. */
  readonly queues?: QueuesLook;
}

export function findDue(db: Database, nowMs: number): Due {
  const first = db.get<{ due_at: number }>(FIRST_DUE, nowMs);
  if (first === undefined) return { isAnyDue: false };
  if (first.due_at > RANKED_AT) return { isAnyDue: true };
  const queues = lookAtQueues(db, nowMs);
  return { isAnyDue: queues.due === 1, queues };
}

/**
 * Makes rows eligible whose lock or delay has ended. Mostly there are none, and an update that finds no row costs three
 * times as much as a search. Returns whether a ranked row may begin.
 */
export function promoteDueActivities(tx: Transaction): boolean {
  const { isAnyDue, queues } = findDue(tx.db, tx.nowMs);
  const promoted = isAnyDue ? tx.db.all<RankedRow>(PROMOTE, tx.nowMs) : [];
  const ranked = promoted.filter(({ limit_key }) => limit_key !== null);
  for (const row of ranked) {
    joinQueue(tx, row);
    endPermit(tx, row.limit_key);
  }
  const isOpen = queues !== undefined && passTime(tx, queues);
  return isOpen || ranked.length > 0;
}

/** The time of the next row that falls due, ms. */
const NEXT_DUE = "SELECT min(due_at) AS due_at FROM worker_queue WHERE due_at > 0";
const NEXT_DUE_BEHIND = `SELECT min(due_at) AS due_at FROM worker_queue WHERE ${BEHIND_RANKED}`;

export function nextDueActivityMs(db: Database): number {
  const dueAtMs = earliest(db, NEXT_DUE);
  return dueAtMs > RANKED_AT ? dueAtMs : Math.min(earliest(db, NEXT_DUE_BEHIND), nextOpenMs(db));
}

function earliest(db: Database, sql: string): number {
  const dueAtMs = db.get<{ due_at: number | null }>(sql)?.due_at ?? PERMIT_ENDS_AT;
  return isNever(dueAtMs) ? Number.POSITIVE_INFINITY : dueAtMs;
}

/** Whether activities of sessions may be taken; if not, the worker of a request does not matter. */
export function areSessionActivitiesReady(db: Database): boolean {
  return db.get(ANY_SESSION) !== undefined || db.get(ANY_LEFT_SESSION) !== undefined;
}

const BY_ID = `SELECT ${COLUMNS}, limit_key, lane, priority FROM worker_queue WHERE id = ?`;

export function findActivity(db: Database, id: number): RankedActivity | undefined {
  return db.get<RankedActivity>(BY_ID, id);
}

export function findReadyActivities(
  db: Database,
  nowMs: number,
  eligibility: Eligibility,
  limit: number,
): ReadyActivity[] {
  const ready = findReady(db, nowMs, eligibility, limit);
  if (ready.length === limit) return ready;
  return [...ready, ...findLeft(db, nowMs, eligibility, limit)].slice(0, limit);
}

/** Activities that are not due, and whose code the worker has while an earlier fetch had not. */
function findLeft(
  db: Database,
  nowMs: number,
  { tagFilter, ownerId, activities }: Eligibility,
  limit: number,
): readonly RankedActivity[] {
  const lanes = tagFilter.kind === "any" ? null : JSON.stringify(lanesFor(tagFilter, () => []));
  const isKnown = (name: string): boolean => hasActivity({ activities }, name);
  return leftNames(db, "worker_queue", isKnown).flatMap((name) =>
    db.all<RankedActivity>(LEFT, name, nowMs, lanes, ownerId ?? null, limit),
  );
}

function findReady(
  db: Database,
  nowMs: number,
  { tagFilter, ownerId }: Eligibility,
  limit: number,
): ReadyActivity[] {
  const plain = lanesFor(tagFilter, () => db.all<{ lane: string }>(LANES)).map((lane) =>
    db.all<ReadyActivity>(IN_LANE, lane, limit),
  );
  const ofSessions =
    ownerId === undefined
      ? []
      : db
          .all<{ session_id: string }>(SESSIONS, ownerId, nowMs)
          .flatMap(({ session_id: id }) =>
            lanesFor(tagFilter, () => db.all<{ lane: string }>(SESSION_LANES, id)).map((lane) =>
              db.all<ReadyActivity>(IN_SESSION_LANE, id, lane, limit),
            ),
          );
  return oldest([...plain, ...ofSessions], limit);
}

/** Lanes of filters, because a worker passes the same filter with every fetch. */
const namedLanes = new WeakMap<TagFilter, readonly string[]>();

export function lanesFor(filter: TagFilter, inUse: () => { readonly lane: string }[]): readonly string[] {
  if (filter.kind === "any") return inUse().map(({ lane }) => lane);
  const known = namedLanes.get(filter);
  if (known !== undefined) return known;
  const lanes = lanesNamedBy(filter);
  namedLanes.set(filter, lanes);
  return lanes;
}

function lanesNamedBy(filter: Exclude<TagFilter, { readonly kind: "any" }>): readonly string[] {
  switch (filter.kind) {
    case "default-only":
      return [toLane(undefined)];
    case "tags":
      return [...new Set(filter.tags.map(toLane))];
    case "default-and":
      return [...new Set([toLane(undefined), ...filter.tags.map(toLane)])];
    case "none":
      return [];
  }
}

/** Whether a fetch with this filter takes activities of the lane. */
export function acceptsLane(filter: TagFilter, lane: string): boolean {
  return filter.kind === "any" || lanesFor(filter, () => []).includes(lane);
}

/** Merges the lists, which are already in order. */
function oldest(lists: readonly ReadyActivity[][], limit: number): ReadyActivity[] {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  return lists
    .flat()
    .sort((a, b) => a.id - b.id)
    .slice(0, limit);
}
