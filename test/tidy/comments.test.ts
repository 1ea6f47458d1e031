/** Doc comments have a head: a noun for a field, a verb for a function. A phrase such as "Of the container" has none. */
import { expect, it } from "vitest";
import { listFiles, read } from "./repository.ts";

/** Folders whose comments have heads. The list grows. */
const FOLDERS: readonly string[] = ["benchmarks", "docs", "examples", "packages", "scripts", "simulation"];

const HEADLESS =
  /^(?:Of|That|Those|What|Which|Whose|By|As|For|From|In|To|Such|With|Without|Where|When|Behind|Until|Since)\b/;

it("doc comments begin with a noun or a verb", () => {
  const problems = FOLDERS.flatMap((folder) => listFiles(folder, ".ts")).flatMap(headlessIn);
  expect(problems, 'Say what it is ("Size in bytes of the item") or does ("Returns the size"):').toEqual([]);
});

function headlessIn(file: string): string[] {
  const source = read(file);
  return [...source.matchAll(/\/\*\*[\s*]*([^\n]*)/g)]
    .filter(([, text = ""]) => HEADLESS.test(text))
    .map(({ index, 1: text }) => `${file}:${source.slice(0, index).split("\n").length} ${text}`);
}
