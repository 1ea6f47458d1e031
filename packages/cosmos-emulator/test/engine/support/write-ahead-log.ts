/** Reads what a process that is gone left in SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html#walformat). */
import { readFileSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Pages behind the last commit: they belong to a transaction that never ended. */
export function unfinishedPages(databasePath: string): number {
  const log = readFileSync(`${databasePath}-wal`);
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salt = log.readBigUInt64BE(16);
  let pages = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    // Frames from before the log was last begun anew have another salt.
    if (log.readBigUInt64BE(at + 8) !== salt) break;
    const isCommit = log.readUInt32BE(at + 4) !== 0;
    pages = isCommit ? 0 : pages + 1;
  }
  return pages;
}
