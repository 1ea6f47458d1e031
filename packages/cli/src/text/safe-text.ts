/**
 * Makes stored texts safe for a terminal, which executes control sequences of any writer of the store. All output for a
 * terminal passes through here.
 *
 * - safe-text.X1: No control character, escape sequence, line break or change of direction in a stored text reaches a
 *   terminal: each is shown as an escape of JavaScript. The joiners of emoji are kept.
 * - safe-text.X2: Text in right-to-left letters is isolated, so that it does not reorder the cells beside it.
 * - safe-text.X3: JSON for programs is the same value: what a terminal would obey is written as an escape of JSON.
 * - safe-text.X4: Names that differ look different: white space at the ends of a name, any but the plain space, joiners
 *   that join nothing, and another way to write a letter than the usual one of Unicode are shown, and a backslash is doubled,
 *   because one begins an escape.
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

const SPACES = /^ +| +$|[^\S ]/g;
/** Joiners beside ASCII or at an end. */
const IDLE_JOINERS = /(?<![^\0-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\0-\x7f])/g;

/** One line like that of `safeText`, for an id or a name (safe-text.X4). */
export function safeName(text: string): string {
  const marked = text
    .replaceAll("\\", "\\\\")
    .replaceAll(SPACES, escapeAll)
    .replaceAll(IDLE_JOINERS, escapeAll);
  return safeText(marked.normalize() === marked ? marked : marked.replaceAll(/[^\0-\x7f]/gu, otherSpelling));
}

/** Marks on letters, and parts of Korean syllables. */
const PART = /[\p{M}\u1100-\u11ff]/u;

function otherSpelling(character: string): string {
  return PART.test(character) || character.normalize() !== character ? escapeOf(character) : character;
}

function escapeAll(characters: string): string {
  return [...characters].map(escapeSpace).join("");
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

/** A word for a POSIX shell and for zsh, where `=name` is a path; `undefined` for a text that should not be pasted into one. */
export function shellWord(text: string): string | undefined {
  if (/^[\w.:@%+/,-][\w.:@%+=/,-]*$/.test(text)) return text;
  if (safeText(text) !== text) return undefined;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
