/**
 * Recognises a file without changing it: its schema is counted by `PRAGMA user_version`. A reader needs no more of the
 * schema than this.
 */
import type { Database } from "../connection/database.ts";
import { cannotOpen } from "../connection/sqlite-error.ts";

/** The schema of the first release. Those before it were never released. */
export const FIRST_VERSION = 10;

/** The schema of this version: each migration (migrate.ts) counts one further. */
export const SCHEMA_VERSION = 19;

/** "dxts", by which `file` and other tools identify the database. */
export const APPLICATION_ID = 0x64787473;

/** Rejects a file of another application or an unknown version; takes no lock and changes nothing. */
export function inspect(db: Database): "current" | "older" | "new" {
  const version = pragma(db, "user_version");
  refuseForeign(db, version);
  if (pragma(db, "application_id") !== APPLICATION_ID) return "new";
  refuseCode(db);
  return version < SCHEMA_VERSION ? "older" : "current";
}

export function refuseForeign(db: Database, version: number): void {
  const application = pragma(db, "application_id");
  const isOurs = application === APPLICATION_ID;
  const isEmpty = version === 0 && db.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;
  if (!isOurs && !(isEmpty && application === 0)) {
    throw cannotOpen("the file is the database of another application; choose another path");
  }
  if (version > SCHEMA_VERSION) {
    throw cannotOpen(
      `the file was written by a newer version of @duroxide-ts/sqlite (schema ${version}, this one reads up to ${SCHEMA_VERSION}); update the package`,
    );
  }
  if (isOurs && version < FIRST_VERSION) {
    throw cannotOpen(
      `the file was written before the first release of @duroxide-ts/sqlite (schema ${version}, this one reads from ${FIRST_VERSION}); choose another path`,
    );
  }
}

const CODE = `SELECT type, name FROM sqlite_schema
  WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1`;

/** Refuses what would run with our reads and writes: it may have no end, and no version of this package makes any. */
function refuseCode(db: Database): void {
  const found = db.get<{ type: string; name: string }>(CODE);
  if (found === undefined) return;
  const what = found.type === "table" ? "virtual table" : found.type;
  throw cannotOpen(
    `the file has a ${what} named ${JSON.stringify(found.name)}, which would run with each read or write; drop it, and keep views in a database of yours that attaches this one`,
  );
}

export function pragma(db: Database, name: "user_version" | "application_id"): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}
