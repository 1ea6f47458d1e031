/**
 * An id as a line, for `-o ids` and for ids from stdin. A line is the id itself. An id that a line cannot carry
 * unchanged (white space at its ends, line breaks, control characters), or that begins with a quote, is a JSON string.
 */
import { usage } from "../errors/exit-code.ts";
import { safeJson } from "../text/safe-text.ts";

/** Joiners are those of emoji. */
const CARRIED = /^(?!["\s])(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u200c\u200d])*(?<!\s)$/u;

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
