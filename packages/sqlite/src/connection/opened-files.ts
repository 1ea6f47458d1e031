/**
 * The names under which a database is open. SQLite keeps the log and the index beside the file to which symbolic links
 * lead. Two names of one file that are no symbolic links have two logs: commits in one of them are found by nobody who
 * uses the other name, so a file with such names is refused.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { cannotOpen } from "./sqlite-error.ts";

export interface OpenedFiles {
  /** Path as it was given, absolute. */
  readonly path: string;
  /** Path without symbolic links. */
  readonly realPath: string;
}

/** The path without symbolic links; the path itself if nothing is there. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Refuses an existing file that others may open by another name. */
export function refuseOtherNames(realPath: string): void {
  const names = namesOf(realPath);
  if (names > 1) {
    throw cannotOpen(
      `${realPath} has ${names} names (hard links), and each name would have a log of its own; remove the other names, or copy the file`,
    );
  }
  if (isMounted(realPath)) {
    throw cannotOpen(
      `${realPath} is mounted as a single file, and its log would stay outside of the mount; mount the directory that contains it`,
    );
  }
}

/** 1 also for a path that cannot be looked at, such as one that is too long: opening says why. */
function namesOf(realPath: string): number {
  try {
    return statSync(realPath, { throwIfNoEntry: false })?.nlink ?? 1;
  } catch {
    return 1;
  }
}

/** Linux lists the mounts; elsewhere single files are not mounted. */
function isMounted(realPath: string): boolean {
  try {
    const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return mounts.some((line) => unescaped(line.split(" ")[4] ?? "") === realPath);
  } catch {
    return false;
  }
}

/** The list writes white space and backslashes in octal. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
