/**
 * Bundles a package for those who install it: one file for each entry, and chunks for what entries share, so that
 * importing it reads a few files and not hundreds. The maps lead to the sources, which are packed beside.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { ROOT } from "./node-tool.ts";

/** Packages that are packed file by file: they read files that lie beside their modules. */
const FILE_BY_FILE: ReadonlySet<string> = new Set(["cli", "cosmos-emulator", "create", "dashboard"]);

export function isBundled(name: string): boolean {
  return !FILE_BY_FILE.has(name);
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const SQLITE = "node:sqlite";
const VIRTUAL = "\0node-sqlite";
/** A second class of a name gets another one, which messages and stored errors would show. */
const RENAMED_CLASS = /\bclass \w+\$\d+|\bvar \w+\$\d+ = class\b/;

const SOURCE = "@duroxide-ts/source";
const TARGET = "es2023";

/** Writes `dist` from the `src` that lies in the same folder. */
export async function bundle(manifest: Manifest, folder: string): Promise<void> {
  const entries = Object.values(manifest.exports).flatMap((targets) =>
    typeof targets === "string" || targets["default"] === undefined ? [] : [targets],
  );
  const input = Object.fromEntries(
    entries.map((targets) => [
      (targets["default"] ?? "").replace(/^\.\/dist\/(.*)\.js$/, "$1"),
      path.join(folder, targets[SOURCE] ?? ""),
    ]),
  );
  const options: InputOptions = {
    cwd: folder,
    input,
    platform: "node",
    tsconfig: false,
    external: isOfOthers,
    transform: { target: TARGET },
    treeshake: { moduleSideEffects: false },
  };
  const dist = path.join(folder, "dist");
  const names = { entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" };
  const output: OutputOptions = { dir: dist, format: "esm", ...names };
  const code = { external: (id: string) => isOfOthers(id) && id !== SQLITE, plugins: [nodeWithSqlite] };
  await write({ ...options, ...code }, { ...output, sourcemap: true });
  const types = { plugins: [dts({ oxc: {}, emitDtsOnly: true, tsconfig: false })] };
  await write({ ...options, ...types }, output);
  dropSources(dist);
}

/** Whether a module is not ours. Helpers for syntax that is compiled become a part of the bundle. */
function isOfOthers(id: string): boolean {
  return /^@?[a-z]/.test(id) && !id.startsWith("@oxc-project/");
}

async function write(options: InputOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown(options);
  const written = await build.write(output);
  await build.close();
  for (const part of written.output) {
    const renamed = part.type === "chunk" ? RENAMED_CLASS.exec(part.code)?.[0] : undefined;
    if (renamed !== undefined)
      throw new Error(`${part.fileName}: ${renamed}. Give one of the two classes another name`);
  }
}

/** The sources are packed once; a map need not have their text too. */
function dropSources(dist: string): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".map")) continue;
    const at = path.join(dist, file);
    const { sourcesContent: _, ...map } = JSON.parse(readFileSync(at, "utf8")) as {
      sourcesContent?: unknown;
    };
    writeFileSync(at, JSON.stringify(map));
  }
}

const { engines } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  readonly engines: { readonly node: string };
};

/** An old Node fails at a missing module before any code runs, so its SQLite is asked for in code that says what to do. */
const nodeWithSqlite: Plugin = {
  name: "node-with-sqlite",
  resolveId: (id) => (id === SQLITE ? VIRTUAL : undefined),
  load: (id) =>
    id === VIRTUAL
      ? `const sqlite = process.getBuiltinModule?.("${SQLITE}");
if (sqlite === undefined) throw new Error(\`@duroxide-ts/sqlite needs Node ${engines.node}; this is \${process.version}: install a newer Node\`);
export const { DatabaseSync } = sqlite;`
      : undefined,
};
