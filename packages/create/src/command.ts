/** `npm create @duroxide-ts`: its command line. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Source } from "./packages.ts";
import { TEMPLATES } from "./templates.ts";
import { writeProject } from "./write-project.ts";

/** Calls of the process that the command needs. */
export interface Host {
  readonly folder: string;
  readonly print: (text: string) => void;
  /** Asks a question; undefined where nobody can answer. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Runs npm in a folder and returns its exit code. */
  readonly npm: (folder: string, args: readonly string[]) => number;
}

const NAMES = TEMPLATES.map(({ name }) => name).join(", ");
const LIST = TEMPLATES.map(({ name, description }) => `  ${name.padEnd(8)} ${description}`).join("\n");

const HELP = `Usage: npm create @duroxide-ts [FOLDER] -- [flags]

Writes a project, and installs what it needs.

  --template NAME     ${NAMES}
  --packages SOURCE   version of the packages, or a folder with the files of \`npm run pack\`
  --no-install        only writes the files

${LIST}
`;

/** Runs the command and returns its exit code: 2 for a command line that it does not understand. */
export async function runCommand(args: readonly string[], host: Host): Promise<number> {
  try {
    const { values, positionals } = read(args);
    if (values.help) {
      host.print(HELP);
      return 0;
    }
    const template = values.template ?? (await choose(host));
    if (!TEMPLATES.some(({ name }) => name === template)) {
      throw new UsageError(`There is no template "${template}": choose one of ${NAMES}`);
    }
    const folder = path.resolve(host.folder, positionals[0] ?? `durable-${template}`);
    writeProject(folder, template, sourceOf(values.packages, host.folder));
    return values["no-install"] ? finish(folder, host, false) : install(folder, host);
  } catch (error) {
    host.print(`${(error as Error).message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

class UsageError extends Error {}

function read(args: readonly string[]) {
  try {
    const parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: "string", short: "t" },
        packages: { type: "string" },
        "no-install": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (parsed.positionals.length > 1) throw new Error("Name one folder");
    return parsed;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}. See --help`);
  }
}

async function choose({ ask }: Host): Promise<string> {
  if (ask === undefined) throw new UsageError(`Name a template with --template:\n${LIST}`);
  const answer = (await ask(`${LIST}\n\nTemplate (script): `)).trim();
  return answer === "" ? "script" : answer;
}

function sourceOf(packages: string | undefined, folder: string): Source {
  if (packages === undefined) return { version: ownVersion() };
  const named = path.resolve(folder, packages);
  return existsSync(named) && statSync(named).isDirectory() ? { folder: named } : { version: packages };
}

function ownVersion(): string {
  const manifest = path.resolve(import.meta.dirname, "../package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}

function install(folder: string, host: Host): number {
  const code = host.npm(folder, ["install", "--no-fund", "--no-audit", "--loglevel=error"]);
  if (code === 0) return finish(folder, host, true);
  host.print(`The files are in ${folder}, but \`npm install\` failed there: run it again\n`);
  return code;
}

function finish(folder: string, { folder: here, print }: Host, isInstalled: boolean): number {
  const change = path.relative(here, folder);
  const steps = [
    ...(change === "" ? [] : [`cd ${change}`]),
    ...(isInstalled ? [] : ["npm install"]),
    "npm start        # runs it",
    "npm test         # its tests, in virtual time",
    "npm run crash    # kills it in the middle, and starts it again",
  ];
  print(`\n${steps.map((step) => `  ${step}`).join("\n")}\n`);
  return 0;
}
