/**
 * Every program that the guide, the recipes and the skill show is a region of a program in a folder of examples, and
 * those programs run and assert what their pages claim. A page names the region in a comment above the block:
 *
 *     <!-- 02-activities.ts#retry -->
 *
 * After a change of a program, `npm test -- test/guide -u` writes its regions into the pages.
 */
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { listFiles, read } from "../tidy/repository.ts";
import { blocksOf, regionsOf, withBlocks } from "./snippets.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

interface Collection {
  readonly programs: string;
  readonly pages: readonly string[];
}

const COLLECTIONS: readonly Collection[] = [
  { programs: "examples/guide", pages: [...listFiles("docs/guide", ".md"), "docs/coming-from.md"] },
  { programs: "examples/recipes", pages: listFiles("docs/recipes", ".md") },
  { programs: "examples/skill", pages: ["docs/skill/SKILL.md"] },
];
const PAGES = COLLECTIONS.flatMap(({ pages, programs }) => pages.map((page) => [page, programs] as const));
const PROGRAMS = COLLECTIONS.flatMap(({ programs }) => listFiles(programs, ".ts"));
const SKILL = "docs/skill/SKILL.md";

/** Regions that no program runs, each with its reason, printed at the end. */
const notRun: string[] = [];

afterAll(() => {
  if (notRun.length > 0) process.stdout.write(`Compiled, but not run:\n  ${notRun.join("\n  ")}\n`);
});

describe("the guide", () => {
  it.each(PAGES)("shows regions of real programs: %s", async (page, programs) => {
    const text = read(page);
    const shown = blocksOf(text).map(({ line, marker }) => {
      if (marker === undefined) throw new Error(`${page}:${line} shows a program without naming its region`);
      const { program, region, reason } = marker;
      if (reason !== undefined) notRun.push(`${program}#${region}: ${reason}`);
      const regions = regionsOf(read(`${programs}/${program}`));
      const code = regions.get(region);
      if (code === undefined) throw new Error(`${page}:${line} names ${program}#${region}, which is missing`);
      return code;
    });
    await expect(withBlocks(text, shown)).toMatchFileSnapshot(path.join(ROOT, page));
  });

  it("shows every region of its programs", () => {
    const shown = PAGES.flatMap(([page, programs]) =>
      blocksOf(read(page)).map(({ marker }) => `${programs}/${marker?.program}#${marker?.region}`),
    );
    const regions = PROGRAMS.flatMap((file) =>
      [...regionsOf(read(file)).keys()].map((region) => `${file}#${region}`),
    );
    expect(regions.filter((region) => !shown.includes(region))).toEqual([]);
  });

  it("keeps its pages short", () => {
    const withoutPictures = (page: string): string =>
      read(page).replaceAll(/```mermaid\n[\s\S]*?```\n\n/g, "");
    const tooLong = ([page]: readonly [string, string]): boolean =>
      withoutPictures(page).trimEnd().split("\n").length > (page === SKILL ? 300 : 150);
    expect(PAGES.filter(tooLong)).toEqual([]);
    const wordy = ([page]: readonly [string, string]): boolean => read(page).split(/\s+/).length >= 1_500;
    expect(PAGES.filter(wordy).filter(([page]) => page !== SKILL)).toEqual([]);
  });
});

describe("the programs of the guide", () => {
  it.each(PROGRAMS)("do what their pages say: %s", async (program) => {
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(path.join(ROOT, program));
    } finally {
      print.mockRestore();
    }
  });
});
