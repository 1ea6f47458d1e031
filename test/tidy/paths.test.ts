/** Files and folders that pages for developers and comments of tests name exist. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { exists, listFiles, listPackages, read } from "./repository.ts";

/** Pages for developers, and the folders of the paths that each names; otherwise a path is the end of any path. */
const PAGES: readonly string[] = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...listPackages()
    .map((name) => `packages/${name}/ARCHITECTURE.md`)
    .filter(exists),
];

function baseOf(page: string, section: string): string | undefined {
  if (page.startsWith("packages/")) return path.posix.join(path.posix.dirname(page), "src");
  return section === "The layers of core" ? "packages/core/src" : undefined;
}

const FILES: readonly string[] = listFiles("", "").map((file) => `/${file}`);

/** `*` stands for anything but a slash. A folder has a file below it. */
function names(named: string, file: string): boolean {
  const pattern = named
    .replace(/\/$/, "")
    .split("*")
    .map((part) => part.replaceAll(/[.+]/g, "\\$&"))
    .join("[^/]*");
  return new RegExp(`/${pattern}(/|$)`).test(file);
}

interface NamedPath {
  readonly section: string;
  readonly named: string;
  readonly line: number;
}

/** Paths in backticks: those with the end of a source file, and those of folders with a slash. Packages are none. */
function pathsIn(markdown: string): NamedPath[] {
  let section = "";
  return markdown.split("\n").flatMap((text, index) => {
    section = /^#+ (.+)$/.exec(text)?.[1] ?? section;
    return [...text.matchAll(/`([\w.*-]+(?:\/[\w.*-]*)*)`/g)]
      .map((match) => match[1] ?? "")
      .filter(
        (named) => /[\w*-]\.(ts|mts|cjs|mjs|json|txt|md)$/.test(named) || /^[a-z-]+\/[a-z/-]*$/.test(named),
      )
      .map((named) => ({ section, named, line: index + 1 }));
  });
}

function isThere(page: string, { section, named }: NamedPath): boolean {
  if (exists(named)) return true;
  const base = baseOf(page, section);
  const among = base === undefined ? FILES : FILES.filter((file) => file.startsWith(`/${base}/`));
  return among.some((file) => names(named, file));
}

describe("paths that are named", () => {
  it.each(PAGES)("exist: %s", (page) => {
    const missing = pathsIn(read(page)).filter((it) => !isThere(page, it));
    expect(missing.map(({ named, line }) => `${page}:${line} names ${named}`)).toEqual([]);
  });

  it("exist where the tests of a package name its sources", () => {
    const missing = listPackages().flatMap((name) =>
      listFiles(`packages/${name}/test`, ".ts").flatMap((file) =>
        [...read(file).matchAll(/(?<=[\s(])src\/[\w/-]+\.ts\b/g)]
          .filter(([named]) => !exists(path.posix.join("packages", name, named)))
          .map(([named]) => `${file} names ${named}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});
