/**
 * Checks the imports of all packages and of the simulation (docs/decisions/repository.md). Imports of types and
 * re-exports count like any other: who reads a file has to read what it names.
 */
import { describe, expect, it } from "vitest";
import { arrowsWithin, circles, mayImport, rowOf, sourcesOf, upwardRows } from "./layering.ts";
import { ENTRIES, LAYERS, NOT_YET } from "./layers.ts";
import { listFiles, listPackages } from "./repository.ts";
import { importsOf } from "./source.ts";

const packages = Object.entries(LAYERS).map(([name, layers]) => ({
  name,
  layers,
  arrows: arrowsWithin(name),
}));

const isPinned = (circle: string): boolean => NOT_YET.circles.includes(circle);

function expectNone(problems: readonly string[], advice: string): void {
  if (problems.length > 0) expect.fail(`${advice}\n  ${problems.join("\n  ")}\n`);
}

/** `found` is what breaks a rule, `pinned` what may: everything else in the one or the other is a problem. */
function compare(found: readonly string[], pinned: readonly string[], advice: string): void {
  expectNone(
    found.filter((it) => !pinned.includes(it)),
    advice,
  );
  expectNone(
    pinned.filter((it) => !found.includes(it)),
    "This is mended: delete its line from NOT_YET in test/tidy/layers.ts, so that it stays so:",
  );
}

describe("the layers of the packages", () => {
  it("stand one above the other: a row names rows above it only", () => {
    const problems = packages.flatMap(({ name, layers }) =>
      upwardRows(layers).map((problem) => `${name}: ${problem}`),
    );
    expectNone(problems, "Turn one of the arrows round in test/tidy/layers.ts:");
  });

  it("cover every file of every package", () => {
    const problems = [...listPackages(), "simulation"].flatMap((name) => {
      const layers = LAYERS[name] ?? {};
      const files = sourcesOf(name);
      const empty = Object.keys(layers).filter((row) => !files.some((file) => rowOf(layers, file) === row));
      return [
        ...files
          .filter((file) => rowOf(layers, file) === undefined)
          .map((file) => `${name}: ${file} has no row`),
        ...empty.map((row) => `${name}: the row ${row} has no file`),
      ];
    });
    expectNone(problems, "Give it its place in test/tidy/layers.ts, or delete the row:");
  });

  it("import only what their rows name", () => {
    const found = packages.flatMap(({ name, layers, arrows }) =>
      arrows
        .map(({ from, to }) => ({ from: rowOf(layers, from) ?? from, to: rowOf(layers, to) ?? to }))
        .filter(({ from, to }) => !mayImport(layers, from, to))
        .map(({ from, to }) => `${name}: ${from} -> ${to}`),
    );
    compare(
      [...new Set(found)].sort(),
      NOT_YET.arrows,
      "Move what is needed to a lower layer, or pass it as a parameter (ARCHITECTURE.md, the layers):",
    );
  });

  it("have no circles: neither files nor folders that lie side by side import each other", () => {
    const found = packages.flatMap(({ name, arrows }) =>
      [...circles(arrows)].map(([folder, members]) => ({ at: `${name}: ${folder}`, members })),
    );
    const described = found.map(({ at, members }) => (isPinned(at) ? at : `${at}: ${members.join(" ")}`));
    compare(described, NOT_YET.circles, "Move what two of these need to a third file or folder:");
  });
});

describe("imports of packages", () => {
  it("name entries that the package may use", () => {
    const problems = listPackages().flatMap((name) =>
      listFiles(`packages/${name}/src`, ".ts").flatMap((file) =>
        importsOf(file)
          .map(({ specifier }) => specifier)
          .filter((it) => it.startsWith("@duroxide-ts/") && ENTRIES[name]?.includes(it) !== true)
          .map((it) => `${file} imports ${it}`),
      ),
    );
    expectNone(
      problems,
      "The package stands on less than that; what it may import is in test/tidy/layers.ts:",
    );
  });

  it("go through a package's name: its files are its own business", () => {
    const folders = ["packages", "test", "examples", "benchmarks", "scripts"];
    const problems = folders
      .flatMap((folder) => listFiles(folder, ".ts"))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ file: target }) => target !== undefined && leavesItsPackage(file, target))
          .map(({ specifier }) => `${file} imports ${specifier}`),
      );
    expectNone(problems, "Import another package by its name, and sources nothing that is not shipped:");
  });
});

/**
 * Tells whether an import leads from one package to another one's files, from outside to a package's, or from shipped
 * sources to unshipped files.
 */
function leavesItsPackage(file: string, target: string): boolean {
  const [from, to] = [packageOf(file), packageOf(target)];
  if (file.startsWith(`packages/${from}/src/`)) return !target.startsWith(`packages/${from}/src/`);
  return to !== undefined && to !== from;
}

function packageOf(file: string): string | undefined {
  const [folder, name] = file.split("/");
  return folder === "packages" ? name : undefined;
}
