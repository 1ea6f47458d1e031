/**
 * Activities that this process wrote, and may lock without looking for them. A lock that it took itself is known to
 * end, too. Others may take them first; then the lock fails, and they are forgotten.
 */
import { compareQueued } from "../schema/queue-order.ts";
import type { ActivityRow } from "../schema/rows.ts";

/** More than a process works off between two looks at the store. */
const CAPACITY = 10_000;

/** What nobody here has taken for so long is for workers of other processes. */
const STALE_MS = 60_000;

interface Ready {
  readonly row: ActivityRow;
  /** When this process heard of it first. */
  readonly arrival: number;
}

export class ReadyActivities {
  /** In queue order. */
  #ready: Ready[] = [];
  #arrivals = 0;

  add(row: ActivityRow): void {
    const known = this.#ready.find((each) => each.row.id === row.id);
    const isFresh = (each: Ready): boolean => each.row.visibleAtMs > row.visibleAtMs - STALE_MS;
    if (this.#ready.length >= CAPACITY) this.#ready = this.#ready.filter(isFresh);
    if (known === undefined && this.#ready.length >= CAPACITY) return;
    this.remove(row.id);
    const added = { row, arrival: known?.arrival ?? this.#arrivals++ };
    const index = this.#ready.findIndex((each) => isBefore(added, each));
    if (index < 0) this.#ready.push(added);
    else this.#ready.splice(index, 0, added);
  }

  has(id: string): boolean {
    return this.#ready.some(({ row }) => row.id === id);
  }

  remove(id: string): void {
    const index = this.#ready.findIndex(({ row }) => row.id === id);
    if (index >= 0) this.#ready.splice(index, 1);
  }

  /** The oldest that is visible and accepted; it stays until it is removed. */
  first(nowMs: number, accepts: (row: ActivityRow) => boolean): ActivityRow | undefined {
    return this.#ready.find(({ row }) => row.visibleAtMs <= nowMs && accepts(row))?.row;
  }

  /** When the next one becomes visible; infinite where none will. */
  nextDueMs(nowMs: number): number {
    const hidden = this.#ready.filter(({ row }) => row.visibleAtMs > nowMs);
    return Math.min(...hidden.map(({ row }) => row.visibleAtMs));
  }
}

function isBefore(a: Ready, b: Ready): boolean {
  return (compareQueued(a.row, b.row) || a.arrival - b.arrival) < 0;
}
