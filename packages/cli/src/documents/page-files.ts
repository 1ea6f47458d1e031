/** The pages of the repository that are part of this package. `npm run pack` copies them beside the compiled file. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Folder in which `npm run pack` puts them, in the folder of this file as it is compiled. */
export const PAGES_FOLDER = "pages";

/** Decisions tell how things came to be, and the upstream pages describe another library. */
const LEFT_OUT = /\/(decisions|upstream)\//;

/** The pages below a root, by their paths in the repository; empty where there are none. */
export function pageFiles(root: string): readonly string[] {
  return [...markdownOf(root, "docs"), ...readmes(root)].filter((file) => !LEFT_OUT.test(file));
}

function readmes(root: string): readonly string[] {
  const packages = existsSync(path.join(root, "packages")) ? readdirSync(path.join(root, "packages")) : [];
  return ["", ...packages.map((name) => `packages/${name}/`)]
    .map((folder) => `${folder}README.md`)
    .filter((file) => existsSync(path.join(root, file)));
}

function markdownOf(root: string, folder: string): readonly string[] {
  const at = path.join(root, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("."))
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`)
    .sort();
}

/** The pages that were packed, or those of the clone of the repository in which this file lies. */
export function pagesRoot(): string {
  const packed = path.join(import.meta.dirname, PAGES_FOLDER);
  return existsSync(packed) ? packed : path.resolve(import.meta.dirname, "../../../..");
}
