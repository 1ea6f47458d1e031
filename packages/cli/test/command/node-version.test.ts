/** Node that is too old is named, before anything is loaded that fails on it. */
import { expect, it } from "vitest";
import { nodeFault } from "../../src/node-version.ts";

it.each(["20.20.2", "22.12.0"])("version %s is refused", (version) => {
  expect(nodeFault(version)).toBe(`duroxide needs Node 22.13 or later; this is ${version}`);
});

it.each(["22.13.0", "24.0.0", "26.1.0"])("version %s is not", (version) => {
  expect(nodeFault(version)).toBeUndefined();
});
