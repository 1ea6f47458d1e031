#!/usr/bin/env node
/** The command `create-duroxide-ts`, which `npm create @duroxide-ts` runs. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { nodeFault } from "./node-version.ts";

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

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly engines: { readonly node: string };
};
const fault = nodeFault(process.versions.node, manifest.engines.node);

if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
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
