/**
 * Brings a file to the schema of this version: a new file at once, an older one by numbered migrations, all in one
 * transaction, counted by `PRAGMA user_version`. Rejects a file of an unknown version or of another application without
 * changing it.
 */
import type { Database } from "../connection/database.ts";
import { APPLICATION_ID, FIRST_VERSION, inspect, pragma, refuseForeign, SCHEMA_VERSION } from "./inspect.ts";
import {
  EVENT_COUNT,
  HELD,
  HOLDER_COLUMN,
  HOLDERS,
  LIMIT_COLUMNS,
  LIMITS,
  PROGRESS,
  STARTS,
  STREAMS,
  SYNCED_APART,
  schema,
  TAGS,
} from "./schema.ts";

/** The scripts that change the schema of the first release, `FIRST_VERSION`, to that of this one, in their order. */
const MIGRATIONS: readonly string[] = [
  TAGS,
  LIMIT_COLUMNS + LIMITS,
  STARTS,
  HELD,
  HOLDER_COLUMN + HOLDERS,
  EVENT_COUNT,
  STREAMS,
  PROGRESS,
  SYNCED_APART,
];

/**
 * Does nothing, and takes no lock, if the schema is current. While another process holds the lock, throws the error of
 * SQLite and changes nothing.
 */
export function migrate(db: Database): void {
  if (inspect(db) === "current") return;
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated the file meanwhile.
    const version = pragma(db, "user_version");
    refuseForeign(db, version);
    for (const script of version === 0 ? [schema] : MIGRATIONS.slice(version - FIRST_VERSION))
      db.exec(script);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec("COMMIT");
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {}
    throw error;
  }
}
