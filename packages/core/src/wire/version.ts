/** The part of semantic versions that the wire format needs: parse, compare, and the packed form in stores. */

/** A semantic version without build metadata. */
export interface Semver {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Identifiers after `-`, empty for a release. A pre-release sorts before its release. */
  readonly prerelease: readonly string[];
}

/** The replay-engine version of this runtime, to which it pins executions (docs/decisions/rust.md). */
export const DUROXIDE_SEMVER: Semver = { major: 0, minor: 1, patch: 32, prerelease: [] };

/** The same as text, stamped on every event that this runtime writes. */
export const DUROXIDE_VERSION: string = formatSemver(DUROXIDE_SEMVER);

/** Both ends belong to the range. */
export interface VersionRange {
  readonly min: Semver;
  readonly max: Semver;
}

/** The versions whose executions this runtime continues. */
export const SUPPORTED_VERSIONS: VersionRange = {
  min: { major: 0, minor: 0, patch: 0, prerelease: [] },
  max: DUROXIDE_SEMVER,
};

const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** `undefined` if the text is not a semantic version. Build metadata is accepted and removed. */
export function parseSemver(text: string): Semver | undefined {
  const match = SEMVER.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, prerelease] = match;
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    prerelease: prerelease === undefined ? [] : prerelease.split("."),
  };
}

/** The version as text, such as "1.2.3-rc.1". */
export function formatSemver({ major, minor, patch, prerelease }: Semver): string {
  const release = `${major}.${minor}.${patch}`;
  return prerelease.length === 0 ? release : `${release}-${prerelease.join(".")}`;
}

/** Negative, zero or positive, by the precedence rules of semver.org §11. */
export function compareSemver(a: Semver, b: Semver): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrerelease(a, b);
}

function comparePrerelease({ prerelease: a }: Semver, { prerelease: b }: Semver): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareIdentifier(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifier(left: string, right: string): number {
  const leftNumeric = /^\d+$/.test(left);
  const rightNumeric = /^\d+$/.test(right);
  if (leftNumeric && rightNumeric) return Number(left) - Number(right);
  if (leftNumeric !== rightNumeric) return leftNumeric ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The version that runtimes without versions recorded. */
export const NO_VERSION = "0.0.0";

/** Whether the version is in the range, both ends included. */
export function inRange(version: Semver, { min, max }: VersionRange): boolean {
  return compareSemver(min, version) <= 0 && compareSemver(version, max) <= 0;
}

/**
 * `major·10⁶ + minor·10³ + patch`, the form in which Rust stores a pinned version. Pre-release and build are
 * dropped; components of 1000 and more overflow into the next (docs/reference/wire-format.md §7).
 */
export function packSemver({ major, minor, patch }: Semver): number {
  return major * 1_000_000 + minor * 1_000 + patch;
}

/** The version that `packSemver` packed; without pre-release. */
export function unpackSemver(packed: number): Semver {
  return {
    major: Math.floor(packed / 1_000_000),
    minor: Math.floor(packed / 1_000) % 1_000,
    patch: packed % 1_000,
    prerelease: [],
  };
}
