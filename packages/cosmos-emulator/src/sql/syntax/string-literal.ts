/** String literals: single or double quotes, escapes as in JSON and `\'`. */
import { syntaxError } from "./query-error.ts";

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["'", "'"],
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
]);

/** Characters that stand for themselves; the quote of the other kind is one of them. */
const PLAIN: Readonly<Record<string, RegExp>> = { "'": /[^'\\]*/y, '"': /[^"\\]*/y };

/** Reads the literal whose opening quote is at `start`; `end` is behind its closing quote. */
export function readString(text: string, start: number): { value: string; end: number } {
  const quote = text.charAt(start);
  const pattern = new RegExp(PLAIN[quote] ?? /(?:)/y);
  let value = "";
  let at = start + 1;
  while (at < text.length) {
    pattern.lastIndex = at;
    const run = pattern.exec(text)?.[0] ?? "";
    value += run;
    at += run.length;
    if (text.charAt(at) === quote) return { value: value.toWellFormed(), end: at + 1 };
    if (at < text.length) {
      const escaped = readEscape(text, at);
      value += escaped.value;
      at = escaped.end;
    }
  }
  throw syntaxError(text.slice(start, start + 20), { start, end: text.length });
}

function readEscape(text: string, start: number): { value: string; end: number } {
  const simple = SIMPLE_ESCAPES.get(text.charAt(start + 1));
  if (simple !== undefined) return { value: simple, end: start + 2 };
  const hex = text.slice(start + 2, start + 6);
  if (text.charAt(start + 1) === "u" && /^[0-9a-fA-F]{4}$/.test(hex)) {
    return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: start + 6 };
  }
  throw syntaxError(text.slice(start, start + 2), { start, end: start + 2 });
}
