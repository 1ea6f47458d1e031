/**
 * What a file is, without changing it: its schema is counted by `PRAGMA user_version`. A reader needs no more of the
 * schema than this.
 */
import type { Database } from "../connection/database.ts";
import { cannotOpen } from "../connection/sqlite-error.ts";

/** The number of migrations of this version (migrate.ts). */
export const SCHEMA_VERSION = 9;

/** "dxts", by which `file` and other tools identify the database. */
export const APPLICATION_ID = 0x64787473;

/** Rejects a file of another application or a newer version; takes no lock and changes nothing. */
export function inspect(db: Database): "current" | "older" | "new" {
  const version = pragma(db, "user_version");
  refuseForeign(db, version);
  if (pragma(db, "application_id") !== APPLICATION_ID) return "new";
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
}

export function pragma(db: Database, name: "user_version" | "application_id"): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}
