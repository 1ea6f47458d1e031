/** Asks before something is changed. */
import { createInterface } from "node:readline/promises";
import { CommandError, EXIT, usage } from "../errors/exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Returns if the answer is yes, or was given by `--yes`. Throws a `CommandError` otherwise. */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) {
    throw usage(
      `${question} There is no terminal to ask on`,
      "--yes does it without a question, --dry-run only says what it would do",
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} Go on? [y/N] `, { signal: terminal.interrupted });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error;
    throw new CommandError(EXIT.interrupted, "Nothing was changed.");
  } finally {
    lines.close();
  }
  throw new CommandError(EXIT.failed, "Nothing was changed.");
}
