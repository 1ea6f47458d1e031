/**
 * The README against the code: options, flags, effects and routes that exist, and no others; and its program, which
 * runs. After a change of the program, `npm test -- packages/cosmos-emulator/test/gateway/readme -u` writes it there.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf, regionsOf, withBlocks } from "../../../../test/guide/snippets.ts";
import { HELP } from "../../src/cli-arguments.ts";
import { checkEffect } from "../../src/gateway/faults/fault-effect.ts";
import { resolveOptions } from "../../src/options.ts";
import { withFixture } from "./support/fixture.ts";

const PAGE = fileURLToPath(new URL("../../README.md", import.meta.url));
const README = readFileSync(PAGE, "utf8");

function sectionOf(heading: string): string {
  return README.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** The words in code style in one column of the table under a heading. */
function column(heading: string, index: number): string[] {
  const rows = sectionOf(heading)
    .split("\n")
    .filter((line) => line.startsWith("|"));
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

  it("shows every effect of a fault", () => {
    const rows = sectionOf("Faults on request").matchAll(/^\| `(\w+)`/gm);
    const shown = [...rows].map((match) => match[1] ?? "");
    const kinds = /one of (.*)\.$/.exec(messageOf(() => checkEffect({ kind: "nothing" })))?.[1];
    expect(shown).toEqual(kinds?.split(", "));
  });

  withFixture("names routes that exist", async (fixture) => {
    const routes = [...README.matchAll(/^\| (?:`[A-Z]+`, )*`[A-Z]+ (\/_emulator\/[^`]+)`/gm)];
    const paths = routes.map((match) => match[1] ?? "");
    expect(paths.length).toBeGreaterThan(5);
    for (const path of [...paths, "/_explorer/"]) {
      const { status, text } = await fixture.client.send({ method: "GET", path });
      expect(text, `${path} is ${status}`).not.toContain("There is no");
    }
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("the program of the README", () => {
  const source = readFileSync(new URL("./readme/program.ts", import.meta.url), "utf8");

  it("is shown as it is, piece by piece and in order", async () => {
    const regions = regionsOf(source);
    expect(blocksOf(README).map(({ marker }) => marker?.region)).toEqual([...regions.keys()]);
    await expect(withBlocks(README, [...regions.values()])).toMatchFileSnapshot(PAGE);
  });

  it("does what the page says", async () => {
    const { readOrder, foundOrders, counted } = await import("./readme/program.ts");
    expect(readOrder).toMatchObject({ id: "order-1", customer: "anna", total: 12 });
    expect(foundOrders).toEqual([readOrder]);
    expect(counted).toEqual([
      { requests: 1, charge: 1 },
      { requests: 1, charge: 1 },
    ]);
  });
});
