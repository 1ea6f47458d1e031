/** The commands of package.json, as a user calls them. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sample } from "../support/effort.ts";
import { listFiles, read } from "../tidy/repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Starting a process takes its time on a busy machine. */
const OF_PROCESSES = { timeout: 900_000 };

/** Commands of package.json, and those behind `npm run dev --`, each as what `scripts/run.cjs` gets. */
const SCRIPTS = Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts);
const FOR_USERS = SCRIPTS.filter((name) => name !== "dev");
const FOR_DEVELOPERS = Array.from(
  helpOf("dev").matchAll(/^ {2}([\w:-]+) {2}/gm),
  ([, name]) => `dev ${name}`,
);
const COMMANDS = [...FOR_USERS, ...FOR_DEVELOPERS];

function helpOf(...args: readonly string[]): string {
  return spawnSync(process.execPath, ["scripts/run.cjs", ...args], { cwd: ROOT, encoding: "utf8" }).stdout;
}

interface Ended {
  readonly exitCode: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run <command> -- <args>`, or `npm run dev -- <command> <args>`, without npm. */
async function run(command: string, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ["scripts/run.cjs", ...command.split(" "), ...args], { cwd: ROOT });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, stdout, stderr };
}

describe.each(COMMANDS)("the command %s", OF_PROCESSES, (command) => {
  it.each(sample(["--help", "-h"]))("explains itself with %s", async (flag) => {
    const { exitCode, stdout, stderr } = await run(command, flag);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: /);
    expect(stdout.split("\n").length, "says what it does").toBeGreaterThan(2);
  });
});

it.skipIf(process.platform === "win32")(
  "a command ends with the shell in which npm has started it, which passes no signal on",
  OF_PROCESSES,
  async () => {
    const line = `"${process.execPath}" scripts/run.cjs dev endpoint --port 0; true`;
    const shell = spawn("sh", ["-c", line], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    const [first] = (await once(shell.stdout, "data")) as [Buffer];
    expect(String(first)).toMatch(/^Endpoint/);
    shell.kill("SIGTERM");
    // The endpoint holds the pipe for as long as it runs.
    shell.stdout.resume();
    await once(shell.stdout, "close");
  },
);

/** The word of `compact` is a file, those of the tests are parts of paths, and `stress` asks for a store first. */
const TAKE_ANY_WORD = ["test", "dev test:deep", "dev compact", "dev stress"];
/** Commands that take no words, or whose words must name something that exists. */
const WORDS = COMMANDS.filter((command) => !TAKE_ANY_WORD.includes(command)).map(
  (command) => [command, "nonsense"] as const,
);
const FLAGS = COMMANDS.map((command) => [command, "--no-such-flag"] as const);

const VALUES: readonly (readonly [string, string | undefined, string | undefined, string])[] = [
  ["demo", "--provider", "postgres", "postgres"],
  ["demo", "--provider", undefined, "--provider"],
  ["demo", "--keep=yes", undefined, "--keep"],
  ["dev bench", "--provider", "postgres", "postgres"],
  ["dev bench", "--guard", "sometimes", "sometimes"],
  ["dev stress", "--seconds", "many", "many"],
  ["dev stress", "--scenario", "none", "none"],
  ["dev crash-matrix", "--seed", "x", '"x"'],
  ["dev crash-matrix", "--cells", "0", '"0"'],
  ["dev crash-matrix", "--only", "no such operation", "no such operation"],
  ["dev storm", "--minutes", "", '""'],
  ["dev storm", "--processes", "0", '"0"'],
  ["dev storm", "--provider", "postgres", "postgres"],
  ["dev storm", "--lock", "1", '"1"'],
  ["dev azure-check", "--phase", "9", '"9"'],
  ["dev azure-check", "--probe", "99", '"99"'],
  ["dev azure-check", "--endpoint", "https://a.documents.azure.com", "--key-env"],
  ["dev azure-check", "--connection-string-env", "NO_SUCH_VARIABLE", "NO_SUCH_VARIABLE"],
  ["dev azure-check", undefined, undefined, "--rehearsal"],
  ["dev simulate", "--seeds", "0", "--seeds"],
  ["dev simulate", "--faults", "gremlins", "gremlins"],
  ["dev fleet-costs", "--rates", "fast", "--rates"],
  ["dev endpoint", "--port", "many", "many"],
  ["no-such-command", undefined, undefined, "no-such-command"],
  ["dev no-such-command", undefined, undefined, "no-such-command"],
];

describe("what is refused in one sentence", OF_PROCESSES, () => {
  it.each([...sample(FLAGS), ...sample(WORDS)])("npm run %s -- %s", async (command, word) => {
    expectRefusal(await run(command, word), word);
  });

  it.each(sample(VALUES))("npm run %s -- %s %s", async (command, flag, value, named) => {
    const args = [flag, value].filter((arg) => arg !== undefined);
    expectRefusal(await run(command, ...args), named);
  });
});

function expectRefusal({ exitCode, stdout, stderr }: Ended, named: string): void {
  expect([exitCode, stdout], stderr).toEqual([2, ""]);
  expect(stderr).toContain(named);
  expect(stderr).not.toMatch(/^ {2,}at /m);
  expect(stderr.trimEnd().split("\n").length, stderr).toBeLessThanOrEqual(2);
}

it("npm run shows four commands of users, test and dev", () => {
  expect(SCRIPTS).toEqual(["demo", "example", "docs", "pack", "test", "dev"]);
  expect(FOR_DEVELOPERS.length).toBeGreaterThan(10);
});

it("every command of developers has a line in their list", () => {
  const { stderr } = spawnSync(process.execPath, ["scripts/run.cjs", "dev", "?"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const known = /use one of (.*)\.\n/.exec(stderr)?.[1]?.split(", ") ?? [];
  expect(FOR_DEVELOPERS).toEqual(known.map((name) => `dev ${name}`));
});

it("the list of commands is printed where none is named", () => {
  const help = helpOf();
  for (const command of SCRIPTS) expect(help).toContain(`\n  ${command} `);
});

it("pages and workflows name only commands that exist", () => {
  const pages = [...listFiles("", ".md"), ...listFiles(".github", ".yml")];
  const known = [...COMMANDS, "dev", ...commandsOfTemplates()];
  const wrong = pages.flatMap((page) =>
    [...read(page).matchAll(/\bnpm run ([\w:-]+(?: -- [a-z][\w:-]*)?)/g)]
      .map(([, call = ""]) =>
        call.startsWith("dev -- ") ? call.replace("dev -- ", "dev ") : call.split(" ")[0],
      )
      .filter((call = "") => !known.includes(call))
      .map((call) => `${page}: npm run ${call}`),
  );
  expect(wrong).toEqual([]);
});

/** Commands of the projects that `npm create @duroxide-ts` writes. */
function commandsOfTemplates(): readonly string[] {
  const manifests = listFiles("packages/create/templates", "package.json");
  return manifests.flatMap((file) =>
    Object.keys((JSON.parse(read(file)) as { readonly scripts: object }).scripts),
  );
}
