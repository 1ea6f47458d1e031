/** Versions of orchestrations that processes still have beside a newer one. */
import { compareSemver, parseSemver, type Worker } from "@duroxide-ts/core/stores";
import type { OldVersions } from "../page/shapes/work.ts";

/** Returns old versions by name. Versions that cannot be compared are left out. */
export function oldVersionsOf(workers: readonly Worker[]): readonly OldVersions[] {
  const versions = new Map<string, Set<string>>();
  for (const { name, version } of workers.flatMap(({ orchestrations }) => orchestrations)) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return [...versions]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, known]) => {
      const [newest, ...older] = newestFirst(known);
      return newest === undefined || older.length === 0 ? [] : [{ name, newest, older }];
    });
}

function newestFirst(versions: ReadonlySet<string>): readonly string[] {
  return [...versions]
    .flatMap((text) => {
      const semver = parseSemver(text);
      return semver === undefined ? [] : [{ text, semver }];
    })
    .sort((a, b) => compareSemver(b.semver, a.semver))
    .map(({ text }) => text);
}
