/** Parses JSON without changing a number, and says what a parsed value would lose. */
import { parseNumbers } from "./json-text.ts";

/** Functions of the language since 2025; the library of TypeScript does not have them yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

const EXACT = JSON as unknown as ExactJson;

/** A text that JSON.stringify writes as it is, in place of a number that JavaScript cannot hold. */
export function isRawNumber(value: unknown): value is { readonly rawJSON: string } {
  return EXACT.isRawJSON(value);
}

/**
 * The parsed value, in which JSON.stringify finds every number as it is written. The text itself where a name occurs
 * twice in an object. Throws a SyntaxError for a text that is no JSON.
 */
export function exactJson(text: string): unknown {
  const value = parseNumbers(text, (number, source) =>
    JSON.stringify(number) === source ? number : EXACT.rawJSON(source),
  );
  return membersOf(value) === colonsOf(text) ? value : text;
}

/** Parses as `exactJson` does; returns the text itself also if it is no JSON. */
export function exactOrText(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return text;
  }
}

/** Says what the value of a JSON text loses, as a part of a sentence; `undefined` if nothing. */
export function lossOf(text: string): string | undefined {
  let lost: string | undefined;
  const value = parseNumbers(text, (number, source) => {
    if (!isSame(source, number)) lost ??= `the number ${source} would become ${String(number)}`;
    return number;
  });
  return lost ?? (membersOf(value) === colonsOf(text) ? undefined : "a name occurs twice in an object");
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** The members that a text has. */
function colonsOf(text: string): number {
  return text.replaceAll(STRINGS, "").split(":").length - 1;
}

/** The members that a value has. */
function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, each) => sum + membersOf(each), own);
}

function isSame(source: string, value: number): boolean {
  return decimal(source) === decimal(Object.is(value, -0) ? "0" : String(value));
}

/** The digits without zeros around them, and the power of ten behind them: one text for each number. */
function decimal(text: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  const exponent = Number(power) - part.length + digits.length - short.length;
  return short === "" ? `${sign}0` : `${sign}${short}e${exponent}`;
}
