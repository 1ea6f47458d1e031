/**
 * The rows that the latest writes of a physical partition replaced, so that a stale read can be answered exactly.
 * Kept in memory: after a restart every replica is up to date.
 */
import type { ItemRow } from "./item-row.ts";

/** The change of one row by one write. */
export interface RowChange {
  readonly seq: number;
  /** The row as it was; undefined if the write created it. */
  readonly before: ItemRow | undefined;
}

interface JournalEntry {
  readonly lsn: number;
  readonly changes: RowChange[];
}

/** Number of writes that are remembered. */
const LENGTH = 64;

export class Journal {
  readonly #entries: JournalEntry[] = [];

  record(lsn: number, change: RowChange): void {
    const last = this.#entries.at(-1);
    if (last?.lsn === lsn) {
      last.changes.push(change);
      return;
    }
    this.#entries.push({ lsn, changes: [change] });
    // Cutting in steps keeps the cost of a write constant.
    if (this.#entries.length >= 2 * LENGTH) this.#entries.splice(0, LENGTH);
  }

  /** Returns the changes of the latest writes, latest first; of all that are remembered, if these are fewer. */
  latest(writes: number): readonly RowChange[] {
    return this.#latest(writes)
      .flatMap((entry) => entry.changes)
      .reverse();
  }

  /** Returns the position of a replica that lacks these latest writes; undefined if there is none to lack. */
  positionWithout(writes: number): number | undefined {
    const [first] = this.#latest(writes);
    return first && first.lsn - 1;
  }

  #latest(writes: number): readonly JournalEntry[] {
    return writes <= 0 ? [] : this.#entries.slice(-Math.min(writes, LENGTH));
  }
}
