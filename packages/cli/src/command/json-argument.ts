/** A JSON value on the command line: the text itself, `@file`, or `-` for stdin. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { JsonText } from "@duroxide-ts/core/client";
import { lossOf } from "@duroxide-ts/core/stores";
import { usage } from "../errors/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { withoutMark } from "../terminal/without-mark.ts";

/** The receiver of the JSON. */
export interface JsonTaker {
  readonly terminal: Terminal;
  /** Whether a codec or a schema takes it as a value; otherwise the store takes it as it is written. */
  readonly asValue: boolean;
}

/** `undefined` without a text. Throws a `CommandError` for what is no JSON, and for a value that loses something. */
export async function jsonArgument(
  text: string | undefined,
  what: string,
  { terminal, asValue }: JsonTaker,
): Promise<unknown> {
  if (text === undefined) return undefined;
  const json = parsed(await read(text, terminal), what);
  if (!asValue) return json;
  const loss = lossOf(json.text);
  if (loss === undefined) return JSON.parse(json.text) as unknown;
  throw usage(
    `${what}: ${loss}`,
    "The codec or the schema takes values: write a long number as a text, in quotes",
  );
}

function parsed(json: string, what: string): JsonText {
  try {
    return new JsonText(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usage(
      `${what} is no JSON: ${why}`,
      `A text is '"text"', with its quotes; @file reads a file, - reads stdin`,
    );
  }
}

async function read(text: string, terminal: Terminal): Promise<string> {
  if (text === "-") return withoutMark(await terminal.input(), "stdin");
  if (!text.startsWith("@")) return text;
  const file = path.resolve(terminal.folder, text.slice(1));
  const content = await readFile(file, "utf8").catch((error: unknown) => {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  return withoutMark(content, file);
}
