/**
 * Ranked rows that this process knows, and the one that goes first (docs/decisions/limits.md). Keys take turns; within a
 * key the oldest of the highest priority goes first, or what has waited for too long.
 */
import { crc32 } from "node:zlib";
import type { Clock } from "@duroxide-ts/core";
import {
  type ActivityExecute,
  DEFAULT_PRIORITY,
  groupOfKey,
  isOverdue,
  rankOf,
} from "@duroxide-ts/core/stores";
import { compareQueued } from "../documents/queue-order.ts";
import { NO_LIMIT, rankedBy } from "../documents/ranked.ts";
import type { ActivityRow } from "../documents/rows.ts";
import { RankedQueue } from "./ranked-queue.ts";

/** More rows than a process begins between two searches. */
const MOST = 10_000;

/** Processes that meet at the same rows choose among so many of the oldest, for so long. */
const CONTENDED_ROWS = 16;
const CONTENDED_MS = 10_000;

export class RankedRows {
  readonly #clock: Clock;
  readonly #keys = new Map<string, RankedQueue>();
  readonly #keyOf = new Map<string, string>();
  /** The last turn of each key, as a number that grows. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  /** Order in which this process tries rows while others are first at them. */
  readonly #ownKey: () => string;
  #contendedUntilMs = Number.NEGATIVE_INFINITY;

  /** `ownKey` is of this process only. */
  constructor(clock: Clock, ownKey: () => string) {
    this.#clock = clock;
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
    const { key, priority } = rankedBy(row.item) ?? { key: NO_LIMIT, priority: DEFAULT_PRIORITY };
    if (!this.has(row.id) && this.#keyOf.size >= MOST) return;
    const queue = this.#keys.get(key) ?? new RankedQueue(this.#clock, MOST);
    this.#keys.set(key, queue);
    queue.put(row, priority);
    this.#keyOf.set(row.id, key);
  }

  remove(id: string): void {
    const key = this.#keyOf.get(id);
    if (key === undefined) return;
    this.#keyOf.delete(id);
    const queue = this.#keys.get(key);
    queue?.remove(id);
    if (queue?.isEmpty === true) this.#keys.delete(key);
  }

  rows(): readonly ActivityRow[] {
    return [...this.#keys.values()].flatMap((queue) => queue.rows());
  }

  /** Called when an instance was deleted. */
  removeInstance(instanceId: string): readonly string[] {
    const ids = this.rows()
      .filter(({ document }) => document.instanceId === instanceId)
      .map(({ id }) => id);
    for (const id of ids) this.remove(id);
    return ids;
  }

  /** The next one of a key whose turn it is. `isOpen`: whether one of the key may begin. */
  first(
    nowMs: number,
    accepts: (row: ActivityRow) => boolean,
    isOpen: (key: string) => boolean,
    turns: ReadonlyMap<string, number> = this.#turns,
  ): ActivityRow | undefined {
    let first: ActivityRow | undefined;
    let firstTurn = 0;
    for (const [key, queue] of this.#keys) {
      if (key === NO_LIMIT || !isOpen(key)) continue;
      const head = this.#headOf(queue, nowMs, accepts);
      if (head === undefined) continue;
      const turn = turns.get(key) ?? 0;
      const order =
        first === undefined
          ? -1
          : rankIn(head, nowMs) - rankIn(first, nowMs) || turn - firstTurn || compareQueued(head, first);
      if (order >= 0) continue;
      first = head;
      firstTurn = turn;
    }
    const free = this.#headOf(this.#keys.get(NO_LIMIT), nowMs, accepts);
    return first !== undefined && free !== undefined && goesFirst(free, first, nowMs)
      ? free
      : (first ?? free);
  }

  /** Another process was first at a row. */
  lost(nowMs: number): void {
    this.#contendedUntilMs = nowMs + CONTENDED_MS;
  }

  #headOf(
    queue: RankedQueue | undefined,
    nowMs: number,
    accepts: (row: ActivityRow) => boolean,
  ): ActivityRow | undefined {
    const head = queue?.first(nowMs, accepts);
    if (queue === undefined || head === undefined) return undefined;
    if (nowMs >= this.#contendedUntilMs || isOverdue(head.enqueuedAtMs, nowMs)) return head;
    const keyOf = ({ id }: ActivityRow): number => crc32(this.#ownKey() + id);
    const alike = queue.alike(head, nowMs, accepts, CONTENDED_ROWS);
    return alike.reduce((a, b) => (keyOf(b) < keyOf(a) ? b : a), head);
  }

  /** The first ones of the keys, in the order in which they may begin. */
  inOrder(nowMs: number, isOpen: (key: string) => boolean, most: number): readonly ActivityRow[] {
    const rows = new Set<ActivityRow>();
    const turns = new Map(this.#turns);
    while (rows.size < most) {
      const next = this.first(nowMs, (row) => !rows.has(row), isOpen, turns);
      if (next === undefined) break;
      rows.add(next);
      turns.set(rankedBy(next.item)?.key ?? NO_LIMIT, this.#turn + rows.size);
    }
    return [...rows];
  }

  /** The first levels of the keys. */
  groups(): readonly string[] {
    return [...new Set([...this.#keys.keys()].map(groupOfKey))];
  }

  /** The turn of the key is over. */
  served({ item }: ActivityRow): void {
    const key = rankedBy(item)?.key;
    if (key === undefined || key === NO_LIMIT) return;
    this.#turns.set(key, ++this.#turn);
    if (this.#turns.size > MOST) this.#turns.clear();
  }

  /** Keys of which rows wait that are accepted, with the number of all; those that were served last come last. */
  waiting(nowMs: number, accepts: (row: ActivityRow) => boolean): ReadonlyMap<string, number> {
    const waiting = [...this.#keys]
      .map(([key, queue]) => [key, queue.waiting(nowMs, accepts)] as const)
      .filter(([, count]) => count > 0);
    return new Map(waiting.sort(([a], [b]) => (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0)));
  }

  /** The next end of a lock or a delay, ms since the epoch. */
  get nextDueMs(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { nextMs } of this.#keys.values()) first = Math.min(first, nextMs);
    return first;
  }
}

/** Whether `a` goes before `b`, of different keys or without one. */
export function goesFirst(a: ActivityRow, b: ActivityRow, nowMs: number): boolean {
  return (rankIn(a, nowMs) - rankIn(b, nowMs) || compareQueued(a, b)) < 0;
}

function rankIn({ item, enqueuedAtMs }: ActivityRow, nowMs: number): number {
  return rankOf(priorityOf(item), enqueuedAtMs, nowMs);
}

function priorityOf(item: ActivityExecute): number {
  return rankedBy(item)?.priority ?? DEFAULT_PRIORITY;
}
