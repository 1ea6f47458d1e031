/**
 * One transaction that writes items: everything in it shares an instant, and its writes to a physical partition
 * share one position (LSN) until the next unit begins. Positions, counters and journals change in memory only
 * once SQLite has committed.
 */
import type { Connection } from "./connection.ts";
import type { RowChange } from "./journal.ts";
import type { Partition } from "./partition.ts";

/** Where a write stands. */
export interface WritePosition {
  readonly lsn: number;
  /** Which one it is in its transaction. */
  readonly ordinal: number;
}

export class WriteTransaction {
  readonly nowMs: number;
  /** Seconds, for `_ts`. */
  readonly timestamp: number;
  readonly #touched = new Map<Partition, TouchedPartition>();
  readonly #changes: { readonly partition: Partition; readonly lsn: number; readonly change: RowChange }[] =
    [];
  #unit = 0;
  #ordinal = 0;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
    this.timestamp = Math.floor(nowMs / 1000);
  }

  /** The position of a write that is about to be made. */
  next(partition: Partition): WritePosition {
    const touched = this.#touched.get(partition);
    const lsn = touched?.unit === this.#unit ? touched.lsn : this.lsnOf(partition) + 1;
    return { lsn, ordinal: this.#ordinal++ };
  }

  /** Later writes get positions after those of earlier ones, as if they were another transaction. */
  beginUnit(): void {
    this.#unit++;
  }

  /** The position of the latest write of the partition, as this transaction sees it. */
  lsnOf(partition: Partition): number {
    return this.#touched.get(partition)?.lsn ?? partition.lsn;
  }

  /** Notes a write that was made. */
  record(partition: Partition, { lsn }: WritePosition, change: RowChange): void {
    const lastSeq = Math.max(this.#touched.get(partition)?.lastSeq ?? 0, change.seq);
    this.#touched.set(partition, { lsn, unit: this.#unit, lastSeq });
    this.#changes.push({ partition, lsn, change });
  }

  /** What was noted since is forgotten when an inner part of the transaction is undone. */
  savepoint(): () => void {
    const touched = [...this.#touched];
    const changes = this.#changes.length;
    return () => {
      this.#touched.clear();
      for (const [partition, state] of touched) this.#touched.set(partition, state);
      this.#changes.length = changes;
    };
  }

  /** The last writes of the transaction. */
  store(connection: Connection): void {
    for (const [partition, { lsn, lastSeq }] of this.#touched) {
      connection.run(
        "UPDATE partitions SET lsn = ?, last_seq = max(last_seq, ?) WHERE container = ? AND id = ?",
        lsn,
        lastSeq,
        partition.container,
        partition.id,
      );
    }
  }

  /** To be called after the commit. */
  publish(): void {
    for (const [partition, { lsn }] of this.#touched) partition.lsn = lsn;
    for (const { partition, lsn, change } of this.#changes) partition.journal.record(lsn, change);
  }
}

interface TouchedPartition {
  readonly lsn: number;
  /** In which its latest write was made. */
  readonly unit: number;
  readonly lastSeq: number;
}
