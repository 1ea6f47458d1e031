/**
 * The surroundings of a command: the streams, the environment and the signals of this process. A test passes its own.
 */
import type { Terminal } from "./terminal/terminal.ts";

export interface Host {
  /** Writes to stdout. */
  write(text: string): void;
  /** Writes to stderr. */
  note(text: string): void;
  /** Creates the terminal of a verb; called once. Help and mistakes need none, so it is loaded when it is asked for. */
  terminal(options: TerminalOptions): Promise<Terminal>;
}

export interface TerminalOptions {
  /** `--no-color`. */
  readonly plain: boolean;
}

export const processHost: Host = {
  write: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  async terminal({ plain }) {
    const { processTerminal } = await import("./terminal/process-terminal.ts");
    return processTerminal(plain);
  },
};
