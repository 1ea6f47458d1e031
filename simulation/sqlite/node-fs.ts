/**
 * What the SQLite provider uses of `node:fs`: it looks whether its file is still there, and syncs the log when it opens
 * the file. The imports of these two files lead here (redirect.ts).
 */
import { simulatedFiles } from "./engine.ts";

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function statSync(path: string): Identity | undefined {
  const id = simulatedFiles().identityOf(path);
  return id === undefined ? undefined : { dev: 0n, ino: BigInt(id) };
}

/** There is one handle for each path, because nothing is read or written through it. */
export function openSync(path: string): string {
  if (simulatedFiles().identityOf(path) !== undefined) return path;
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" });
}

export function fdatasyncSync(path: string): void {
  if (!simulatedFiles().sync(path))
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
}

export function closeSync(): void {}
