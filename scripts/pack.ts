/** `npm run pack`: builds the packages and packs each into a file that npm installs, without a registry of packages. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { addAgentPages, agentPages } from "./agent-pages.ts";
import { bundle, isBundled } from "./bundle.ts";
import { CommandLine } from "./command-line.ts";
import { COMPILER, ROOT, runTool } from "./node-tool.ts";
import { withoutOuterLinks } from "./outer-links.ts";

const line = CommandLine.read({
  call: "npm run pack",
  help: ` [-- flags] [packages]

Builds the packages, or only those that are named (\`core sqlite\`), and packs each into one file, so that they can be used before they are published:

  npm install CLONE/dist/packages/duroxide-ts-core-0.1.0.tgz CLONE/dist/packages/duroxide-ts-sqlite-0.1.0.tgz

  --to FOLDER        where the files are written (dist/packages)
  --repository URL   address of the repository, for the manifests and the links of the READMEs
`,
  flags: { to: { type: "string", default: "dist/packages" }, repository: { type: "string" } },
  takesWords: true,
});
const { values, words } = line;
/** Pages of which core's package has copies, in the same folders. */
const pagesOfAgents = agentPages(ROOT);

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly devDependencies?: unknown;
}

const all = readdirSync(path.join(ROOT, "packages"));
const unknown = words.find((name) => !all.includes(name));
if (unknown !== undefined) line.refuse(`there is no package "${unknown}"; there are ${all.join(", ")}`);
const packages = words.length === 0 ? all : words;

const folder = path.resolve(ROOT, values.to);
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder).filter((name) => /^duroxide-ts-.*\.tgz$/.test(name)))
  rmSync(path.join(folder, file));

// The compiler leaves what a file that has moved was compiled to, and everything in dist is packed.
const compiled = packages.filter((name) => !isBundled(name));
for (const name of compiled)
  rmSync(path.join(ROOT, "packages", name, "dist"), { recursive: true, force: true });
const projects = compiled.map((name) => path.join("packages", name));
const built = projects.length === 0 ? 0 : await runTool(COMPILER, "-b", ...projects, "--force");
if (built !== 0) process.exit(built);
if (packages.includes("cli")) await copyPages();

const stages = mkdtempSync(path.join(tmpdir(), "duroxide-pack-"));
const staged = await Promise.all(packages.map((name) => stage(name)));
const packed = npm("pack", "--silent", "--ignore-scripts", `--pack-destination=${folder}`, ...staged);
rmSync(stages, { recursive: true });
if (packed !== 0) process.exit(packed);

for (const file of readdirSync(folder).sort()) console.log(path.join(values.to, file));
const { version } = JSON.parse(readFileSync(path.join(ROOT, "packages/core/package.json"), "utf8")) as {
  version: string;
};
const files = ["core", "sqlite"].map((name) => path.join(folder, `duroxide-ts-${name}-${version}.tgz`));
console.log(`\nIn a project of your own: npm install ${files.join(" ")}`);

/**
 * Copies a package as users get it: without what only a clone has, and with a README that names the pages of the
 * repository, because links to them would lead nowhere.
 */
async function stage(name: string): Promise<string> {
  const from = path.join(ROOT, "packages", name);
  const to = path.join(stages, name);
  const { devDependencies: _, ...manifest } = JSON.parse(
    readFileSync(path.join(from, "package.json"), "utf8"),
  ) as Manifest;
  const files = manifest.files.filter(
    (file) => !file.startsWith("!") && !(file === "dist" && isBundled(name)),
  );
  for (const file of [...files, "LICENSE"])
    cpSync(path.join(from, file), path.join(to, file), { recursive: true });
  if (isBundled(name)) await bundle(manifest, to);
  const entries = Object.entries(manifest.exports).filter(
    ([, targets]) => typeof targets === "string" || "default" in targets,
  );
  const shipped = { ...manifest, ...origin(name), exports: Object.fromEntries(entries) };
  writeFileSync(path.join(to, "package.json"), `${JSON.stringify(shipped, undefined, 2)}\n`);
  const page = readFileSync(path.join(from, "README.md"), "utf8");
  const home = path.posix.join("packages", name);
  const named = withoutOuterLinks(page, {
    folder: home,
    has: (file) => manifest.files.includes(path.posix.relative(home, file).split("/")[0] ?? ""),
    copyOf: (file) => (name === "core" && pagesOfAgents.includes(file) ? file : undefined),
    address: values.repository && `${values.repository}/blob/v${manifest.version}`,
  });
  writeFileSync(path.join(to, "README.md"), named);
  if (name === "core") addAgentPages(ROOT, to);
  return to;
}

/** Fields of a manifest that say where the package comes from; npm compares them with the provenance. */
function origin(name: string): object {
  const { repository } = values;
  if (repository === undefined) return {};
  return {
    repository: { type: "git", url: `git+${repository}.git`, directory: `packages/${name}` },
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
  };
}

/**
 * Copies the pages that agents search through `duroxide mcp`. The command says which pages, and where it reads them.
 */
async function copyPages(): Promise<void> {
  const documents = path.join(ROOT, "packages/cli/dist/documents");
  const { PAGES_FOLDER, pageFiles } = (await import(
    pathToFileURL(path.join(documents, "page-files.js")).href
  )) as { readonly PAGES_FOLDER: string; readonly pageFiles: (root: string) => readonly string[] };
  for (const file of pageFiles(ROOT)) cpSync(path.join(ROOT, file), path.join(documents, PAGES_FOLDER, file));
}

/** Runs the npm that started this command, with this Node; without it, the npm of the path. */
function npm(...args: readonly string[]): number {
  const started = process.env["npm_execpath"];
  const [program, before] = started === undefined ? ["npm", []] : [process.execPath, [started]];
  const ended = spawnSync(program, [...before, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    shell: started === undefined && process.platform === "win32",
  });
  if (ended.error !== undefined) console.error(`npm could not be started: ${ended.error.message}`);
  return ended.status ?? 1;
}
