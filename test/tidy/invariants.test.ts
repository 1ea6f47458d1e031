/**
 * Names of invariants. A file lists its own in its head, each as ` * - <name of the file>.<letters and number>: `, so a
 * name is unique where file names are, and leads to its text.
 */
import path from "node:path";
import { expect, it } from "vitest";
import { listFiles, read } from "./repository.ts";

const NAME = "[A-Z]{1,4}[0-9]{1,2}";
const LISTED = new RegExp(`^ *\\* - ([a-z][a-z0-9-]*)\\.(${NAME}): `, "gm");
const CITED = new RegExp(`(?<![\\w./-])[a-z][a-z0-9-]*\\.${NAME}(?!\\w)`, "g");
/** A name without its file where one is listed or cited. */
const BARE = new RegExp(
  `(?:\\* +|/\\*\\* |// ?|\\(|"(?=\\w+: )|, | and )(${NAME})(?=[).,:]|  | and | to | \\*/|$)`,
  "gm",
);
/** Names of behaviours of Rust's provider (docs/reference/upstream), and what has such a name elsewhere. */
const OTHERS = /[Hh]azards?[^)]*$|V8/;

const sources = ["packages", "simulation", "test"].flatMap((folder) => listFiles(folder, ".ts"));
const pages = ["docs/decisions", "packages"].flatMap((folder) => listFiles(folder, ".md"));
const listed = sources.flatMap((file) =>
  [...read(file).matchAll(LISTED)].map(([, word = "", name = ""]) => ({ file, word, name })),
);
const known = new Set(listed.map(({ word, name }) => `${word}.${name}`));

it("invariants are named after the file that lists them, and no two alike", () => {
  const misnamed = listed
    .filter(({ file, word }) => path.basename(file, ".ts") !== word)
    .map(({ file, word, name }) => `${file}: ${word}.${name}`);
  expect(misnamed).toEqual([]);
  expect(known.size).toBe(listed.length);
});

it("invariants that are cited exist", () => {
  const problems = [...sources, ...pages].flatMap((file) =>
    [...read(file).matchAll(CITED)].filter(([name]) => !known.has(name)).map(([name]) => `${file}: ${name}`),
  );
  expect(problems).toEqual([]);
});

it("invariants are cited with the name of their file", () => {
  const problems = sources.flatMap((file) => {
    const text = read(file);
    return [...text.matchAll(BARE)]
      .filter(({ index, 0: match }) => !OTHERS.test(text.slice(Math.max(0, index - 80), index) + match))
      .map(({ index, 1: name }) => `${file}:${text.slice(0, index).split("\n").length} ${name}`);
  });
  expect(problems).toEqual([]);
});
