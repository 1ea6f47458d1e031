/**
 * Checks whether the open file is still the file at its path. SQLite continues in a file that was deleted or replaced,
 * and so would every process that has it open: their commits would be lost, or two groups of processes would use
 * different stores.
 *
 * D1  A commit is confirmed only after a check, so that no commit into a deleted file is confirmed. A transaction
 *     begins only after a check, because the log beside a new file may be that of the old one. A check within the last
 *     FRESH_MS suffices, because a file can be replaced right after any check.
 * D2  After a failed check the store stays gone, even if a file appears at the path again.
 * D3  A check is one `stat`. If `stat` fails for another reason (no permission any more), nothing changes.
 *
 * D4  A file that had content and has none was emptied in place. SQLite never does that to a database in WAL mode.
 *
 * A copy over the file in place keeps its identity and is not detected.
 */
import { type BigIntStats, statSync } from "node:fs";
import type { Clock, Logger } from "@duroxide-ts/core";

/** Thrown by a check; callers get a ProviderError with the code `store-gone`. */
export class StoreGone extends Error {}

const FRESH_MS = 20;

export interface DatabaseFileOptions {
  /** `undefined` for a database in memory, which needs no check. */
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class DatabaseFile {
  readonly #path: string | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #opened: BigIntStats | undefined;
  /** Whether a check has seen content: a new database has none before its first checkpoint. */
  #hasContent = false;
  #gone: StoreGone | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Must be called right after the file was opened, so that the file at the path is the open one. */
  constructor({ path, clock, logger }: DatabaseFileOptions) {
    this.#path = path;
    this.#clock = clock;
    this.#logger = logger;
    this.#opened = path === undefined ? undefined : look(path);
    this.#hasContent = (this.#opened?.size ?? 0n) > 0n;
  }

  /** Set once a check has failed. */
  get gone(): StoreGone | undefined {
    return this.#gone;
  }

  /** For the begin of a transaction, which ends with a check (D1): checks unless the last check was recent. */
  checkIfStale(): void {
    if (this.#gone !== undefined || this.#clock.now() - this.#lookedAtMs >= FRESH_MS) this.check();
  }

  /** Checks, and throws StoreGone if the file was deleted, replaced or emptied. */
  check(): void {
    if (this.#gone !== undefined) throw this.#gone;
    const path = this.#path;
    if (path === undefined || this.#opened === undefined) return;
    this.#lookedAtMs = this.#clock.now();
    const what = this.#whatHappened(path, this.#opened);
    if (what === undefined) return;
    const message = `the database file ${path} was ${what} while it was open; nothing more is stored: end this process, restore the file if need be, and start again`;
    this.#gone = new StoreGone(message);
    this.#logger.error({ event: "database_file_gone", path }, message);
    throw this.#gone;
  }

  #whatHappened(path: string, opened: BigIntStats): "deleted" | "replaced" | "emptied" | undefined {
    let now: BigIntStats | undefined;
    try {
      now = look(path);
    } catch {
      return undefined;
    }
    if (now === undefined) return "deleted";
    if (now.dev !== opened.dev || now.ino !== opened.ino) return "replaced";
    if (now.size === 0n && this.#hasContent) return "emptied";
    this.#hasContent ||= now.size > 0n;
    return undefined;
  }
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
