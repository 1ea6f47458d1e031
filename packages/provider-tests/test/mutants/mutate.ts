/** Makes a copy of the in-memory provider with one fault in it. */
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Mutant } from "./mutant.ts";

const ORIGINAL = fileURLToPath(new URL("../../../core/src/testing/memory/", import.meta.url));

const UPWARD = /from "((?:\.\.\/)+[^"]+)"/g;

/** The URL of the mutant's `provider.ts`, in a folder of its own. */
export function mutate(mutant: Mutant): string {
  const folder = mkdtempSync(join(tmpdir(), "duroxide-mutant-"));
  cpSync(ORIGINAL, folder, { recursive: true });
  for (const path of globSync("**/*.ts", { cwd: folder })) {
    const from = dirname(join(ORIGINAL, path));
    // Imports that lead out of the folder.
    const outward = (text: string, target: string): string => {
      const file = resolve(from, target);
      return file.startsWith(ORIGINAL) ? text : `from "${pathToFileURL(file).href}"`;
    };
    const text = path === mutant.file ? faultyText(mutant) : readFileSync(join(folder, path), "utf8");
    writeFileSync(join(folder, path), text.replaceAll(UPWARD, outward));
  }
  return pathToFileURL(join(folder, "provider.ts")).href;
}

/** The mutant's file with the fault. Throws if the provider does not have the text that the mutant replaces. */
export function faultyText({ name, file, find, replace }: Mutant): string {
  const parts = readFileSync(join(ORIGINAL, file), "utf8").split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(
    `"${name}": ${file} has the text ${parts.length - 1} times, not once; adapt the mutant to the provider`,
  );
}
