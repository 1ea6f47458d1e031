/** The log of a database on its disk: its sync in the thread pool, and which syncs are slow. */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { systemCode } from "./sqlite-error.ts";

/** A commit that takes as long as this is slow, and a sync below the other is quick, ms. */
const SLOW_MS = 5;
const QUICK_MS = 2;

const syncData = promisify(fdatasync);

export interface Disk {
  /** Duration from which a commit is slow, ms. */
  readonly slowMs: number;
  /** Duration below which a sync is quick, ms. */
  readonly quickMs: number;
  /** Opens the log for syncs; false if this process cannot. */
  open(): boolean;
  /** Resolves when all that was written to the log is on the disk. */
  sync(): Promise<void>;
  /** Resolves after the syncs that run; a later sync does nothing. */
  close(): Promise<void>;
}

export class LogFile implements Disk {
  readonly slowMs: number = SLOW_MS;
  readonly quickMs: number = QUICK_MS;
  readonly #path: string;
  #handle: number | undefined;
  #isClosed = false;
  readonly #running = new Set<Promise<void>>();

  /** `path` is that of the database. Nothing is opened before the first sync. */
  constructor(path: string) {
    this.#path = path;
  }

  open(): boolean {
    try {
      this.#handle ??= openLog(this.#path);
    } catch {
      // It may open no more files, for example.
    }
    return this.#handle !== undefined;
  }

  async sync(): Promise<void> {
    if (this.#isClosed) return;
    this.#handle ??= openLog(this.#path);
    if (this.#handle === undefined) return;
    const running = syncData(this.#handle);
    this.#running.add(running);
    try {
      await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Drops no lock, because SQLite locks the database file and `-shm`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}

/**
 * Opens the log of a database. `undefined` if there is none, or this process may not write to it. Closing the log drops
 * no lock of this process, because SQLite locks the database file and `-shm`.
 */
export function openLog(path: string): number | undefined {
  try {
    return openSync(`${path}-wal`, "r+");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "EACCES" || code === "EPERM" || code === "EROFS") return undefined;
    throw error;
  }
}
