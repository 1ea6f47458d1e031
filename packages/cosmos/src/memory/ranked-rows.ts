/**
 * Ranked rows that this process knows, and the one that goes first (docs/decisions/limits.md). Keys take turns; within a
 * key the oldest of the highest priority goes first, or what has waited for too long.
 */
import { crc32 } from "node:zlib";
import { type ActivityExecute, DEFAULT_PRIORITY, isOverdue, rankOf } from "@duroxide-ts/core/stores";
import { compareQueued } from "../documents/queue-order.ts";
import { NO_LIMIT, rankedBy } from "../documents/ranked.ts";
import type { ActivityRow } from "../documents/rows.ts";

/** More rows than a process begins between two searches. */
const MOST = 10_000;

/** Processes that meet at the same rows choose among so many of the oldest, for so long. */
const CONTENDED_ROWS = 16;
const CONTENDED_MS = 10_000;

const NO_ROWS: ReadonlyMap<string, ActivityRow> = new Map();

export class RankedRows {
  readonly #keys = new Map<string, Map<string, ActivityRow>>();
  readonly #keyOf = new Map<string, string>();
  /** The last turn of each key, as a number that grows. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  /** Order in which this process tries rows while others are first at them. */
  readonly #ownKey: () => string;
  #contendedUntilMs = Number.NEGATIVE_INFINITY;
  /** Ranked rows of other processes are looked for until this time. */
  activeUntilMs: number = Number.NEGATIVE_INFINITY;
  /** The mark is there until this time, as far as this process has written it. */
  markedUntilMs: number = Number.NEGATIVE_INFINITY;

  /** `ownKey` is of this process only. */
  constructor(ownKey: () => string) {
    this.#ownKey = ownKey;
  }

  get count(): number {
    return this.#keyOf.size;
  }

  get isEmpty(): boolean {
    return this.#keyOf.size === 0;
  }

  has(id: string): boolean {
    return this.#keyOf.has(id);
  }

  get(id: string): ActivityRow | undefined {
    return this.#keys.get(this.#keyOf.get(id) ?? NO_LIMIT)?.get(id);
  }

  put(row: ActivityRow): void {
    const { key } = rankedBy(row.item) ?? { key: NO_LIMIT };
    if (!this.has(row.id) && this.#keyOf.size >= MOST) return;
    const rows = this.#keys.get(key) ?? new Map<string, ActivityRow>();
    this.#keys.set(key, rows);
    rows.set(row.id, row);
    this.#keyOf.set(row.id, key);
  }

  remove(id: string): void {
    const key = this.#keyOf.get(id);
    if (key === undefined) return;
    this.#keyOf.delete(id);
    const rows = this.#keys.get(key);
    rows?.delete(id);
    if (rows?.size === 0) this.#keys.delete(key);
  }

  /** Called when an instance was deleted. */
  removeInstance(instanceId: string): readonly string[] {
    const ids: string[] = [];
    for (const rows of this.#keys.values())
      for (const { id, document } of rows.values()) if (document.instanceId === instanceId) ids.push(id);
    for (const id of ids) this.remove(id);
    return ids;
  }

  /** The next one of a key whose turn it is. `isOpen`: whether one of the key may begin. */
  first(
    nowMs: number,
    accepts: (row: ActivityRow) => boolean,
    isOpen: (key: string) => boolean,
  ): ActivityRow | undefined {
    let first: ActivityRow | undefined;
    let firstTurn = 0;
    for (const [key, rows] of this.#keys) {
      if (key === NO_LIMIT || !isOpen(key)) continue;
      const head = this.#headOf(rows, nowMs, accepts);
      if (head === undefined) continue;
      const turn = this.#turns.get(key) ?? 0;
      const order =
        first === undefined
          ? -1
          : rankIn(head, nowMs) - rankIn(first, nowMs) || turn - firstTurn || compareQueued(head, first);
      if (order >= 0) continue;
      first = head;
      firstTurn = turn;
    }
    const free = this.#headOf(this.#keys.get(NO_LIMIT) ?? NO_ROWS, nowMs, accepts);
    return first !== undefined && free !== undefined && goesFirst(free, first, nowMs)
      ? free
      : (first ?? free);
  }

  /** Another process was first at a row. */
  lost(nowMs: number): void {
    this.#contendedUntilMs = nowMs + CONTENDED_MS;
  }

  #headOf(
    rows: ReadonlyMap<string, ActivityRow>,
    nowMs: number,
    accepts: (row: ActivityRow) => boolean,
  ): ActivityRow | undefined {
    const head = headOf(rows.values(), nowMs, accepts);
    if (head === undefined || nowMs >= this.#contendedUntilMs || isOverdue(head.enqueuedAtMs, nowMs))
      return head;
    const priority = priorityOf(head.item);
    const alike = [...rows.values()].filter(
      (row) => row.visibleAtMs <= nowMs && priorityOf(row.item) === priority && accepts(row),
    );
    const first = alike.sort(compareQueued).slice(0, CONTENDED_ROWS);
    const keyOf = ({ id }: ActivityRow): number => crc32(this.#ownKey() + id);
    return first.reduce((a, b) => (keyOf(b) < keyOf(a) ? b : a), head);
  }

  /** The turn of the key is over. */
  served({ item }: ActivityRow): void {
    const key = rankedBy(item)?.key;
    if (key === undefined || key === NO_LIMIT) return;
    this.#turns.set(key, ++this.#turn);
    if (this.#turns.size > MOST) this.#turns.clear();
  }

  /** Keys of which rows wait, with their number. */
  waiting(nowMs: number, accepts: (row: ActivityRow) => boolean): ReadonlyMap<string, number> {
    const waiting = new Map<string, number>();
    for (const [key, rows] of this.#keys) {
      let count = 0;
      for (const row of rows.values()) if (row.visibleAtMs <= nowMs && accepts(row)) count++;
      if (count > 0) waiting.set(key, count);
    }
    return waiting;
  }

  /** The first end of a lock or a delay after now, ms since the epoch. */
  nextDueMs(nowMs: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (const rows of this.#keys.values())
      for (const { visibleAtMs } of rows.values())
        if (visibleAtMs > nowMs && visibleAtMs < first) first = visibleAtMs;
    return first;
  }
}

/** Whether `a` goes before `b`, of different keys or without one. */
export function goesFirst(a: ActivityRow, b: ActivityRow, nowMs: number): boolean {
  return (rankIn(a, nowMs) - rankIn(b, nowMs) || compareQueued(a, b)) < 0;
}

function headOf(
  rows: Iterable<ActivityRow>,
  nowMs: number,
  accepts: (row: ActivityRow) => boolean,
): ActivityRow | undefined {
  let oldest: ActivityRow | undefined;
  let first: ActivityRow | undefined;
  for (const row of rows) {
    if (row.visibleAtMs > nowMs || !accepts(row)) continue;
    if (oldest === undefined || compareQueued(row, oldest) < 0) oldest = row;
    const order = first === undefined ? -1 : priorityOf(row.item) - priorityOf(first.item);
    if (first === undefined || order < 0 || (order === 0 && compareQueued(row, first) < 0)) first = row;
  }
  return oldest !== undefined && isOverdue(oldest.enqueuedAtMs, nowMs) ? oldest : first;
}

function rankIn({ item, enqueuedAtMs }: ActivityRow, nowMs: number): number {
  return rankOf(priorityOf(item), enqueuedAtMs, nowMs);
}

function priorityOf(item: ActivityExecute): number {
  return rankedBy(item)?.priority ?? DEFAULT_PRIORITY;
}
