/**
 * Opens or creates the file, sets the options of SQLite, and migrates the schema.
 *
 * - open-database.O1: The file of another application is rejected before any change: its bytes, its journal mode and
 *   the files beside it are not changed.
 * - open-database.O2: Opening takes the write lock only if there is something to write: a new file or an older schema.
 * - open-database.O3: What a caller reads, no power failure takes back. SQLite shows the commit of a living process
 *   after its sync, or the reader syncs it (commit/log-sync.ts). The first process that opens the file also finds what a
 *   killed one had written without a sync, because SQLite recovers the log; so an open syncs the log before it returns.
 *   `durability: "process"` does without these syncs.
 * - open-database.O4: The log of another file is not applied to one that was put in its place, such as a backup. The
 *   counter of schema changes in the first page grows with each change, and a checkpoint moves it from the log into the
 *   file, so a log has the counter of its file, or one that is a few changes ahead. `duroxide backup` gives each copy a
 *   counter of its own, and every copy by VACUUM counts one further.
 */
import { closeSync, fdatasyncSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "@duroxide-ts/core";
import { messageOf, ProviderError, sleep } from "@duroxide-ts/core/stores";
import { Database } from "./database.ts";
import {
  checkPath,
  exists,
  hasLog,
  IN_MEMORY,
  isDirectory,
  isOnReadOnlyMedium,
  prepareDirectory,
  whyNotWritable,
} from "./database-path.ts";
import { openLog } from "./disk.ts";
import { givePart, isDiskFull } from "./disk-reserve.ts";
import { lackOfDescriptors } from "./free-descriptors.ts";
import { type OpenedFiles, realPathOf, refuseOtherNames } from "./opened-files.ts";
import type { Settings } from "./options.ts";
import { cannotOpen, isBusy, sqliteCode, storeFull, tooManyFiles, toProviderError } from "./sqlite-error.ts";

/** SQLite waits only briefly for a lock, because its wait blocks the event loop; further waits use the clock. */
const BLOCKING_BUSY_TIMEOUT_MS = 5;

/**
 * The page size of a new file. A commit writes whole pages, and a turn changes one row in each of about ten pages: half
 * of SQLite's usual size makes commits of single turns a quarter cheaper (docs/decisions/sqlite-files.md).
 */
export const PAGE_BYTES = 2_048;

/**
 * Pages that the write-ahead log may have before a commit copies them into the database: 4 MB. The sync of a commit
 * that overwrites an older part of the log is a third faster than one that extends the file, so frequent reuse of the
 * log saves more than rare checkpoints.
 */
export const CHECKPOINT_PAGES = 2_000;

/** The log is truncated to this size after a larger transaction. */
const LARGEST_LOG_BYTES = 64 * 1024 * 1024;

export const CACHE_KB = 32_768;

/** Changes of the schema that a log may have; a new file has about sixty. */
const MOST_CHANGES = 1_000;

/** The schema functions, passed in because `schema/` is above this folder. */
export interface Schema {
  /** Rejects a file of another application or a newer version; takes no lock and changes nothing. */
  inspect(db: Database): "current" | "older" | "new";
  /** Migrates the file to this version; writes nothing if it is current. */
  migrate(db: Database): void;
}

export interface OpenedDatabase {
  readonly db: Database;
  /** Absolute, so that a change of the working directory does not change the file. `undefined`: in memory. */
  readonly files: OpenedFiles | undefined;
}

export async function openDatabase(
  given: string,
  settings: Settings,
  schema: Schema,
): Promise<OpenedDatabase> {
  checkPath(given);
  const path = given === IN_MEMORY ? undefined : resolve(given);
  if (path !== undefined) prepareFile(path, settings);
  const existing = path === undefined ? undefined : realPathOf(path);
  const giveUpMs = settings.clock.now() + settings.busyTimeoutMs;
  for (;;) {
    try {
      const db = connect(existing, settings, schema);
      return { db, files: path === undefined ? undefined : { path, realPath: realPathOf(path) } };
    } catch (error) {
      if (ProviderError.is(error)) throw error;
      if (existing !== undefined && givePart(existing)) continue;
      if (!isBusy(error)) throw openFailure(given, error, settings);
      if (settings.clock.now() >= giveUpMs) throw toProviderError("open", error);
    }
    await sleep(settings.clock, Math.ceil(settings.random.next() * 20));
  }
}

function prepareFile(path: string, { readOnly, logger }: Settings): void {
  if (isDirectory(path)) throw cannotOpen(`${path} is a directory; name a file`);
  refuseOtherNames(realPathOf(path));
  refuseLoneLog(realPathOf(path));
  if (!readOnly) {
    const directory = prepareDirectory(path);
    if (directory !== undefined) warnOfDirectory(directory, path, logger);
  } else if (!exists(path)) {
    throw cannotOpen(`${path} does not exist; open it without readOnly to create it`);
  }
}

/** A volume that is not mounted, or whose path is misspelt, would otherwise be an empty store without a word. */
function warnOfDirectory(directory: string, path: string, logger: Logger): void {
  logger.warn(
    { event: "directory_created", directory, path },
    `the directory ${directory} was not there and was created for a new store, ${path}`,
  );
}

/** SQLite would delete the log beside a new file, or apply it to the file. */
function refuseLoneLog(path: string): void {
  if (exists(path) || !hasLog(path)) return;
  throw cannotOpen(
    `${path} is not there, but its log ${path}-wal is, with the newest commits; if the file was moved, move it back or the log after it; if it was deleted, delete the log too`,
  );
}

function connect(path: string | undefined, settings: Settings, schema: Schema): Database {
  if (path !== undefined && hasLog(path)) inspectUnchanged(path, schema);
  // Without an index file, which SQLite cannot create there.
  const isImmutable = path !== undefined && settings.readOnly && isOnReadOnlyMedium(path);
  const db = new Database(isImmutable ? immutableUri(path) : (path ?? IN_MEMORY), settings);
  try {
    setUp(db, settings, schema);
    if (path !== undefined && settings.durability === "power") syncLog(path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Address of a file that SQLite reads alone, without its log and without an index. */
function immutableUri(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

/**
 * A connection that may write would copy the log of a crashed process into the file when it is closed
 * (open-database.O1).
 */
function inspectUnchanged(path: string, schema: Schema): void {
  const inFile = changesInFile(path);
  const db = new Database(path, { readOnly: true });
  try {
    db.exec(`PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT_MS}`);
    refuseForeignLog(path, db, inFile);
    schema.inspect(db);
  } finally {
    db.close();
  }
}

/**
 * Returns the counter of the file without its log. `undefined` if it cannot be read: a checkpoint may have been cut off,
 * which the log repairs. It is read before that of the log, because another process may copy the log meanwhile.
 */
function changesInFile(path: string): number | undefined {
  let db: Database | undefined;
  try {
    db = new Database(immutableUri(path), { readOnly: true });
    return pragma(db, "schema_version");
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** `withLog` is a connection that reads the file with its log, `inFile` the counter without it (open-database.O4). */
function refuseForeignLog(path: string, withLog: Database, inFile: number | undefined): void {
  if (inFile === undefined) return;
  const ahead = pragma(withLog, "schema_version") - inFile;
  if (ahead >= 0 && ahead <= MOST_CHANGES) return;
  throw cannotOpen(
    `${path} has beside it the log of the file that was here before, and would be mixed with it; to use a backup that was put here, delete ${path}-wal and ${path}-shm, and otherwise put the file of the log back`,
  );
}

function setUp(db: Database, { readOnly, durability, maxSizeBytes }: Settings, schema: Schema): void {
  db.exec(`PRAGMA busy_timeout = ${BLOCKING_BUSY_TIMEOUT_MS}`);
  const state = schema.inspect(db);
  db.exec(`PRAGMA cache_size = ${-CACHE_KB}`);
  db.exec("PRAGMA temp_store = MEMORY");
  if (readOnly) {
    if (state === "current") return;
    throw cannotOpen(
      state === "older"
        ? "the file was written by an older version of @duroxide-ts/sqlite; a process of this version that opens it without readOnly brings it up to date"
        : "the file has no schema yet; open it once without readOnly",
    );
  }
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  // For a new file; an older file gets it when it is rewritten (compaction.ts).
  if (state === "new") db.exec("PRAGMA auto_vacuum = INCREMENTAL");
  if (db.get<{ journal_mode: string }>("PRAGMA journal_mode")?.journal_mode !== "wal")
    db.exec("PRAGMA journal_mode = WAL");
  db.exec(`PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
  db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.exec(`PRAGMA journal_size_limit = ${LARGEST_LOG_BYTES}`);
  schema.migrate(db);
  if (maxSizeBytes !== undefined) limitSize(db, maxSizeBytes);
}

/** SQLite does not reduce the limit below the current size of the file. */
function limitSize(db: Database, maxSizeBytes: number): void {
  const pageSize = pragma(db, "page_size");
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxSizeBytes / pageSize))}`);
}

function pragma(db: Database, name: "page_size" | "schema_version"): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}

/** open-database.O3 */
function syncLog(path: string): void {
  const log = openLog(path);
  if (log === undefined) return;
  try {
    fdatasyncSync(log);
  } finally {
    closeSync(log);
  }
}

function openFailure(path: string, cause: unknown, { readOnly }: Settings): ProviderError {
  const reason = messageOf(cause);
  const code = sqliteCode(cause);
  if (code === 26) return cannotOpen(`${path} is not an SQLite database; choose another path`, cause);
  if (code === 11)
    return cannotOpen(
      `${path} is damaged (${reason}); put a backup in its place, and delete ${path}-wal and ${path}-shm, which belong to the damaged file`,
      cause,
    );
  if (code === 13) return toProviderError("open", cause);
  const lack = lackOfDescriptors();
  if (lack !== undefined) return tooManyFiles("open", path, lack, cause);
  if (isDiskFull(path)) return storeFull("open", cause);
  const obstacle = whyNotWritable(path);
  if (readOnly) {
    const also =
      obstacle === undefined ? "" : ", and that its directory may be written where no process has it open";
    return cannotOpen(`${path} cannot be opened (${reason}); check that it may be read${also}`, cause);
  }
  if (obstacle !== undefined) {
    return cannotOpen(
      `${path} cannot be written: ${obstacle}; choose another path, or open it with readOnly`,
      cause,
    );
  }
  return cannotOpen(`${path} cannot be opened (${reason}); check that it may be read and written`, cause);
}
