/** Asks before something is changed. */
import { createInterface, type ReadLineOptions } from "node:readline/promises";
import { CommandError, EXIT, usage } from "../errors/exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Returns if the answer is yes, or was given by `--yes`. Throws a `CommandError` otherwise. */
export async function confirm(
  terminal: Terminal,
  question: string,
  yes: boolean,
  streams: ReadLineOptions = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) {
    throw usage(
      `${question} There is no terminal to ask on`,
      "--yes does it without a question, --dry-run only says what it would do",
    );
  }
  const lines = createInterface(streams);
  // On a terminal Ctrl-C comes to the question, and no signal to the process. After Ctrl-D there is no answer.
  const interrupt = new AbortController();
  const closed = new AbortController();
  lines.once("SIGINT", () => interrupt.abort());
  lines.once("close", () => closed.abort());
  const interrupted = AbortSignal.any([terminal.interrupted, interrupt.signal]);
  const signal = AbortSignal.any([interrupted, closed.signal]);
  const answer = await lines.question(`${question} Go on? [y/N] `, { signal }).catch(() => "");
  lines.close();
  if (interrupted.aborted) throw new CommandError(EXIT.interrupted, "Nothing was changed.");
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.failed, "Nothing was changed.");
}
