/** All code from which examples are taken, and files for the compiler of what stands in no file of its own. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  codeOfPage,
  examplesOf,
  filesBelow,
  type LooseCode,
  moduleOf,
  pagesOf,
  type ShownCode,
} from "./shown-code.ts";

/** Folder inside the repository, where the packages are found by name. */
const FOLDER = ".cache/api-examples";

/** Programs as they are, by how good they are for readers. */
const PROGRAMS: readonly (readonly [folder: string, rank: number])[] = [
  ["examples", 3],
  ["packages/create/templates", 4],
];

/** Further code that uses the packages: other packages of ours, and tests. Nothing of it was written to be read as an example. */
const FURTHER: readonly (readonly [path: RegExp, rank: number])[] = [
  [/^packages\/[^/]+\/src\//, 5],
  [/^packages\/[^/]+\/(test|conformance|azure-check)\/|^test\//, 6],
  [/^(simulation|benchmarks)\//, 7],
];

export class Sources {
  readonly shown: readonly ShownCode[];
  readonly further: readonly ShownCode[];
  /** Files that the compiler needs beside those of the project. */
  readonly looseFiles: readonly string[];

  private constructor(root: string, shown: readonly ShownCode[], files: readonly string[]) {
    this.shown = shown;
    this.looseFiles = shown
      .filter(({ file }) => file.startsWith(FOLDER))
      .map(({ file }) => path.join(root, file));
    this.further = FURTHER.flatMap(([which, rank]) =>
      files
        .map((file) => path.relative(root, file).replaceAll("\\", "/"))
        .filter((file) => which.test(file) && !file.endsWith(".d.ts"))
        .map((file) => wholeFile(root, file, rank)),
    );
  }

  /** `files` are those of the project. */
  static prepare(root: string, files: readonly string[]): Sources {
    const ofPages = pagesOf(root).flatMap((page) => codeOfPage(root, page));
    const loose = [...ofPages.filter((each) => "text" in each), ...looseExamples(root)];
    mkdirSync(path.join(root, FOLDER), { recursive: true });
    const written = loose.map((each, index) => {
      const { text, from } = moduleOf(each);
      const file = `${FOLDER}/block-${index}.ts`;
      writeFileSync(path.join(root, file), text);
      return { file, from, to: from + each.text.length, ...each.shown };
    });
    const programs = PROGRAMS.flatMap(([folder, rank]) =>
      filesBelow(root, folder, ".ts")
        .filter((file) => !/^examples\/(guide|recipes|skill)\//.test(file))
        .map((file) => wholeFile(root, file, rank)),
    );
    const shown = [...ofPages.filter((each) => "file" in each), ...written, ...programs];
    return new Sources(root, shown, files);
  }
}

function looseExamples(root: string): readonly LooseCode[] {
  return filesBelow(root, "packages", ".ts")
    .filter((file) => /^packages\/[^/]+\/src\//.test(file))
    .flatMap((file) =>
      examplesOf(readFileSync(path.join(root, file), "utf8")).map(({ code, place }) => ({
        text: code,
        shown: { title: "", address: "", owner: { file, place }, rank: 2 },
      })),
    );
}

function wholeFile(root: string, file: string, rank: number): ShownCode {
  const to = readFileSync(path.join(root, file), "utf8").length;
  return { file, from: 0, to, title: file, address: `files/${file}.txt`, rank };
}
