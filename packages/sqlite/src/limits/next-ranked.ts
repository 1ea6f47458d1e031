/** The ranked activity that a worker may take next (docs/decisions/limits.md). */
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { heldBy } from "./permits.ts";
import { close, type Head, headOf, leaveQueue, OPEN } from "./queues.ts";

const OPEN_IN_LANE = `SELECT limit_key, lane, rank, turn FROM limit_queues WHERE held = ${OPEN} AND lane = ?
  ORDER BY rank, turn LIMIT 1`;

const OPEN_LANES = `WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM limit_queues WHERE held = ${OPEN}
    UNION ALL
    SELECT (SELECT min(q.lane) FROM limit_queues AS q WHERE q.held = ${OPEN} AND q.lane > lanes.lane)
    FROM lanes WHERE lane IS NOT NULL)
  SELECT lane FROM lanes WHERE lane IS NOT NULL`;

interface OpenQueue {
  readonly limit_key: string;
  readonly lane: string;
  readonly rank: number;
  readonly turn: number;
}

/** A row of a queue that lets it begin. */
export interface NextRanked extends Head {
  readonly key: string;
  readonly lane: string;
  readonly rank: number;
}

/** Lanes in which queues are open. */
export function openLanes(db: Database): { readonly lane: string }[] {
  return db.all<{ lane: string }>(OPEN_LANES);
}

/** Whether a queue is open in one of the lanes. */
export function isOpenIn(db: Database, lanes: readonly string[]): boolean {
  return lanes.some((lane) => db.get(OPEN_IN_LANE, lane) !== undefined);
}

/** The first of the open queues; closes those whose keys let none begin. */
export function nextRanked(tx: Transaction, lanes: readonly string[]): NextRanked | undefined {
  for (;;) {
    const queue = firstOpen(tx.db, lanes);
    if (queue === undefined) return undefined;
    const { limit_key: key, lane, rank } = queue;
    const held = heldBy(tx.db, key, tx.nowMs);
    if (held !== undefined) {
      close(tx, key, held);
      continue;
    }
    const head = headOf(tx.db, key, lane, tx.nowMs);
    if (head !== undefined) return { ...head, key, lane, rank };
    leaveQueue(tx, key, lane);
  }
}

function firstOpen(db: Database, lanes: readonly string[]): OpenQueue | undefined {
  let first: OpenQueue | undefined;
  for (const lane of lanes) {
    const queue = db.get<OpenQueue>(OPEN_IN_LANE, lane);
    if (queue === undefined) continue;
    if (
      first === undefined ||
      queue.rank < first.rank ||
      (queue.rank === first.rank && queue.turn < first.turn)
    )
      first = queue;
  }
  return first;
}
