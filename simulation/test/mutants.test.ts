/** The deliberate bugs still have their places in the sources. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { MUTANTS } from "../mutants/all.ts";
import { editsOf } from "../mutants/mutant.ts";

const PACKAGES = path.resolve(import.meta.dirname, "../../packages");

it("have names of their own, because a process is told its bug by the name", () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

it.each(MUTANTS)("$name", (mutant) => {
  for (const { file, find, replace } of editsOf(mutant)) {
    const source = readFileSync(path.join(PACKAGES, file), "utf8");
    expect(source.split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  }
});
