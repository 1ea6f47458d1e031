/** Every program that docs/testing.md shows is a region of a file in this folder, which the compiler and the runner see. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const PAGE = path.resolve(import.meta.dirname, "../../docs/testing.md");

const BLOCK = /(?:<!-- ([\w.-]+)#([\w-]+) -->\n)?```ts\n([\s\S]*?)\n```/g;

function regionsOf(file: string): Map<string, string> {
  const text = readFileSync(path.join(import.meta.dirname, file), "utf8");
  const regions = text.matchAll(/^ *\/\/ #region ([\w-]+)\n([\s\S]*?)\n *\/\/ #endregion$/gm);
  return new Map(
    [...regions].map(([, name = "", body = ""]) => [`${file}#${name}`, withoutIndentation(body)]),
  );
}

function withoutIndentation(text: string): string {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join("\n");
}

test("docs/testing.md shows these programs, all of them and as they are", () => {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => file !== path.basename(import.meta.filename),
  );
  const programs = new Map(files.flatMap((file) => [...regionsOf(file)]));
  const blocks = readFileSync(PAGE, "utf8").matchAll(BLOCK);
  const shown = new Map([...blocks].map(([, file, region, body = ""]) => [`${file}#${region}`, body]));
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(programs));
});
