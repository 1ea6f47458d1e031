#!/usr/bin/env node
/** The command `cosmos-emulator`: starts an endpoint, prints its address, and runs until a signal stops it. */
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { HELP, parseCommand } from "./cli-arguments.ts";

/** Exit codes: 2 for a mistake on the command line, 1 for an endpoint that cannot start. */
const MISTAKE = 2;
const CANNOT_START = 1;

const command = parseCommand(process.argv.slice(2));
if (command.kind === "help") process.stdout.write(HELP);
else if (command.kind === "version") process.stdout.write(`${version()}\n`);
else if (command.kind === "mistake") fail(command.message, MISTAKE);
else await run(command).catch((error: Error) => fail(error.message, CANNOT_START));

async function run(start: Extract<typeof command, { kind: "start" }>): Promise<void> {
  const { options, certificateFile, hasExplorer } = start;
  silenceSqliteWarning();
  const { CosmosEmulator } = await import("./emulator.ts");
  const { explorerFile } = await import("./explorer/index.ts");
  const emulator = await CosmosEmulator.start({
    ...options,
    ...(hasExplorer && { explorer: explorerFile }),
    onFailure: (error, { method, path }) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`${method} ${path} failed: ${text}\n`);
    },
  });
  if (certificateFile !== undefined) await writeFile(certificateFile, emulator.certificate ?? "");
  const stop = (): void => void emulator.stop();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // Printed last: a program that reads it may send a signal at once.
  const explorer = hasExplorer ? `Explorer  ${emulator.endpoint}_explorer/\n` : "";
  process.stdout.write(`Endpoint  ${emulator.endpoint}\nKey       ${emulator.key}\n${explorer}`);
}

/** Silences the warning of Node 22 that its SQLite is new; to the user of this command that says nothing. */
function silenceSqliteWarning(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      Reflect.apply(emit, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}

function version(): string {
  const manifest = createRequire(import.meta.url)("../package.json") as { version: string };
  return manifest.version;
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
