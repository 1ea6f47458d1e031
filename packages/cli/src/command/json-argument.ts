/** A JSON value on the command line: the text itself, `@file`, or `-` for stdin. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { JsonText } from "@duroxide-ts/core/client";
import { lossOf } from "@duroxide-ts/core/stores";
import { usage } from "../errors/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What takes the JSON: the store as it is written, or a codec or a schema as a value. */
export type JsonForm = "text" | "value";

/** `undefined` without a text. Throws a `CommandError` for what is no JSON, and for a value that loses something. */
export async function jsonArgument(
  text: string | undefined,
  what: string,
  { terminal, form }: { readonly terminal: Terminal; readonly form: JsonForm },
): Promise<unknown> {
  if (text === undefined) return undefined;
  const json = parsed(await read(text, terminal), what);
  if (form === "text") return json;
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
  if (text === "-") return terminal.input();
  if (!text.startsWith("@")) return text;
  const file = path.resolve(terminal.folder, text.slice(1));
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
