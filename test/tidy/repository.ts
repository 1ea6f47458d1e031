/** The repository's own text files, as paths relative to its root with forward slashes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT: string = path.resolve(import.meta.dirname, "../..");
const NOT_OURS: ReadonlySet<string> = new Set([
  ".git",
  ".toolchain",
  ".cache",
  "coverage",
  "dist",
  "node_modules",
  "tmp",
]);

export function listFiles(folder: string, extension: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    if (NOT_OURS.has(entry.name)) continue;
    const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...listFiles(file, extension));
    else if (file.endsWith(extension)) found.push(file);
  }
  return found;
}

/** The names of the folders in `packages/` that are packages already. */
export function listPackages(): string[] {
  return readdirSync(path.join(ROOT, "packages")).filter((name) => exists(`packages/${name}/package.json`));
}

/** Every TypeScript file that is shipped. */
export function listShippedSources(): string[] {
  return listPackages().flatMap((name) => listFiles(`packages/${name}/src`, ".ts"));
}

export function listFolder(folder: string): string[] {
  return exists(folder) ? readdirSync(path.join(ROOT, folder)) : [];
}

export function exists(file: string): boolean {
  return existsSync(path.join(ROOT, file));
}

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
