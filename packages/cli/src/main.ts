#!/usr/bin/env node
/** The command `duroxide`. It loads what a verb needs, and nothing before the verb is read. */
import { keepCompiledCode } from "./compile-cache.ts";
import { processHost } from "./host.ts";
import { nodeFault } from "./node-version.ts";
import { outliveReaders } from "./terminal/broken-pipes.ts";

// The next start reads compiled code instead of compiling it: half of the time of a start.
keepCompiledCode(process.env);

outliveReaders();

const fault = nodeFault(process.versions.node);
if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}

const { runCommand } = await import("./run-command.ts");
process.exitCode = await runCommand(process.argv.slice(2), processHost);
