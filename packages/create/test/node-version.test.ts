/** The versions of Node that the command accepts are those of its manifest. */
import { expect, it } from "vitest";
import { read } from "../../../test/tidy/repository.ts";
import { nodeFault } from "../src/node-version.ts";

const { engines } = JSON.parse(read("packages/create/package.json")) as {
  readonly engines: { readonly node: string };
};

it.each(["18.20.8", "20.20.2", "22.13.0", "22.22.0", "23.11.1", "24.13.1"])(
  "version %s is refused",
  (version) => {
    expect(nodeFault(version, engines.node)).toBe(
      `@duroxide-ts needs Node 22.22.1, 24.14 or later; this is v${version}`,
    );
  },
);

it.each(["22.22.1", "22.23.0", "24.14.0", "25.0.0", "26.1.0"])("version %s is not", (version) => {
  expect(nodeFault(version, engines.node)).toBeUndefined();
});
