/** The report of an error, and the exit code that it stands for. */
import type { ProviderError } from "@duroxide-ts/core";
import { safeText } from "../text/safe-text.ts";
import { CommandError, EXIT, type ExitCode } from "./exit-code.ts";

const STORE_CODES: readonly string[] = [
  "unavailable",
  "cannot-open",
  "store-full",
  "read-only",
  "store-gone",
  "closed",
  "unsupported",
];

/** Writes the error and returns the exit code. */
export function report(error: unknown, write: (text: string) => void): ExitCode {
  const { exitCode, message, hint } = describe(error);
  // One line, because a message quotes what it is about.
  write(`${safeText(message)}\n`);
  for (const frame of framesOf(error)) write(`${safeText(frame)}\n`);
  if (hint !== undefined) write(`${safeText(hint)}\n`);
  return exitCode;
}

/** The kinds of error by name, since loading their classes would slow down a mistyped verb. */
export function describe(error: unknown): { exitCode: ExitCode; message: string; hint?: string | undefined } {
  if (error instanceof CommandError) return error;
  if (!(error instanceof Error)) return { exitCode: EXIT.failed, message: String(error) };
  if (error.name === "ProviderError") return describeStore(error as ProviderError);
  if (error.name === "InvalidInputError" || error.name === "ConfigurationError")
    return { exitCode: EXIT.usage, message: error.message };
  if ("code" in error)
    return { exitCode: error.code === "not-found" ? EXIT.notFound : EXIT.failed, message: error.message };
  return { exitCode: EXIT.failed, message: `${error.name}: ${error.message}` };
}

/** The frames of an error that is none of ours. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error instanceof CommandError || "code" in error) return [];
  return (error.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line));
}

function describeStore({ code, detail, message }: ProviderError): ReturnType<typeof describe> {
  if (code === "instance-not-found") {
    return { exitCode: EXIT.notFound, message: detail, hint: "Next: duroxide list" };
  }
  if (STORE_CODES.includes(code)) return { exitCode: EXIT.store, message };
  return { exitCode: code === "invalid-input" ? EXIT.usage : EXIT.failed, message };
}
