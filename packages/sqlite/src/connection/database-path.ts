/**
 * Checks of a path, creation of its directories, and reasons why a file cannot be written.
 *
 * Nothing here opens the file: closing it again would drop the locks that SQLite holds on it for another
 * connection of this process (https://sqlite.org/howtocorrupt.html).
 */
import { accessSync, constants, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, ProviderError } from "@duroxide-ts/core/stores";
import { cannotOpen, systemCode } from "./sqlite-error.ts";

export const IN_MEMORY = ":memory:";

/** Endings that SQLite and this package add to the name of a database for the files beside it. */
const BESIDE_A_DATABASE = ["-wal", "-shm", "-journal", "-reserve"];

/** `invalid-input` for an impossible path, because SQLite and Node would throw a TypeError. */
export function checkPath(path: string): void {
  if (typeof path !== "string") throw invalidPath(`the path is of type ${typeof path}`);
  if (path.includes("\0")) throw invalidPath("the path contains a NUL character");
  if (/^file:/i.test(path)) {
    throw invalidPath(
      "the path is a URI, which is not supported; fileURLToPath(uri) of node:url makes it a path",
    );
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw invalidPath(`"${path}" is a URI, which is not supported`);
  }
  if (path === "") throw cannotOpen(`the path is empty; name a file, or ${IN_MEMORY}`);
  const ending = BESIDE_A_DATABASE.find((each) => path.endsWith(each));
  if (ending !== undefined) {
    throw invalidPath(
      `"${path}" ends with "${ending}", so it would be emptied, overwritten or deleted beside "${path.slice(0, -ending.length)}"`,
    );
  }
}

function invalidPath(what: string): ProviderError {
  return new ProviderError({
    code: "invalid-input",
    operation: "open",
    message: `${what}; name a file, or ${IN_MEMORY}`,
  });
}

/**
 * Creates the directories of a file, from the first that is missing. Node's own recursion never returns below
 * a directory where every mkdir fails with "no such file", such as /proc. Returns the first that was missing.
 */
export function prepareDirectory(path: string): string | undefined {
  const directory = dirname(path);
  const missing: string[] = [];
  for (let each = directory; !exists(each) && dirname(each) !== each; each = dirname(each))
    missing.unshift(each);
  try {
    for (const each of missing) makeDirectory(each);
    if (!isDirectory(directory)) throw new Error("a file is in its place");
  } catch (cause) {
    throw cannotOpen(
      `the directory ${directory} cannot be created (${messageOf(cause)}); choose another path`,
      cause,
    );
  }
  return missing[0];
}

/** Another process may create it at the same time. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
}

/** Why a file cannot be written, if the file system has a reason. */
export function whyNotWritable(path: string): string | undefined {
  for (const each of exists(path) ? [path, dirname(path)] : [dirname(path)]) {
    try {
      accessSync(each, constants.W_OK);
    } catch (error) {
      const code = systemCode(error);
      if (code === "EROFS") return "it is on a read-only file system";
      if (code === "EACCES" || code === "EPERM") return `this process may not write to ${each}`;
    }
  }
  return undefined;
}

/**
 * Whether nobody can have the file open for writing: its file system is read only, and no log or index lies beside it.
 */
export function isOnReadOnlyMedium(path: string): boolean {
  if (exists(`${path}-wal`) || exists(`${path}-shm`)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch (error) {
    return systemCode(error) === "EROFS";
  }
}

export function exists(path: string): boolean {
  return entryAt(path) !== undefined;
}

/** `undefined` also for a path that cannot be looked at, such as one that is too long: opening says why. */
function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether commits are in the log and not yet in the file. The path has no symbolic links. */
export function hasLog(path: string): boolean {
  return (entryAt(`${path}-wal`)?.size ?? 0) > 0;
}

export function isDirectory(path: string): boolean {
  return entryAt(path)?.isDirectory() === true;
}
