/** Versions as Rust packs and unpacks them: docs/reference/wire-format.md §7. */
import { expect, it } from "vitest";
import { formatSemver, packSemver, parseSemver, unpackSemver } from "../../src/stores/index.ts";
import { versionVectors } from "./vectors.ts";

it.each(versionVectors)("$version is packed as $packed", ({ version, packed }) => {
  const semver = parseSemver(version);
  expect(semver && packSemver(semver)).toBe(packed);
});

it.each(versionVectors)("$packed is unpacked as $unpacked", ({ packed, unpacked }) => {
  expect(formatSemver(unpackSemver(packed))).toBe(unpacked);
});
