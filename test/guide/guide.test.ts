/**
 * Every program that the guide shows is a region of a program in examples/guide, and those programs run
 * and assert what their pages claim. A page names the region in a comment above the block:
 *
 *     <!-- 02-activities.ts#retry -->
 *
 * After a change of a program, `npm test -- test/guide -u` writes its regions into the pages.
 */
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { exists, listFiles, listFolder, read } from "../tidy/repository.ts";
import { blocksOf, regionsOf, withBlocks } from "./snippets.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGES = [...listFiles("docs/guide", ".md"), "docs/coming-from.md"].filter(exists);
const PROGRAMS = listFolder("examples/guide").filter((file) => file.endsWith(".ts"));

/** Regions that no program runs, each with its reason, printed at the end. */
const notRun: string[] = [];

afterAll(() => {
  if (notRun.length > 0) process.stdout.write(`Compiled, but not run:\n  ${notRun.join("\n  ")}\n`);
});

describe("the guide", () => {
  it.each(PAGES)("shows regions of real programs: %s", async (page) => {
    const text = read(page);
    const shown = blocksOf(text).map(({ line, marker }) => {
      if (marker === undefined) throw new Error(`${page}:${line} shows a program without naming its region`);
      const { program, region, reason } = marker;
      if (reason !== undefined) notRun.push(`${program}#${region}: ${reason}`);
      const regions = regionsOf(read(`examples/guide/${program}`));
      const code = regions.get(region);
      if (code === undefined) throw new Error(`${page}:${line} names ${program}#${region}, which is missing`);
      return code;
    });
    await expect(withBlocks(text, shown)).toMatchFileSnapshot(path.join(ROOT, page));
  });

  it("shows every region of its programs", () => {
    const shown = new Set(
      PAGES.flatMap((page) => blocksOf(read(page))).map(
        ({ marker }) => `${marker?.program}#${marker?.region}`,
      ),
    );
    const regions = PROGRAMS.flatMap((program) =>
      [...regionsOf(read(`examples/guide/${program}`)).keys()].map((region) => `${program}#${region}`),
    );
    expect(regions.filter((region) => !shown.has(region))).toEqual([]);
  });

  it("keeps its pages short", () => {
    const withoutPictures = (page: string): string =>
      read(page).replaceAll(/```mermaid\n[\s\S]*?```\n\n/g, "");
    const long = PAGES.filter((page) => withoutPictures(page).trimEnd().split("\n").length > 150);
    expect(long).toEqual([]);
  });
});

describe("the programs of the guide", () => {
  it.each(PROGRAMS)("do what their pages say: %s", async (program) => {
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(path.join(ROOT, "examples/guide", program));
    } finally {
      print.mockRestore();
    }
  });
});
