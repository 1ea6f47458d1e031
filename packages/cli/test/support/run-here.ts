/** The command in the process of the tests: its own words, streams, folder and environment, and no start of a process. */
import { Readable } from "node:stream";
import { type Clock, type LogFields, silentLogger, systemClock } from "@duroxide-ts/core";
import { runCommand } from "../../src/run-command.ts";
import { readLines } from "../../src/terminal/read-lines.ts";
import type { Terminal } from "../../src/terminal/terminal.ts";
import { environmentOf, type Run, type RunOptions } from "./run-process.ts";

/** Runs `duroxide` with these words to its end. */
export async function runHere(
  words: readonly string[],
  options: RunOptions & { readonly clock?: Clock } = {},
): Promise<Run> {
  let stdout = "";
  let stderr = "";
  const interrupt = new AbortController();
  const write = (text: string): void => {
    stdout += text;
    options.onOutput?.(stdout, () => interrupt.abort());
  };
  const note = (text: string): void => {
    stderr += text;
  };
  const warn = (_fields: LogFields, message: string): void => note(`${message}\n`);
  const stdin = options.stdin ?? "";
  const terminal: Terminal = {
    clock: options.clock ?? systemClock,
    logger: { ...silentLogger, warn, error: warn },
    environment: environmentOf(options),
    folder: options.folder ?? process.cwd(),
    columns: undefined,
    canAsk: false,
    willChange: () => {},
    interrupted: interrupt.signal,
    write,
    note,
    style: (_style, text) => text,
    lines: () => readLines(Readable.from([Buffer.from(stdin)])),
    input: async () => stdin,
  };
  const code = await runCommand(words, { write, note, terminal: async () => terminal });
  return { code, stdout, stderr };
}
