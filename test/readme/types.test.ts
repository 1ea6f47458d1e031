/** The programs of README.md and of core's README compile against the packages as they are. */
import { expect, it } from "vitest";
import { compileBlocks } from "../observe/compile-blocks.ts";
import { read } from "../tidy/repository.ts";

it.each(["README.md", "packages/core/README.md"])("the program of %s compiles", (page) => {
  const text = read(page);
  expect(text, `${page} shows no TypeScript program`).toContain("```ts\n");
  expect(compileBlocks(text, "", "")).toEqual([]);
});
