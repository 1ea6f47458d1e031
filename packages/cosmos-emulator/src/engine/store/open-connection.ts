/** Opens the file or the memory in which a store lives, and sets how SQLite works on it. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Connection } from "./connection.ts";
import { prepareSchema } from "./schema.ts";

const CACHE_KB = 65_536;

/** Size to which the write-ahead log is cut back after a large transaction, in bytes. */
const LARGEST_LOG_BYTES = 64 * 1024 * 1024;

/**
 * Opens a connection. Throws with a reason if the file cannot be opened, is in use, or belongs to another
 * application.
 */
export function openConnection(path: string | undefined, random: () => number): Connection {
  try {
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    const connection = new Connection(path ?? ":memory:");
    try {
      connection.exec(path === undefined ? IN_MEMORY : ON_DISK);
      connection.exec(`PRAGMA cache_size = ${-CACHE_KB}; PRAGMA temp_store = MEMORY`);
      prepareSchema(connection, () => Math.floor(random() * 2 ** 24));
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (cause) {
    throw new Error(`Cannot open the store ${path ?? "in memory"}: ${reason(cause)}`, { cause });
  }
}

const IN_MEMORY = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";

/**
 * Settings of a file, which one process serves. Every commit is synced, so that an acknowledged write survives what
 * follows it.
 */
const ON_DISK = `
  PRAGMA busy_timeout = 1000;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = ${LARGEST_LOG_BYTES};
`;

function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return /database is locked/.test(message)
    ? "another process has it open; stop that process, or choose another path"
    : message;
}
