/** Doc comments have a head: a noun for a field, a verb for a function. A phrase such as "Of the container" has none. */
import { expect, it } from "vitest";
import { listFiles, read } from "./repository.ts";

const EXTENSIONS: readonly string[] = [".ts", ".tsx", ".cjs", ".mjs"];

/** Words that begin a phrase without a head. */
const HEADLESS: ReadonlySet<string> = new Set(
  [
    "Above Against As Behind Below Beside Between Beyond By During For From In Inside Instead Of Over Since So Such",
    "That Those To Until What When Where Which Whose With Within Without",
  ].flatMap((words) => words.split(" ")),
);

it("doc comments begin with a noun or a verb", () => {
  const problems = EXTENSIONS.flatMap((extension) => listFiles("", extension)).flatMap(headlessIn);
  expect(problems, 'Say what it is ("Size in bytes of the item") or does ("Returns the size"):').toEqual([]);
});

function headlessIn(file: string): string[] {
  const source = read(file);
  return [...source.matchAll(/\/\*\*[\s*]*(\w+)/g)]
    .filter(([, word = ""]) => HEADLESS.has(word))
    .map(({ index, 1: word }) => `${file}:${source.slice(0, index).split("\n").length} ${word} …`);
}
