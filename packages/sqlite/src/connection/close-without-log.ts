/**
 * Closes a connection whose log or index is gone (database-file.D5). The close of the last connection of a database
 * copies the log into the file. If nobody has written since, this saves the commits that were confirmed before the log
 * was deleted. Otherwise it would overwrite newer pages, so a second connection prevents the copy.
 */
import { statSync } from "node:fs";
import { Database } from "./database.ts";

/** `modifiedNs` is the time of the last change of the file before the log was gone, in ns. */
export function closeWithoutLog(db: Database, realPath: string, modifiedNs: bigint | undefined): void {
  const guard = isWritten(realPath, modifiedNs) ? holdFile(realPath) : undefined;
  db.close();
  guard?.close();
}

function isWritten(realPath: string, modifiedNs: bigint | undefined): boolean {
  const log = statSync(`${realPath}-wal`, { throwIfNoEntry: false });
  const file = statSync(realPath, { bigint: true, throwIfNoEntry: false });
  return (log?.size ?? 0) > 0 || file?.mtimeNs !== modifiedNs;
}

/** Locks the file. What it reads may be nonsense, because SQLite gives it the index of the deleted log. */
function holdFile(realPath: string): Database {
  const guard = new Database(realPath, { readOnly: true });
  try {
    guard.get("SELECT 1 FROM sqlite_schema");
  } catch {}
  return guard;
}
