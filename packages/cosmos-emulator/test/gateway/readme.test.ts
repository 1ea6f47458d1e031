/** The README against the code: options, flags and effects that exist, and no others. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HELP } from "../../src/cli-arguments.ts";
import { resolveOptions } from "../../src/options.ts";

const README = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");

/** The words in code style in one column of the table under a heading. */
function column(heading: string, index: number): string[] {
  const section = README.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.flatMap((row) =>
    [...(row.split("|")[index] ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""),
  );
}

describe("the README", () => {
  it("names every option", () => {
    expect(column("Options", 1).sort()).toEqual(Object.keys(resolveOptions({})).sort());
  });

  it("names the flags of the help, but for those that speak for themselves", () => {
    const flags = [...HELP.matchAll(/^ {2}(--[a-z-]+)/gm)].map((match) => match[1] ?? "");
    const plain = ["--help", "--version", "--certificate"];
    expect(column("Options", 2).sort()).toEqual(flags.filter((flag) => !plain.includes(flag)).sort());
  });
});
