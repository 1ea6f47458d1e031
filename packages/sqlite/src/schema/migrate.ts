/**
 * Brings a file to the schema of this version: a new file at once, an older one by numbered migrations, all in one
 * transaction, counted by `PRAGMA user_version`. Rejects a file of a newer version or another application without changing it.
 */
import type { Database } from "../connection/database.ts";
import { initialSchema } from "./0001-initial.ts";
import { orderTimeSchema } from "./0002-order-time.ts";
import { blockedWorkSchema } from "./0003-blocked-work.ts";
import { messageIdsSchema } from "./0004-message-ids.ts";
import { childStartsSchema } from "./0005-child-starts.ts";
import { queriesSchema } from "./0006-queries.ts";
import { suspendedSchema } from "./0007-suspended.ts";
import { eventOrderSchema } from "./0008-event-order.ts";
import { leftWorkSchema } from "./0009-left-work.ts";
import { APPLICATION_ID, inspect, pragma, refuseForeign, SCHEMA_VERSION } from "./inspect.ts";
import { newestSchema } from "./newest.ts";

const MIGRATIONS = [
  initialSchema,
  orderTimeSchema,
  blockedWorkSchema,
  messageIdsSchema,
  childStartsSchema,
  queriesSchema,
  suspendedSchema,
  eventOrderSchema,
  leftWorkSchema,
] as const satisfies { readonly length: typeof SCHEMA_VERSION };

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
    for (const script of version === 0 ? [newestSchema] : MIGRATIONS.slice(version)) db.exec(script);
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
