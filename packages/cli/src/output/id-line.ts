/**
 * An id as a line, for `-o ids` and for ids from stdin. A line is the id itself. An id that a line cannot carry
 * unchanged (white space at its ends, line breaks, control characters), or that begins with a quote, is a JSON string.
 */
import { usage } from "../errors/exit-code.ts";
import { safeJson } from "../text/safe-text.ts";

const CARRIED = /^(?!["\s])[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*(?<!\s)$/u;

export function idLine(id: string): string {
  return CARRIED.test(id) && id !== "" ? id : safeJson(JSON.stringify(id));
}

/** `undefined` for an empty line. Throws a `CommandError` for a line that begins with a quote and is no JSON string. */
export function idOfLine(line: string): string | undefined {
  if (line === "") return undefined;
  if (!line.startsWith('"')) return line;
  try {
    return JSON.parse(line) as string;
  } catch {
    throw usage(
      `The line ${line} begins with a quote and is no JSON string`,
      "duroxide list -o ids writes such lines",
    );
  }
}
