/**
 * Checks whether the open files are still the files at their paths. SQLite continues in a file that was deleted or
 * replaced, and so would every process that has it open: their commits would be lost, or two groups of processes would
 * use different stores.
 *
 * - database-file.D1: A commit is confirmed only after a check, so that no commit into a deleted file is confirmed. A
 *   transaction begins only after a check, because the log beside a new file may be that of the old one. There, and for
 *   reads, a check within the last FRESH_MS suffices, because a file can be replaced right after any check.
 * - database-file.D2: After a failed check the store stays gone, even if a file appears at the path again.
 * - database-file.D3: If `stat` fails for another reason (no permission any more), nothing changes.
 * - database-file.D4: A file that had content and has none was emptied in place. SQLite never does that to a database
 *   in WAL mode. A log that was emptied has no header in front of the next commit.
 * - database-file.D5: The log and the index are checked like the database. Commits in a deleted log are found by no
 *   other process and by no restart, and two logs or two indexes damage the database. SQLite keeps both while a
 *   connection is open. They disappear when a program cleans up, or when this process opens the database file by
 *   `node:fs` or another SQLite library, which drops the locks of this process; another process then takes itself for
 *   the last one.
 * - database-file.D6: A check reads the time of the folder, which each deletion and each renaming changes, and looks at
 *   the files when it has changed. What leaves the folder as it is (emptying in place, changing a link to the database)
 *   is looked for every FRESH_MS: what was confirmed before an emptying is lost, too. Linux gives the next write of a
 *   file whose times were read a time of its own, and the sync of the commit stores it: a `stat` of the log for each
 *   commit makes commits half as long again. A change of the folder counts for as long as the times of the file system
 *   may be coarse, because another change in that time would look the same.
 *
 * A copy over the file in place keeps its identity and is not detected.
 */
import { type BigIntStats, closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, Logger } from "@duroxide-ts/core";
import { hasPassed } from "@duroxide-ts/core/stores";
import type { OpenedFiles } from "./opened-files.ts";
import { StoreGone } from "./store-gone.ts";

const FRESH_MS = 20;
/** The clock of a kernel goes on every 1 to 10 ms. */
const FINE_MS = 50;
/** The times of some file systems are whole seconds, or even ones. */
const COARSE_MS = 2_000;

const OTHER_MEANS =
  "find out what removed it (a clean-up, or code of this process that opened the file by other means)";

const ADVICE = {
  "database file":
    "give the file its name back if it was renamed (its log has the newest commits), or restore it",
  log: OTHER_MEANS,
  index: OTHER_MEANS,
} as const;

/** The first three bytes of a log; the fourth is the order of the bytes in its checksums. */
const LOG_HEADER = [0x37, 0x7f, 0x06];

export interface DatabaseFileOptions {
  /** `undefined` for a database in memory, which needs no check. */
  readonly files: OpenedFiles | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, when the log or the index is gone and the database file is the one that was opened. */
  readonly onLogGone: () => void;
}

interface Part {
  readonly what: "database file" | "log" | "index";
  readonly path: string;
  /** `undefined` if it did not exist: SQLite has no index file where it needs none. */
  readonly opened: BigIntStats | undefined;
}

export class DatabaseFile {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onLogGone: () => void;
  readonly #database: Part | undefined;
  /** The log and the index. */
  readonly #beside: readonly Part[];
  readonly #folder: string | undefined;
  /** Time of the last change of the folder that a check has seen, ms. */
  #folderMs: number | undefined;
  /** A handle of the log, to read its header (database-file.D4). */
  readonly #log: number | undefined;
  /** Whether a check has seen content: a new database has none before its first checkpoint. */
  #hasContent = false;
  #modifiedNs: bigint | undefined;
  #gone: StoreGone | undefined;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Must be called right after the files were opened, so that the files at the paths are the open ones. */
  constructor({ files, clock, logger, onLogGone }: DatabaseFileOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#onLogGone = onLogGone;
    this.#database = files && part("database file", files.path);
    this.#beside = files
      ? [part("log", `${files.realPath}-wal`), part("index", `${files.realPath}-shm`)]
      : [];
    this.#folder = files && dirname(files.realPath);
    this.#log = files && openLog(`${files.realPath}-wal`);
    this.#note(this.#database?.opened);
  }

  /** Set once a check has failed. */
  get gone(): StoreGone | undefined {
    return this.#gone;
  }

  /** The time of the last change of the database file that a check has seen, in ns. */
  get modifiedNs(): bigint | undefined {
    return this.#modifiedNs;
  }

  /**
   * Checks unless the last check was recent. For reads, and the begin of a transaction, which ends with a check
   * (database-file.D1).
   */
  checkIfStale(): void {
    if (this.#gone !== undefined || hasPassed(this.#clock.now(), this.#checkedAtMs, FRESH_MS)) this.check();
  }

  /** Checks, and throws StoreGone if a file was deleted, replaced or emptied. */
  check(): void {
    if (this.#gone !== undefined) throw this.#gone;
    if (this.#database === undefined) return;
    const nowMs = this.#clock.now();
    this.#checkedAtMs = nowMs;
    // Before the files, so that a change between the two is found by the next check.
    const isChanged = this.#isFolderChanged(nowMs);
    if (!isChanged && !hasPassed(nowMs, this.#lookedAtMs, FRESH_MS)) return;
    this.#lookedAtMs = nowMs;
    this.#checkPart(this.#database);
    for (const each of isChanged ? this.#beside : []) this.#checkPart(each);
    const [log] = this.#beside;
    if (log?.opened !== undefined && this.#lacksHeader()) throw this.#lost(log, "emptied");
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
  }

  /** database-file.D6 */
  #isFolderChanged(nowMs: number): boolean {
    const before = this.#folderMs;
    this.#folderMs = this.#folder === undefined ? undefined : changeOf(this.#folder);
    if (this.#folderMs === undefined || this.#folderMs !== before) return true;
    return nowMs - this.#folderMs < (Number.isInteger(this.#folderMs) ? COARSE_MS : FINE_MS);
  }

  #checkPart(each: Part): void {
    const happened = this.#whatHappened(each);
    if (happened !== undefined) throw this.#lost(each, happened);
  }

  #lost({ what, path }: Part, happened: string): StoreGone {
    const message = `the ${what} ${path} was ${happened} while it was open; nothing more is stored: end this process, ${ADVICE[what]}, and start again`;
    this.#gone = new StoreGone(message);
    this.#logger.error({ event: "database_file_gone", path }, message);
    if (what !== "database file") this.#onLogGone();
    return this.#gone;
  }

  #whatHappened({ what, path, opened }: Part): "deleted or renamed" | "replaced" | "emptied" | undefined {
    if (opened === undefined) return undefined;
    let now: BigIntStats | undefined;
    try {
      now = look(path);
    } catch {
      return undefined;
    }
    if (now === undefined) return "deleted or renamed";
    if (now.dev !== opened.dev || now.ino !== opened.ino) return "replaced";
    if (what === "database file") {
      if (now.size === 0n && this.#hasContent) return "emptied";
      this.#note(now);
    }
    return undefined;
  }

  #note(database: BigIntStats | undefined): void {
    this.#hasContent ||= (database?.size ?? 0n) > 0n;
    this.#modifiedNs = database?.mtimeNs;
  }

  /** database-file.D4. A log without any content is a new one, or one whose commits are all in the database. */
  #lacksHeader(): boolean {
    if (this.#log === undefined) return false;
    const header = new Uint8Array(LOG_HEADER.length);
    const read = readSync(this.#log, header, 0, header.length, 0);
    return read > 0 && LOG_HEADER.some((byte, index) => header[index] !== byte);
  }
}

function part(what: Part["what"], path: string): Part {
  return { what, path, opened: look(path) };
}

/** The time of the last change of a folder, ms with fractions; `undefined` if it cannot be read (database-file.D3). */
function changeOf(folder: string): number | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * `undefined` if there is none, or this process may not read it. Closing it drops no lock, because SQLite locks others.
 */
function openLog(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
