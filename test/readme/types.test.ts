/** The programs of README.md and of core's README compile against the packages as they are, and the first is an example. */
import { expect, it } from "vitest";
import { compile } from "../support/compile.ts";
import { read } from "../tidy/repository.ts";

it.each(["README.md", "packages/core/README.md"])("the program of %s compiles", (page) => {
  const program = /```ts\n([\s\S]*?)```/.exec(read(page))?.[1];
  expect(program, `${page} shows no TypeScript program`).toBeDefined();
  expect(compile([program ?? ""])).toEqual([[]]);
});

it("npm run example checkout runs the program of README.md", () => {
  expect(read("README.md")).toContain(`\`\`\`ts\n${read("examples/checkout.ts")}\`\`\`\n`);
});
