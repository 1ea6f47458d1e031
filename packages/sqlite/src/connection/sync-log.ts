import { closeSync, fdatasyncSync, openSync } from "node:fs";
import type { Database } from "./database.ts";

/**
 * Makes what an open has found durable (O3 of open-database.ts). To open the log and to close it again drops no lock:
 * SQLite locks the database file and `-shm`.
 */
export function syncLog(db: Database): void {
  const log = openLog(`${fileOf(db)}-wal`);
  if (log === undefined) return;
  try {
    fdatasyncSync(log);
  } finally {
    closeSync(log);
  }
}

/** As SQLite names it, which follows symbolic links. */
function fileOf(db: Database): string {
  return db.get<{ file: string }>("PRAGMA database_list")?.file ?? "";
}

/** `undefined` if there is no log, or this process may not write to it. */
function openLog(path: string): number | undefined {
  try {
    return openSync(path, "r+");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "EACCES" || code === "EPERM" || code === "EROFS") return undefined;
    throw error;
  }
}
