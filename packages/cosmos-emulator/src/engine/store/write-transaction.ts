/**
 * One transaction that writes items: everything in it shares an instant, and its writes to a physical partition
 * share one position (LSN) until the next unit begins. Positions, counters and journals change in memory only
 * once SQLite has committed.
 *
 * - write-transaction.WT1: The position of a partition only grows.
 * - write-transaction.WT2: No partition has fewer items than none, or fewer bytes: what goes was counted when it came.
 */
import { invariant } from "../../protocol/invariant.ts";
import type { Connection } from "./connection.ts";
import type { RowChange } from "./journal.ts";
import type { Partition } from "./partition.ts";

/** The position of a write. */
export interface WritePosition {
  readonly lsn: number;
  /** Number of the write in its transaction. */
  readonly ordinal: number;
}

export class WriteTransaction {
  readonly nowMs: number;
  /** Seconds, for `_ts`. */
  readonly timestamp: number;
  readonly #touched = new Map<Partition, TouchedPartition>();
  /** Tables whose expired items are removed. */
  #swept: ReadonlySet<string> = new Set();
  readonly #changes: { readonly partition: Partition; readonly lsn: number; readonly change: RowChange }[] =
    [];
  #unit = 0;
  #ordinal = 0;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
    this.timestamp = Math.floor(nowMs / 1000);
  }

  /** Returns true once for each table: nothing more expires within the instant of the transaction. */
  beginSweep(table: string): boolean {
    if (this.#swept.has(table)) return false;
    this.#swept = new Set([...this.#swept, table]);
    return true;
  }

  /** Returns the position of a write that is about to be made. */
  next(partition: Partition): WritePosition {
    const { unit, lsn: latest } = this.#touchedOrNot(partition);
    const lsn = unit === this.#unit ? latest : latest + 1;
    return { lsn, ordinal: this.#ordinal++ };
  }

  /** Begins a unit, whose writes get positions after those of earlier ones, as if they were another transaction. */
  beginUnit(): void {
    this.#unit++;
  }

  /** Returns the position of the latest write of the partition, as this transaction sees it. */
  lsnOf(partition: Partition): number {
    return this.#touched.get(partition)?.lsn ?? partition.lsn;
  }

  /**
   * Notes a write that was made.
   * @param bytes Of the item as it is now; undefined where it is gone.
   */
  record(partition: Partition, { lsn }: WritePosition, change: RowChange, bytes: number | undefined): void {
    const { lastSeq, ...before } = this.#touchedOrNot(partition);
    invariant(lsn >= before.lsn, "write-transaction.WT1");
    const { seq, before: replaced } = change;
    this.#touched.set(partition, {
      lsn,
      unit: this.#unit,
      lastSeq: Math.max(lastSeq, seq),
      items: before.items + (bytes === undefined ? 0 : 1) - (replaced === undefined ? 0 : 1),
      bytes: before.bytes + (bytes ?? 0) - (replaced === undefined ? 0 : Buffer.byteLength(replaced.body)),
    });
    this.#changes.push({ partition, lsn, change });
  }

  /** Notes the removal of an expired item, which is no write: no position, and no replica shows the item again. */
  recordExpiry(partition: Partition, bytes: number): void {
    const touched = this.#touchedOrNot(partition);
    this.#touched.set(partition, { ...touched, items: touched.items - 1, bytes: touched.bytes - bytes });
  }

  /** Remembers this moment. The returned function forgets what was noted since, for an inner part that is undone. */
  savepoint(): () => void {
    const touched = [...this.#touched];
    const changes = this.#changes.length;
    const swept = this.#swept;
    return () => {
      this.#swept = swept;
      this.#touched.clear();
      for (const [partition, state] of touched) this.#touched.set(partition, state);
      this.#changes.length = changes;
    };
  }

  /** Writes the positions and counts of the partitions, at the end of the transaction. */
  store(connection: Connection): void {
    for (const [partition, { lsn, lastSeq, items, bytes }] of this.#touched) {
      invariant(partition.items + items >= 0 && partition.bytes + bytes >= 0, "write-transaction.WT2");
      connection.run(
        "UPDATE partitions SET lsn = ?, last_seq = max(last_seq, ?), items = items + ?, bytes = bytes + ? WHERE container = ? AND id = ?",
        lsn,
        lastSeq,
        items,
        bytes,
        partition.container,
        partition.id,
      );
    }
  }

  /** Changes positions, counters and journals in memory, after the commit. */
  publish(): void {
    for (const [partition, { lsn, items, bytes }] of this.#touched) {
      partition.lsn = lsn;
      partition.items += items;
      partition.bytes += bytes;
    }
    for (const { partition, lsn, change } of this.#changes) partition.journal.record(lsn, change);
  }

  #touchedOrNot(partition: Partition): TouchedPartition {
    const untouched = { lsn: partition.lsn, unit: undefined, lastSeq: 0, items: 0, bytes: 0 };
    return this.#touched.get(partition) ?? untouched;
  }
}

interface TouchedPartition {
  readonly lsn: number;
  /** Unit of the latest write; undefined where items have only expired. */
  readonly unit: number | undefined;
  readonly lastSeq: number;
  /** Number of items added by the transaction. */
  readonly items: number;
  /** Number of bytes added by the transaction. */
  readonly bytes: number;
}
