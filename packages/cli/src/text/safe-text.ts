/**
 * Makes stored texts safe for a terminal, which executes control sequences of any writer of the store. All output for a
 * terminal passes through here.
 *
 *   X1  No control character, escape sequence, line break or change of direction in a stored text reaches a terminal:
 *       each is shown as an escape of JavaScript. The joiners of emoji are kept.
 *   X2  Text in right-to-left letters is isolated, so that it does not reorder the cells beside it.
 *   X3  JSON for programs is the same value: what a terminal would obey is written as an escape of JSON.
 *   X4  Names that differ look different: white space at the ends of a name, and any but the plain space, is shown.
 */

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const JOINERS = "\u200c\u200d";
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const ISOLATE = "\u2068";
const END_ISOLATE = "\u2069";
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line that a terminal shows and does not obey. */
export function safeText(text: string): string {
  const escaped = text.replace(UNSAFE, (character) =>
    JOINERS.includes(character) ? character : (SHORT[character] ?? escapeOf(character)),
  );
  return RIGHT_TO_LEFT.test(escaped) ? `${ISOLATE}${escaped}${END_ISOLATE}` : escaped;
}

/** As `safeText`, for an id or a name: white space at its ends, and any that is no plain space, is shown too (X4). */
export function safeName(text: string): string {
  const marked = text.replaceAll(/^ +| +$|[^\S ]/g, (space) => [...space].map(escapeSpace).join(""));
  return safeText(marked);
}

function escapeSpace(character: string): string {
  return SHORT[character] ?? escapeOf(character);
}

/** JSON text without characters that a terminal obeys; the value is the same. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    character === "\n"
      ? character
      : [...Array(character.length).keys()].map((at) => unitEscape(character, at)).join(""),
  );
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`;
}

function unitEscape(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`;
}

/** A word for a POSIX shell; `undefined` for a text that should not be pasted into one. */
export function shellWord(text: string): string | undefined {
  if (/^[\w.:@%+=/,-]+$/.test(text)) return text;
  if (safeText(text) !== text) return undefined;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
