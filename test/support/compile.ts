/** Compiles pieces of code, each a module of its own, with the options of the tests. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");
const COMPILER = path.join(ROOT, "node_modules", "typescript-native", "bin", "tsc");
/** Path inside the repository, where the packages are found by name. */
const FOLDERS = path.join(ROOT, ".cache", "compiled");

export interface Finding {
  readonly code: number;
  /** The message, and what the compiler adds to it. */
  readonly lines: readonly string[];
}

/** Findings of each text, in order. `ambient` is a declaration file beside them. */
export function compile(
  texts: readonly string[],
  options: { readonly ambient?: string; readonly allowUnused?: boolean } = {},
): readonly (readonly Finding[])[] {
  mkdirSync(FOLDERS, { recursive: true });
  const folder = mkdtempSync(path.join(FOLDERS, "texts-"));
  try {
    const files = texts.map((text, index) => ({ name: `text-${index}.ts`, text }));
    const all = [...files, { name: "ambient.d.ts", text: options.ambient ?? "export {};" }];
    for (const { name, text } of all) writeFileSync(path.join(folder, name), text);
    const project = configuration(
      all.map(({ name }) => name),
      options.allowUnused === true,
    );
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(project));
    return findingsOf(run(folder), files.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configuration(files: readonly string[], allowUnused: boolean): object {
  const unused = allowUnused ? { noUnusedLocals: false, noUnusedParameters: false } : {};
  return {
    extends: path.join(ROOT, "tsconfig.test.json"),
    compilerOptions: { incremental: false, tsBuildInfoFile: null, ...unused },
    include: [],
    files,
  };
}

function run(folder: string): string {
  const args = [COMPILER, "-p", folder, "--pretty", "false", "--noErrorTruncation", "false"];
  const { stdout, stderr, error } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  if (error !== undefined || stderr !== "") throw error ?? new Error(stderr);
  return stdout;
}

const FIRST_LINE = /^(?<file>[^(]+)\(\d+,\d+\): error TS(?<code>\d+): (?<message>.*)$/;

/** A finding is one line, and further ones that are indented. */
function findingsOf(output: string, count: number): readonly (readonly Finding[])[] {
  const findings = Array.from({ length: count }, (): { code: number; lines: string[] }[] => []);
  let last: { lines: string[] } | undefined;
  for (const line of output.split("\n").filter((each) => each !== "")) {
    const first = FIRST_LINE.exec(line)?.groups;
    if (first === undefined && last === undefined) throw new Error(`the compiler says: ${output}`);
    if (first === undefined) {
      last?.lines.push(line);
      continue;
    }
    const index = Number(/^text-(\d+)\.ts$/.exec(first["file"] ?? "")?.[1]);
    const finding = { code: Number(first["code"]), lines: [first["message"] ?? ""] };
    const list = findings[index];
    if (list === undefined) throw new Error(`the compiler says of a file that is not asked for: ${line}`);
    list.push(finding);
    last = finding;
  }
  return findings;
}
