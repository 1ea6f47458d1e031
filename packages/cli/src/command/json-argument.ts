/** A JSON value on the command line: the text itself, `@file`, or `-` for stdin. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { usage } from "../errors/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `undefined` without a text. Throws a `CommandError` for what is no JSON. */
export async function jsonArgument(
  text: string | undefined,
  what: string,
  terminal: Terminal,
): Promise<unknown> {
  if (text === undefined) return undefined;
  const json = await read(text, terminal);
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usage(
      `${what} is no JSON: ${why}`,
      `A text is '"text"', with its quotes; @file reads a file, - reads stdin`,
    );
  }
}

async function read(text: string, terminal: Terminal): Promise<string> {
  if (text === "-") return terminal.input();
  if (!text.startsWith("@")) return text;
  const file = path.resolve(terminal.folder, text.slice(1));
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
