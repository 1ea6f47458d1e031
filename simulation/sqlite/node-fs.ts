/**
 * The part of `node:fs` that the SQLite provider uses: it looks whether its files are still there, reads the header of
 * the log, and syncs the log when it opens the file, or beside the event loop. The imports of these three files lead here (redirect.ts).
 */
import { simulatedFiles } from "./engine.ts";

export { constants } from "node:fs";

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function statSync(path: string): Identity | undefined {
  const id = simulatedFiles().identityOf(path);
  return id === undefined ? undefined : { dev: 0n, ino: BigInt(id) };
}

/** There is one handle for each path, because the log keeps its path while it is open. */
export function openSync(path: string): string {
  if (simulatedFiles().identityOf(path) !== undefined) return path;
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" });
}

export function fdatasyncSync(path: string): void {
  if (!simulatedFiles().sync(path))
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
}

export function fdatasync(path: string, done: (error: Error | null) => void): void {
  const isSynced = simulatedFiles().sync(path);
  queueMicrotask(() => done(isSynced ? null : new Error("EIO: i/o error, fdatasync")));
}

/** Returns how many bytes were read. */
export function readSync(path: string, into: Uint8Array, _: number, length: number, at: number): number {
  return simulatedFiles().readFrom(path, into.subarray(0, length), at);
}

export function closeSync(): void {}
