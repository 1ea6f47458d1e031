/**
 * Migrates a file to the schema of this version: numbered migrations, all in one transaction, counted by
 * `PRAGMA user_version`. Rejects a file of a newer version or another application without changing it.
 */
import type { Database } from "../connection/database.ts";
import { cannotOpen } from "../connection/sqlite-error.ts";
import { initialSchema } from "./0001-initial.ts";
import { orderTimeSchema } from "./0002-order-time.ts";
import { blockedWorkSchema } from "./0003-blocked-work.ts";
import { messageIdsSchema } from "./0004-message-ids.ts";
import { childStartsSchema } from "./0005-child-starts.ts";
import { queriesSchema } from "./0006-queries.ts";
import { suspendedSchema } from "./0007-suspended.ts";

const MIGRATIONS: readonly string[] = [
  initialSchema,
  orderTimeSchema,
  blockedWorkSchema,
  messageIdsSchema,
  childStartsSchema,
  queriesSchema,
  suspendedSchema,
];

/** "dxts", by which `file` and other tools identify the database. */
const APPLICATION_ID = 0x64787473;

/** Rejects a file of another application or a newer version; takes no lock and changes nothing. */
export function inspect(db: Database): "current" | "older" | "new" {
  const version = pragma(db, "user_version");
  refuseForeign(db, version);
  if (pragma(db, "application_id") !== APPLICATION_ID) return "new";
  return version < MIGRATIONS.length ? "older" : "current";
}

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
    for (const [index, script] of MIGRATIONS.entries()) if (index >= version) db.exec(script);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec("COMMIT");
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {}
    throw error;
  }
}

function refuseForeign(db: Database, version: number): void {
  const application = pragma(db, "application_id");
  const isOurs = application === APPLICATION_ID;
  const isEmpty = version === 0 && db.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;
  if (!isOurs && !(isEmpty && application === 0)) {
    throw cannotOpen("the file is the database of another application; choose another path");
  }
  if (version > MIGRATIONS.length) {
    throw cannotOpen(
      `the file was written by a newer version of @duroxide-ts/sqlite (schema ${version}, this one knows ${MIGRATIONS.length}); update the package`,
    );
  }
}

function pragma(db: Database, name: "user_version" | "application_id"): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}
