/** Node that is too old is named, before anything is loaded that fails on it. */
import { expect, it } from "vitest";
import { nodeFault } from "../../src/node-version.ts";

it.each(["20.20.2", "22.13.0", "22.22.0", "23.11.1", "24.13.1"])("version %s is refused", (version) => {
  expect(nodeFault(version)).toBe(`duroxide needs Node 22.22.1, 24.14 or later; this is ${version}`);
});

it.each(["22.22.1", "22.23.0", "24.14.0", "25.0.0", "26.1.0"])("version %s is not", (version) => {
  expect(nodeFault(version)).toBeUndefined();
});
