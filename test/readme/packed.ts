/** Reads packed packages: their files, and the files that they name. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

type Targets = string | { readonly [condition: string]: Targets };

export interface Manifest {
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly engines?: { readonly node?: string };
  /** Main entry; a package that is only a command has none. */
  readonly main?: string;
  readonly types?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Targets>>;
}

export interface Packed {
  readonly manifest: Manifest;
  readonly readme: string;
  /** Paths inside the package. */
  readonly files: readonly string[];
}

export function readPacked(folder: string, name: string): Packed {
  const file = readdirSync(folder).find((each) => new RegExp(`^duroxide-ts-${name}-\\d`).test(each)) ?? "";
  // Without a folder: the tar of Windows takes the letter of a drive for the name of a machine.
  const tar = (...args: readonly string[]) => execFileSync("tar", args, { cwd: folder, encoding: "utf8" });
  const read = (inside: string) => tar("-xzOf", file, `package/${inside}`);
  return {
    manifest: JSON.parse(read("package.json")) as Manifest,
    readme: read("README.md"),
    files: tar("-tzf", file)
      .split(/\r?\n/)
      .map((each) => each.replace(/^package\//, "")),
  };
}

/** Files that a manifest names, of every condition. */
export function targetsOf({ main, types, bin = {}, exports }: Manifest): string[] {
  const leaves = (targets: Targets): string[] =>
    typeof targets === "string" ? [targets] : Object.values(targets).flatMap(leaves);
  const files = [main, types, ...Object.values(bin), ...leaves(exports)];
  return files.filter((file) => file !== undefined).map((file) => path.posix.normalize(file));
}

/** Files that a page links to. */
export function linksOf(page: string): string[] {
  const links = Array.from(page.matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, link = ""]) => link);
  return links.map((link) => path.posix.normalize(link));
}
