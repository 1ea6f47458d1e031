/** Opens or creates the file, sets how SQLite works on it, and brings the schema up to date. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ProviderError, sleep } from "@duroxide-ts/core";
import { messageOf } from "./codec.ts";
import { Database } from "./database.ts";
import type { Settings } from "./options.ts";
import { cannotOpen, migrate } from "./schema/migrate.ts";
import { isBusy, sqliteCode, toProviderError } from "./sqlite-error.ts";

export const IN_MEMORY = ":memory:";

/** SQLite itself waits only so long, since it blocks the event loop; the rest is waited for by the clock. */
const BLOCKING_BUSY_TIMEOUT_MS = 5;

/**
 * Of a new file. A commit writes whole pages, and a turn touches about ten of them with a row each: half of
 * SQLite's usual size makes commits of single turns a quarter cheaper (docs/decisions/0005-sqlite-schema.md).
 */
const PAGE_BYTES = 2_048;

/**
 * Pages that the write-ahead log may have before a commit copies them into the database: 4 MB. A commit that
 * writes over an older part of the log is synced a third faster than one that makes the file longer, so a log
 * that is reused soon is worth more than rare checkpoints.
 */
const CHECKPOINT_PAGES = 2_000;

/** What the log is cut back to after a transaction that was larger. */
const LARGEST_LOG_BYTES = 64 * 1024 * 1024;

const CACHE_KB = 32_768;

export async function openDatabase(path: string, settings: Settings): Promise<Database> {
  if (path === "") throw cannotOpen(`the path is empty; name a file, or ${IN_MEMORY}`);
  if (path !== IN_MEMORY) prepareDirectory(path);
  const giveUpMs = settings.clock.now() + settings.busyTimeoutMs;
  for (;;) {
    try {
      return connect(path, settings);
    } catch (error) {
      if (ProviderError.is(error)) throw error;
      if (!isBusy(error)) throw openFailure(path, error);
      if (settings.clock.now() >= giveUpMs) throw toProviderError("open", error);
    }
    await sleep(settings.clock, Math.ceil(settings.random.next() * 20));
  }
}

function connect(path: string, { synchronous, maxSizeBytes }: Settings): Database {
  const db = new Database(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT_MS}`);
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.exec(`PRAGMA journal_size_limit = ${LARGEST_LOG_BYTES}`);
    db.exec(`PRAGMA cache_size = ${-CACHE_KB}`);
    db.exec("PRAGMA temp_store = MEMORY");
    migrate(db);
    if (maxSizeBytes !== undefined) limitSize(db, maxSizeBytes);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite does not go below what the file has already. */
function limitSize(db: Database, maxSizeBytes: number): void {
  const pageSize = db.get<{ page_size: number }>("PRAGMA page_size")?.page_size ?? 4096;
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxSizeBytes / pageSize))}`);
}

function prepareDirectory(path: string): void {
  const directory = dirname(path);
  try {
    mkdirSync(directory, { recursive: true });
  } catch (cause) {
    throw cannotOpen(
      `the directory ${directory} cannot be created (${messageOf(cause)}); choose another path`,
      cause,
    );
  }
}

function openFailure(path: string, cause: unknown): ProviderError {
  const reason = messageOf(cause);
  if (isDirectory(path)) return cannotOpen(`${path} is a directory; name a file`, cause);
  const code = sqliteCode(cause);
  if (code === 26) return cannotOpen(`${path} is not an SQLite database; choose another path`, cause);
  if (code === 11) return cannotOpen(`${path} is damaged (${reason}); restore it from a backup`, cause);
  if (code === 13) return toProviderError("open", cause);
  return cannotOpen(`${path} cannot be opened (${reason}); check that it may be read and written`, cause);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
