/**
 * The first version of each major one that the stores support. The SQLite of older ones forgets its locks when the
 * process opens the database file by other means (docs/decisions/sqlite-files.md).
 */
const FIRST: ReadonlyMap<number, readonly [number, number]> = new Map([
  [22, [22, 1]],
  [24, [14, 0]],
]);

const NEWEST_WITH_FIRST = 24;

/** Message if this version of Node is too old. Stores would fail with the name of a module that is missing. */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major > NEWEST_WITH_FIRST) return undefined;
  const first = FIRST.get(major);
  const isNewEnough = first !== undefined && (minor > first[0] || (minor === first[0] && patch >= first[1]));
  return isNewEnough ? undefined : `duroxide needs Node 22.22.1, 24.14 or later; this is ${version}`;
}
