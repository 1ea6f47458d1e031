/**
 * Whether the file that is open is still the one that its path names. SQLite goes on in a file that was deleted or
 * replaced, and so would every process that has it open: what it commits is lost, or two groups of processes work
 * on different stores without knowing it.
 *
 * D1  A commit is answered only after a look, so nothing is acknowledged that went into a file without a name.
 *     A transaction begins only after one, because the log beside a new file may be that of the old one; a look of
 *     FRESH_MS ago is as good, since a file can be replaced right after any look.
 * D2  What was gone once stays gone, though a file should appear at the path again.
 * D3  A look is one `stat`. What it cannot tell (no permission any more) changes nothing.
 *
 * A copy over the file in place keeps its identity and is not noticed.
 */
import { type BigIntStats, statSync } from "node:fs";
import type { Clock, Logger } from "@duroxide-ts/core";

/** Thrown by a look; callers get a ProviderError with the code `store-gone`. */
export class StoreGone extends Error {}

const FRESH_MS = 20;

export interface DatabaseFileOptions {
  /** `undefined`: in memory, where nothing can happen to it. */
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class DatabaseFile {
  readonly #path: string | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #opened: BigIntStats | undefined;
  #gone: StoreGone | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Right after the file was opened, so that what stands at the path is what is open. */
  constructor({ path, clock, logger }: DatabaseFileOptions) {
    this.#path = path;
    this.#clock = clock;
    this.#logger = logger;
    this.#opened = path === undefined ? undefined : look(path);
  }

  /** Set once a look has found that the file is gone. */
  get gone(): StoreGone | undefined {
    return this.#gone;
  }

  /** Before and in a transaction, which ends with a look (D1): looks where the last look was not just now. */
  checkIfStale(): void {
    if (this.#gone !== undefined || this.#clock.now() - this.#lookedAtMs >= FRESH_MS) this.check();
  }

  /** Looks, and throws StoreGone if the file is not there any more. */
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

  #whatHappened(path: string, opened: BigIntStats): "deleted" | "replaced" | undefined {
    let now: BigIntStats | undefined;
    try {
      now = look(path);
    } catch {
      return undefined;
    }
    if (now === undefined) return "deleted";
    return now.dev === opened.dev && now.ino === opened.ino ? undefined : "replaced";
  }
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
