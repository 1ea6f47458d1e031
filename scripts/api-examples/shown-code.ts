/** Code that readers see: blocks of pages, examples of docstrings, programs. All of it is compiled or run by the tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { headOf, TAIL } from "./given.ts";
import { BLOCK, REGION } from "./regions.ts";

export interface ShownCode {
  /** File in which the compiler sees the code, and from where to where it stands there. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** Name of the page or program, for readers. */
  readonly title: string;
  /** Place in the site, relative to the folder of the site. */
  readonly address: string;
  /** Place of the docstring, of an example in one. */
  readonly owner?: { readonly file: string; readonly place: number };
  /** How good it is for readers; 0 is best. */
  readonly rank: number;
}

/** Code that no program of the repository has: the compiler sees it in a file that is made for it. */
export interface LooseCode {
  readonly text: string;
  readonly shown: Omit<ShownCode, "file" | "from" | "to">;
}

/** Folders of programs whose regions pages show. */
const PROGRAMS: readonly string[] = [
  "examples/guide",
  "examples/recipes",
  "examples/skill",
  "test/testing-page",
  "packages/provider-tests/test/readme",
  "packages/cosmos-emulator/test/gateway/readme",
  "packages/cosmos-emulator/test/gateway",
];

/** Shows mistakes. */
const NOT_TO_BE_COPIED: ReadonlySet<string> = new Set(["docs/what-you-see-when.md"]);

export interface Page {
  readonly file: string;
  readonly rank: number;
}

/** Pages with programs, the best first. */
export function pagesOf(root: string): readonly Page[] {
  const folders = ["docs/guide", "docs/recipes", "docs/skill", "docs", "docs/operate", "docs/cosmos"];
  const pages = folders.flatMap((folder) => filesIn(root, folder, ".md"));
  const readmes = readdirSync(path.join(root, "packages")).map((name) => `packages/${name}/README.md`);
  return ["README.md", ...pages, ...readmes.filter((file) => existsSync(path.join(root, file)))]
    .filter((file) => !NOT_TO_BE_COPIED.has(file))
    .map((file) => ({ file, rank: /^docs\/(guide|recipes)\//.test(file) ? 0 : 1 }));
}

export function filesIn(root: string, folder: string, extension: string): string[] {
  return readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith(extension))
    .sort()
    .map((file) => `${folder}/${file}`);
}

/** Blocks of a page: those that are regions of programs, and those that are not. */
export function codeOfPage(root: string, { file, rank }: Page): readonly (ShownCode | LooseCode)[] {
  const page = readFileSync(path.join(root, file), "utf8");
  const title = /^# (.+)$/m.exec(page)?.[1]?.replaceAll("`", "") ?? file;
  return [...page.matchAll(BLOCK)].map((match) => {
    const [, program, region, , text = ""] = match;
    const address = `${addressOf(file)}${anchorBefore(page.slice(0, match.index))}`;
    const shown = { title, address, rank };
    if (program === undefined || region === undefined) return { text, shown };
    return { ...regionOf(root, program, region), ...shown };
  });
}

function addressOf(file: string): string {
  return file === "README.md" ? "index.html" : file.replace(/README\.md$/, "index.md").replace(/md$/, "html");
}

/** The anchor of the last heading below the title. */
function anchorBefore(text: string): string {
  const heading = [...text.matchAll(/^##+ (.+)$/gm)].at(-1)?.[1];
  return heading === undefined ? "" : `#${anchorOf(heading)}`;
}

/** Returns the anchor that VitePress makes. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[\s~!@#$%^&()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
}

function regionOf(root: string, program: string, region: string): Pick<ShownCode, "file" | "from" | "to"> {
  const file = PROGRAMS.map((folder) => `${folder}/${program}`).find((each) =>
    existsSync(path.join(root, each)),
  );
  if (file === undefined) throw new Error(`no folder of PROGRAMS in ${import.meta.filename} has ${program}`);
  const text = readFileSync(path.join(root, file), "utf8");
  const found = [...text.matchAll(REGION)].find(([, name]) => name === region);
  if (found === undefined) throw new Error(`${file} has no region ${region}`);
  const from = found.index + found[0].indexOf("\n") + 1;
  return { file, from, to: from + (found[2]?.length ?? 0) };
}

/** The text of a file for the compiler, and from where the code stands in it. */
export function moduleOf({ text }: LooseCode): { readonly text: string; readonly from: number } {
  const source = ts.createSourceFile("block.ts", text, ts.ScriptTarget.Latest);
  let body = text;
  const imports: string[] = [];
  const blank = (from: number, to: number): void => {
    body = body.slice(0, from) + body.slice(from, to).replaceAll(/[^\n]/g, " ") + body.slice(to);
  };
  for (const statement of source.statements) {
    const from = statement.getStart(source);
    if (ts.isImportDeclaration(statement)) {
      imports.push(text.slice(from, statement.end));
      blank(from, statement.end);
    }
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    for (const each of modifiers)
      if (each.kind === ts.SyntaxKind.ExportKeyword) blank(each.getStart(source), each.end);
  }
  const head = headOf(imports);
  return { text: `${head}${body}${TAIL}`, from: head.length };
}

const EXAMPLE = /@example\n\s*\* ```ts\n([\s\S]*?)\n\s*\* ```/g;

/** Examples in the docstrings of a file, with their places. */
export function examplesOf(text: string): readonly { readonly code: string; readonly place: number }[] {
  return [...text.matchAll(EXAMPLE)].map(({ index, 1: block = "" }) => ({
    code: block.replaceAll(/^\s*\* ?/gm, ""),
    place: index,
  }));
}

/** Files in a folder and in those below it. */
export function filesBelow(root: string, folder: string, extension: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(file))
    .sort()
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}
