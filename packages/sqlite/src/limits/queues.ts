/**
 * The order in which keys are served. What waits of one key in one lane is a queue, with a row of its own, so that a key
 * that may not begin costs nothing, however much waits.
 *
 * - queues.Q1: A queue has a row while rows of it wait, and its rank is that of its first one.
 * - queues.Q2: A fetch looks at open queues only, the highest rank first, then the one that was served longest ago. It
 *   closes a queue whose key, or first level, lets none begin.
 * - queues.Q3: A closed queue opens when a permit of its key ends, at `open_at`, and when its rule changes. `open_at` is
 *   the next slot of a rate, or the end of the first lock, so no permit is missed if its process dies.
 * - queues.Q4: Of the queues that wait for their first level, the first in each lane opens where a permit of it ends, and
 *   the next one when that has been served. So a permit costs the same, however many keys wait under it.
 */
import { groupOfKey, isOverdue, rankOf, STARVATION_MS } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { BEHIND_RANKED, NO_KEY, RANKED_AT } from "../rows/codec.ts";
import { type Held, isNever, type Slot, spend } from "./permits.ts";

/** `limit_queues.held`: open, closed by its own key, or by the first level of it. */
export const OPEN = 0;
const BY_KEY = 1;
const BY_GROUP = 2;

const JOIN = `UPDATE limit_queues SET rank = min(rank, ?3), overdue_at = min(overdue_at, ?4),
    open_at = iif(?3 < rank AND held = ${BY_GROUP}, NULL, open_at),
    held = iif(?3 < rank AND held = ${BY_GROUP}, ${OPEN}, held)
  WHERE limit_key = ?1 AND lane = ?2 RETURNING held`;

const CREATE = `INSERT INTO limit_queues (limit_key, lane, group_key, rank, turn, overdue_at)
  VALUES (?1, ?2, ?5, ?3, coalesce((SELECT max(turn) FROM limit_queues), 0) + 1, ?4)`;

const CHANGE = "UPDATE limit_queues SET rank = ?3, overdue_at = ?4 WHERE limit_key = ?1 AND lane = ?2";

const END_TURN = `UPDATE limit_queues SET turn = (SELECT max(turn) FROM limit_queues) + 1
  WHERE limit_key = ? AND lane = ?`;

const REMOVE = "DELETE FROM limit_queues WHERE limit_key = ? AND lane = ?";

/** The first row of each priority. */
const HEADS = `SELECT w.id, w.priority, w.queued_at FROM (VALUES (1), (2), (3), (4), (5)) AS p
  CROSS JOIN worker_queue AS w ON w.id = (SELECT f.id FROM worker_queue AS f
    WHERE f.due_at = ${RANKED_AT} AND f.limit_key = ?1 AND f.lane = ?2 AND f.priority = p.column1
    ORDER BY f.id LIMIT 1)`;

const CLOSE_KEY = `UPDATE limit_queues SET held = ${BY_KEY}, open_at = ?2 WHERE limit_key = ?1 AND held = ${OPEN}`;

const CLOSE_GROUP = `UPDATE limit_queues SET held = ${BY_GROUP}, open_at = NULL
  WHERE group_key = ? AND held = ${OPEN}`;

const OPEN_KEY = `UPDATE limit_queues SET held = ${OPEN}, open_at = NULL WHERE limit_key = ?1 AND held = ${BY_KEY}`;

/** The lanes in which queues wait for a first level. */
const LANES = `WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM limit_queues WHERE group_key = ?1 AND held = ${BY_GROUP}
    UNION ALL
    SELECT (SELECT min(q.lane) FROM limit_queues AS q
      WHERE q.group_key = ?1 AND q.held = ${BY_GROUP} AND q.lane > lanes.lane)
    FROM lanes WHERE lane IS NOT NULL)
  SELECT lane FROM lanes WHERE lane IS NOT NULL`;

const FIRST_HELD = `SELECT limit_key FROM limit_queues WHERE group_key = ? AND held = ${BY_GROUP} AND lane = ?
  ORDER BY rank, turn LIMIT 1`;

const OPEN_ONE = `UPDATE limit_queues SET held = ${OPEN}, open_at = NULL WHERE limit_key = ? AND lane = ?`;

const OPEN_LATER = "UPDATE limit_queues SET open_at = ?3 WHERE limit_key = ?1 AND lane = ?2";

const OPEN_ALL = `UPDATE limit_queues SET held = ${OPEN}, open_at = NULL WHERE group_key = ?`;

/** One statement, because work without a limit makes it too while ranked rows wait. */
const LOOK = `SELECT EXISTS (SELECT 1 FROM limit_queues WHERE held = ${OPEN}) AS open,
  EXISTS (SELECT 1 FROM limit_queues WHERE open_at <= ?1) AS opening,
  EXISTS (SELECT 1 FROM limit_queues WHERE rank > 1 AND overdue_at <= ?1) AS overdue,
  EXISTS (SELECT 1 FROM worker_queue WHERE ${BEHIND_RANKED} AND due_at <= ?1) AS due`;

const OPEN_DUE = `UPDATE limit_queues SET held = ${OPEN}, open_at = NULL WHERE open_at <= ?`;

const RAISE = `UPDATE limit_queues SET rank = 1, open_at = iif(held = ${BY_GROUP}, NULL, open_at),
    held = iif(held = ${BY_GROUP}, ${OPEN}, held)
  WHERE rank > 1 AND overdue_at <= ?`;

/** Columns of a row that an operation has changed; `limit_key` is NULL for one without a limit and a priority. */
export interface RankedRow {
  readonly limit_key: string | null;
  readonly lane: string;
  readonly priority: number | null;
  readonly queued_at: number;
}

/** A row that waits, the first of its priority. */
export interface Head {
  readonly id: number;
  readonly priority: number;
  readonly queued_at: number;
}

/** Adds a row that waits, which is stored already. */
export function joinQueue(tx: Transaction, { limit_key: key, lane, priority, queued_at }: RankedRow): void {
  if (key === null) return;
  const rank = rankOf(priority ?? 0, queued_at, tx.nowMs);
  const overdueAtMs = queued_at + STARVATION_MS;
  const joined = tx.db.get<{ held: number }>(JOIN, key, lane, rank, overdueAtMs);
  if (joined === undefined) tx.db.run(CREATE, key, lane, rank, overdueAtMs, groupOfKey(key));
  if ((joined?.held ?? OPEN) === OPEN) noteOpen(tx);
}

/** The row of a queue that is next. */
export function headOf(db: Database, key: string, lane: string, nowMs: number): Head | undefined {
  const heads = db.all<Head>(HEADS, key, lane);
  const [first] = heads;
  if (first === undefined) return undefined;
  const oldest = heads.reduce((a, b) => (b.id < a.id ? b : a));
  return isOverdue(oldest.queued_at, nowMs) ? oldest : first;
}

/** Called when rows of a queue have left it. Where it is empty now, another key may have its place. */
export function leaveQueue(tx: Transaction, key: string, lane: string): void {
  if (rankAgain(tx, key, lane)) openNext(tx, groupOfKey(key));
}

/** Called when the first row of a queue was locked: the next key has its turn. Returns the slots of the begin. */
export function served(tx: Transaction, key: string, lane: string): readonly Slot[] {
  const slots = spend(tx, key, tx.nowMs);
  tx.db.run(END_TURN, key, lane);
  rankAgain(tx, key, lane);
  openNext(tx, groupOfKey(key));
  return slots;
}

/** queues.Q1, when rows have left it. Returns whether the queue has ended. */
function rankAgain({ db, nowMs }: Transaction, key: string, lane: string): boolean {
  const heads = db.all<Head>(HEADS, key, lane);
  const [first] = heads;
  if (first === undefined) return db.run(REMOVE, key, lane) > 0;
  const oldestMs = Math.min(...heads.map(({ queued_at }) => queued_at));
  const rank = rankOf(first.priority, oldestMs, nowMs);
  db.run(CHANGE, key, lane, rank, oldestMs + STARVATION_MS);
  return false;
}

/** Closes the queues of a level that lets none begin (queues.Q2). */
export function close(tx: Transaction, key: string, { level, untilMs }: Held): void {
  if (!isNever(untilMs)) tx.effects.activities.add(untilMs);
  const group = groupOfKey(key);
  if (level !== group) {
    tx.db.run(CLOSE_KEY, key, untilMs);
    openNext(tx, group);
    return;
  }
  tx.db.run(CLOSE_GROUP, group);
  for (const [first, lane] of firstHeldBy(tx, group)) tx.db.run(OPEN_LATER, first, lane, untilMs);
}

/** Called when a permit of a key has ended (queues.Q3). */
export function endPermit(tx: Transaction, key: string | null): void {
  if (key === null || key === NO_KEY) return;
  if (tx.db.run(OPEN_KEY, key) > 0) noteOpen(tx);
  openNext(tx, groupOfKey(key));
}

/** Called when a rule has changed. */
export function openAll(tx: Transaction, key: string): void {
  if (tx.db.run(OPEN_ALL, groupOfKey(key)) > 0) noteOpen(tx);
}

/** Answers to a search while ranked rows wait; 1 or 0. */
export interface QueuesLook {
  /** Whether a queue is open. */
  readonly open: number;
  /** Whether the time has come at which one opens. */
  readonly opening: number;
  /** Whether one has waited for too long. */
  readonly overdue: number;
  /** Whether the lock or the delay of an activity has ended, with a limit or without. */
  readonly due: number;
}

const NO_QUEUES: QueuesLook = { open: 0, opening: 0, overdue: 0, due: 0 };

export function lookAtQueues(db: Database, nowMs: number): QueuesLook {
  return db.get<QueuesLook>(LOOK, nowMs) ?? NO_QUEUES;
}

/** Opens what is due, and raises what has waited for too long. Returns whether a queue is open then. */
export function passTime(tx: Transaction, { open, opening, overdue }: QueuesLook): boolean {
  const opened = opening === 1 ? tx.db.run(OPEN_DUE, tx.nowMs) : 0;
  if (opened > 0) noteOpen(tx);
  const raised = overdue === 1 ? tx.db.run(RAISE, tx.nowMs) : 0;
  return open + opened + raised > 0;
}

const NEXT_OPEN = "SELECT min(open_at) AS open_at FROM limit_queues WHERE open_at IS NOT NULL";

/** The time at which the next closed queue opens, ms. */
export function nextOpenMs(db: Database): number {
  const openAtMs = db.get<{ open_at: number | null }>(NEXT_OPEN)?.open_at ?? Number.POSITIVE_INFINITY;
  return isNever(openAtMs) ? Number.POSITIVE_INFINITY : openAtMs;
}

/** Fetches that wait search again, and instances that wait may begin. */
function noteOpen({ effects, nowMs }: Transaction): void {
  effects.activities.add(nowMs);
  effects.queuesOpened = true;
}

/** queues.Q4 */
function openNext(tx: Transaction, group: string): void {
  for (const [first, lane] of firstHeldBy(tx, group)) {
    tx.db.run(OPEN_ONE, first, lane);
    noteOpen(tx);
  }
}

/** The first key in each lane, with the lane, of those that wait for a first level. */
function firstHeldBy({ db }: Transaction, group: string): readonly (readonly [string, string])[] {
  return db.all<{ lane: string }>(LANES, group).flatMap(({ lane }) => {
    const first = db.get<{ limit_key: string }>(FIRST_HELD, group, lane);
    return first === undefined ? [] : [[first.limit_key, lane] as const];
  });
}
