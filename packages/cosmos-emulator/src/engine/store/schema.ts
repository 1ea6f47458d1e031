/**
 * The tables. Everything that is not an item lies in `resources`, its body as it is answered, so that every feed is
 * read and queried in one way; items lie in one table for each container (docs/decisions/local-endpoint.md).
 */
import type { Connection } from "./connection.ts";

/** "cdbe", so that `file` and others can tell what the database is. */
const APPLICATION_ID = 0x63646265;
const VERSION = 3;

const CATALOGUE = `
  CREATE TABLE store (
    salt INTEGER NOT NULL,
    changes INTEGER NOT NULL    -- of resources, for their etags
  );
  CREATE TABLE resources (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    parent TEXT NOT NULL,       -- the _rid of the owner, '' at the top
    id TEXT NOT NULL,
    rid TEXT NOT NULL,
    body TEXT NOT NULL,
    etag TEXT NOT NULL,
    ts INTEGER NOT NULL,        -- seconds
    UNIQUE (kind, parent, id)
  );
  CREATE INDEX resources_by_rid ON resources (rid);
  CREATE TABLE partitions (
    container INTEGER NOT NULL, -- resources.seq
    id TEXT NOT NULL,
    min_inclusive TEXT NOT NULL,
    max_exclusive TEXT NOT NULL,
    lsn INTEGER NOT NULL,       -- of the last write
    last_seq INTEGER NOT NULL,  -- the highest number of a document that was ever inserted here
    items INTEGER NOT NULL,     -- stored now
    bytes INTEGER NOT NULL,     -- of their bodies
    parents TEXT NOT NULL,      -- JSON array of the ids of partitions that are gone
    PRIMARY KEY (container, id)
  ) WITHOUT ROWID;
`;

/** Creates the tables in a new file; refuses a file of another application or of another version, untouched. */
export function prepareSchema(connection: Connection, salt: () => number): void {
  connection.transaction(() => {
    const application = pragma(connection, "application_id");
    const version = pragma(connection, "user_version");
    if (application === APPLICATION_ID && version === VERSION) return;
    if (application === APPLICATION_ID) {
      throw new Error(
        `the file was written by another version of the emulator (schema ${version}, this one has ${VERSION}); use that version, or another file`,
      );
    }
    if (application !== 0 || connection.get("SELECT 1 FROM sqlite_schema LIMIT 1") !== undefined) {
      throw new Error("the file is the database of another application; choose another path");
    }
    connection.exec(CATALOGUE);
    connection.run("INSERT INTO store (salt, changes) VALUES (?, 0)", salt());
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
  });
}

/** Returns the name of a container's table of items, which needs no quotes. */
export function itemTable(containerNumber: number): string {
  return `items_${containerNumber}`;
}

export function createItemTable(connection: Connection, table: string): void {
  connection.exec(`
    CREATE TABLE ${table} (
      seq INTEGER PRIMARY KEY,  -- order of insertion
      pk TEXT NOT NULL,         -- canonical JSON array
      epk TEXT NOT NULL,        -- upper-case hex
      id TEXT NOT NULL,
      body TEXT NOT NULL,       -- the JSON that is answered
      etag TEXT NOT NULL,
      ts INTEGER NOT NULL,      -- seconds
      lsn INTEGER NOT NULL,
      expires_at INTEGER,       -- milliseconds since the epoch
      terms INTEGER NOT NULL,   -- indexed values; a delete is charged by them
      UNIQUE (pk, id)
    );
  `);
}

function pragma(connection: Connection, name: "application_id" | "user_version"): number {
  return connection.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}
