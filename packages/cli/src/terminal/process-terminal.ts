/** The terminal of this process. */
import { addAbortSignal, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { styleText } from "node:util";
import { stderrLogger, systemClock } from "@duroxide-ts/core/client";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { goOnWithoutReader } from "./broken-pipes.ts";
import { readLines } from "./read-lines.ts";
import type { Terminal } from "./terminal.ts";

/** The terminal of this process; `plain` switches colours off. */
export function processTerminal(plain: boolean): Terminal {
  silenceSqliteWarning();
  const colours = hasColours(plain);
  const { stdin, stdout, stderr } = process;
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  process.once("SIGTERM", () => interrupt.abort());
  return {
    clock: systemClock,
    logger: stderrLogger(),
    environment: process.env,
    folder: process.cwd(),
    columns: stdout.isTTY ? stdout.columns : undefined,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    interrupted: interrupt.signal,
    willChange: goOnWithoutReader,
    write: (output) => void stdout.write(output),
    note: (output) => void stderr.write(output),
    style: (style, output) => (colours ? styleText(style, output, { stream: stdout }) : output),
    lines: () => readLines(interruptible(stdin, interrupt.signal)),
    input: () => text(interruptible(stdin, interrupt.signal)),
  };
}

function hasColours(switchedOff: boolean): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced } = process.env;
  if (switchedOff || (none !== undefined && none !== "")) return false;
  return forced !== undefined && forced !== "0"
    ? true
    : process.stdout.isTTY === true && process.stdout.hasColors();
}

/** Node 22 warns at every start that its SQLite is new; to the user of this command that says nothing. */
function silenceSqliteWarning(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      Reflect.apply(emit, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}

/** A stream that is read until Ctrl-C: a command that waits for stdin ends like any other. */
async function* interruptible(stream: Readable, interrupted: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* addAbortSignal(interrupted, stream);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    throw new CommandError(EXIT.interrupted, "Interrupted: stdin was not read to its end.");
  }
}
