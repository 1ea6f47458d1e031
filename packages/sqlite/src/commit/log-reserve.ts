/**
 * Extends the write-ahead log before commits need the room (docs/decisions/sqlite-commits.md). The sync of a
 * commit that extends the file also writes metadata of the file system, and takes about twice as long as one of a
 * commit that overwrites a part of the file.
 *
 * - log-reserve.R1: Only a process that fetches work extends the log: others commit too seldom.
 * - log-reserve.R2: A log that has outgrown its reserve gets eight times its size, until it has the size at which a
 *   checkpoint starts it again.
 * - log-reserve.R3: The room is made by SQLite, under its write lock: a transaction larger than its cache writes to the
 *   log, and is rolled back. Frames after the last commit are overwritten by the next one, and a recovery ignores them.
 * - log-reserve.R4: A failure ends the reservations of this process and nothing else. What is wrong is reported by a
 *   commit.
 */
import { statSync } from "node:fs";
import type { Database } from "../connection/database.ts";
import { CACHE_KB, CHECKPOINT_PAGES, PAGE_BYTES } from "../connection/open-database.ts";

const LEAST_BYTES = 256 * 1024;

/** Factor of each extension. With 2, a process commits sixty hellos before its log is whole. */
const GROWTH = 8;

/** A commit may pass the size at which it starts a checkpoint. */
const MOST_BYTES = (CHECKPOINT_PAGES + 100) * PAGE_BYTES;

/** The cache while the log is extended. Its pages are not written to the log. */
const FEW_PAGES = 10;

/** A table without an index, so that all that is written is one value. */
const FILL = `INSERT INTO dead_letters (queue, instance_id, work_item, reason, moved_at)
  VALUES ('', '', CAST(zeroblob(?) AS TEXT), '', 0)`;

export class LogReserve {
  readonly #db: Database;
  readonly #path: string | undefined;
  #fetchesWork = false;
  #reservedBytes = 0;

  /** `path` is that of the database; `undefined` for one in memory, which has no log. */
  constructor(db: Database, path: string | undefined) {
    this.#db = db;
    this.#path = path;
  }

  /** Called at each fetch (log-reserve.R1). */
  fetched(): void {
    this.#fetchesWork = true;
  }

  /** The log has had its largest size while this process fetched work. */
  get isWhole(): boolean {
    return this.#fetchesWork && this.#reservedBytes >= MOST_BYTES;
  }

  /** Called after a commit, while no transaction is open. */
  committed(): void {
    if (!this.#fetchesWork || this.#path === undefined || this.#reservedBytes >= MOST_BYTES) return;
    const bytes = logBytes(this.#path);
    if (bytes <= this.#reservedBytes) return;
    const wanted = Math.min(Math.max(GROWTH * bytes, LEAST_BYTES), MOST_BYTES);
    const isExtended = bytes < wanted && this.#extend(wanted - bytes);
    this.#reservedBytes = isExtended ? logBytes(this.#path) : MOST_BYTES;
  }

  /** False if nothing was reserved (log-reserve.R4). */
  #extend(bytes: number): boolean {
    const db = this.#db;
    try {
      db.exec(`PRAGMA cache_size = ${FEW_PAGES}`);
      db.run("BEGIN IMMEDIATE");
      try {
        db.run(FILL, bytes + FEW_PAGES * PAGE_BYTES);
        return true;
      } finally {
        db.run("ROLLBACK");
      }
    } catch {
      return false;
    } finally {
      db.exec(`PRAGMA cache_size = ${-CACHE_KB}`);
    }
  }
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? MOST_BYTES;
}
