/** Exit codes of the command (docs/operate/command-line.md, "Exit codes"). */

export const EXIT = {
  ok: 0,
  /** The operation failed, or `doctor`, `replay` or `stress` found something wrong. */
  failed: 1,
  /** A mistake on the command line. */
  usage: 2,
  /** The store cannot be reached, or refused. */
  store: 3,
  notFound: 4,
  /** Some instances of a bulk operation were not changed. */
  partly: 5,
  interrupted: 130,
} as const;

/** One of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message on stderr. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  /** Advice on what to do next, on a line of its own. */
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** A mistake on the command line. */
export function usage(message: string, hint?: string): CommandError {
  return new CommandError(EXIT.usage, message, hint);
}
