/** Doc comments have a head: a noun for a field, a verb for a function. A phrase such as "Of the container" has none. */
import { expect, it } from "vitest";
import { listFiles, read } from "./repository.ts";

const EXTENSIONS: readonly string[] = [".ts", ".tsx", ".cjs", ".mjs"];

const HEADLESS =
  /^(?:Of|That|Those|What|Which|Whose|By|As|For|From|In|To|Such|With|Without|Where|When|Behind|Until|Since)\b/;

it("doc comments begin with a noun or a verb", () => {
  const problems = EXTENSIONS.flatMap((extension) => listFiles("", extension)).flatMap(headlessIn);
  expect(problems, 'Say what it is ("Size in bytes of the item") or does ("Returns the size"):').toEqual([]);
});

function headlessIn(file: string): string[] {
  const source = read(file);
  return [...source.matchAll(/\/\*\*[\s*]*([^\n]*)/g)]
    .filter(([, text = ""]) => HEADLESS.test(text))
    .map(({ index, 1: text }) => `${file}:${source.slice(0, index).split("\n").length} ${text}`);
}
