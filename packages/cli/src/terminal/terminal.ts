/** The terminal of a verb: where it writes, whether it can ask, and when it has to stop. */
import type { Clock, Logger } from "@duroxide-ts/core";

/** Formats of `util.styleText`. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "magenta";

export interface Terminal {
  readonly clock: Clock;
  /** Gets the warnings of the store. */
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Width of the terminal; `undefined` where stdout is none: then nothing is cut. */
  readonly columns: number | undefined;
  /** Whether a question can be asked. */
  readonly canAsk: boolean;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Announces a change, before anything is changed: the command then goes on also if nobody reads its output. */
  willChange(): void;
  /** Writes to stdout. */
  write(text: string): void;
  /** Writes to stderr, where it does not disturb a pipe. */
  note(text: string): void;
  /** Coloured where stdout is a terminal and colours are not switched off. */
  style(style: Style, text: string): string;
  /** The lines of stdin without their ends. */
  lines(): AsyncIterable<string>;
  /** Everything on stdin. */
  input(): Promise<string>;
}
