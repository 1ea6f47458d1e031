/** Writes a project from a template. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { copyPackages, type Source, withPackages } from "./packages.ts";
import { COMMON_FOLDER, TEMPLATES_FOLDER } from "./templates.ts";

/** Copies the template into an empty folder. An error says why it cannot; nothing is written then. */
export function writeProject(folder: string, template: string, source: Source): void {
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== ".git")) {
    throw new Error(`${folder} is not empty: name another folder`);
  }
  const from = path.join(TEMPLATES_FOLDER, template);
  const manifest = JSON.parse(readFileSync(path.join(from, "package.json"), "utf8")) as object;
  const name = path
    .basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._-]+/, "");
  const written = { ...withPackages(manifest, source), name: name || "app" };
  for (const files of [COMMON_FOLDER, from]) cpSync(files, folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(written, undefined, 2)}\n`);
  copyPackages(written, source, folder);
  // npm leaves files named .gitignore out of packages.
  renameSync(path.join(folder, "gitignore"), path.join(folder, ".gitignore"));
}
