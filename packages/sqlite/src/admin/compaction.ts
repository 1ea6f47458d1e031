/**
 * Returns the free space of deleted rows to the file system. SQLite keeps free pages for later rows. A file with
 * `auto_vacuum = INCREMENTAL`, which every new file has, can return them in steps: each step moves some pages from the
 * end of the file into its gaps, in an ordinary transaction. The next checkpoint shortens the file.
 */
import { type OptionList, optionFault, optionList, ProviderError } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import type { Store } from "../store.ts";

/** The options of `SqliteProvider.compact`. */
export interface CompactOptions {
  /**
   * Rewrites the whole file, in one transaction, if it cannot shrink in steps. False by default: `compact` then rejects
   * such a file.
   */
  readonly rewrite?: boolean;
}

/** The sizes of the file before and after, in bytes. */
export interface CompactResult {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** The pages of one step: a few milliseconds of work. */
const STEP_PAGES = 128;

/** Free pages that are kept for later rows: 2 MB. */
const KEPT_PAGES = 1_024;

const INCREMENTAL = 2;

const OPERATION = "compact";

/** Called after a bulk deletion. A failure here does not fail the deletion. */
export async function giveBack(store: Store): Promise<void> {
  try {
    if (await store.read(OPERATION, canShrink)) await shrink(store, KEPT_PAGES);
  } catch (error) {
    store.logger.debug({ event: "compaction_failed", error }, "free pages were not given back");
  }
}

const COMPACT_OPTIONS: OptionList = optionList<CompactOptions>({ rewrite: true });

export async function compact(store: Store, options: CompactOptions): Promise<CompactResult> {
  const fault = optionFault("the options", options, COMPACT_OPTIONS);
  if (fault !== undefined) {
    throw new ProviderError({ code: "invalid-input", operation: OPERATION, message: fault });
  }
  const { rewrite = false } = options;
  store.refuseWrite(OPERATION);
  const bytesBefore = await store.read(OPERATION, sizeOf);
  if (await store.read(OPERATION, canShrink)) await shrink(store, 0);
  else if (rewrite) await store.read(OPERATION, rewriteAll);
  else throw cannotShrink();
  await store.read(OPERATION, (db) => db.all("PRAGMA wal_checkpoint(TRUNCATE)"));
  return { bytesBefore, bytesAfter: await store.read(OPERATION, sizeOf) };
}

async function shrink(store: Store, keptPages: number): Promise<void> {
  let free = await store.read(OPERATION, (db) => pragma(db, "freelist_count"));
  while (free > keptPages) {
    const left = await store.write(OPERATION, step);
    if (left >= free) return;
    free = left;
  }
}

/** Returns the number of remaining free pages. */
const step: WriteOperation<number> = ({ db }) => {
  db.all(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
  return pragma(db, "freelist_count");
};

/** Not a write operation, because VACUUM cannot run inside a transaction. */
function rewriteAll(db: Database): void {
  db.exec("PRAGMA auto_vacuum = INCREMENTAL");
  db.exec("VACUUM");
}

function canShrink(db: Database): boolean {
  return pragma(db, "auto_vacuum") === INCREMENTAL;
}

function sizeOf(db: Database): number {
  return pragma(db, "page_count") * pragma(db, "page_size");
}

function pragma(db: Database, name: "auto_vacuum" | "freelist_count" | "page_count" | "page_size"): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}

function cannotShrink(): ProviderError {
  return new ProviderError({
    code: "invalid-input",
    operation: OPERATION,
    message:
      "the file was created by a version whose files cannot shrink in steps; stop its processes and compact it once with rewrite, which needs as much free disk space as the data",
  });
}
