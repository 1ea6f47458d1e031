#!/usr/bin/env node
/** The command `create-duroxide-ts`, which `npm create @duroxide-ts` runs. */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Runs the npm that started this command; without it, the npm of the path. */
function npm(folder: string, args: readonly string[]): number {
  const started = process.env["npm_execpath"];
  const isNpm = started !== undefined && /npm(-cli|x-cli)?\.[cm]?js$/.test(started);
  const [program, before] = isNpm
    ? [process.execPath, [started.replace(/npx-cli\.js$/, "npm-cli.js")]]
    : ["npm", []];
  const ended = spawnSync(program, [...before, ...args], {
    cwd: folder,
    stdio: "inherit",
    shell: !isNpm && process.platform === "win32",
  });
  return ended.status ?? 1;
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isOld = major < 22 || (major === 22 && minor < 22) || major === 23 || (major === 24 && minor < 14);

if (isOld) {
  process.stderr.write(`@duroxide-ts needs Node 22.22.1, 24.14 or later; this is ${process.version}\n`);
  process.exitCode = 1;
} else {
  // An old Node cannot load it.
  const { runCommand } = await import("./command.ts");
  process.exitCode = await runCommand(process.argv.slice(2), {
    folder: process.cwd(),
    print: (text) => process.stdout.write(text),
    ask: process.stdin.isTTY ? ask : undefined,
    npm,
  });
}
