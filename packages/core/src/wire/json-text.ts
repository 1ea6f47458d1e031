/**
 * Converts JSON text to values and back, exact where JSON.parse and JSON.stringify are not: integers above 2^53-1
 * become `bigint`s, lone surrogates are rejected when read and replaced when written (Rust's text is UTF-8). Rules:
 * docs/reference/wire-format.md §1; lenient reading: docs/decisions/rust.md.
 */
import { WireError } from "./wire-error.ts";

/** A number of 16 digits or more; requires a character before it, to skip digits inside most strings. */
const LONG_NUMBER = /[\s:,[-]\d{16}/;

/** Parses JSON; an integer above 2^53 becomes a bigint. WireError for what is none. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = LONG_NUMBER.test(text) ? parseExactly(text) : JSON.parse(text);
    if (mayHoldLoneSurrogate(text)) refuseLoneSurrogates(value);
    return value;
  } catch (cause) {
    if (WireError.is(cause)) throw cause;
    // V8 quotes the text around the fault, which may be a payload.
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split(/,? ?(?:\.{3})?"/, 1);
    throw new WireError({ code: "invalid-json", detail: `the text is not JSON (${reason})`, cause });
  }
}

function parseExactly(text: string): unknown {
  return parseNumbers(text, (value, source) =>
    !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
  );
}

/**
 * Parses JSON with `convert` for each number, which gets its text too. Several times slower than plain JSON.parse,
 * therefore only for texts whose numbers matter.
 */
export function parseNumbers(text: string, convert: (value: number, source: string) => unknown): unknown {
  const revive = (_key: string, value: unknown, { source }: { readonly source?: string }): unknown =>
    typeof value === "number" && source !== undefined ? convert(value, source) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

function mayHoldLoneSurrogate(text: string): boolean {
  return text.includes("\\ud") || text.includes("\\uD") || !text.isWellFormed();
}

function refuseLoneSurrogates(value: unknown): void {
  if (typeof value === "string") {
    if (value.isWellFormed()) return;
    throw new WireError({ code: "invalid-json", detail: "a string holds a lone surrogate" });
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseLoneSurrogates(key);
    refuseLoneSurrogates(inner);
  }
}

/** Strings that need no escape: no quote, backslash, control character or surrogate. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

export function writeString(value: string): string {
  // A short plain string is concatenated in half the time that JSON.stringify takes.
  if (value.length < 100 && PLAIN.test(value)) return `"${value}"`;
  return JSON.stringify(value.toWellFormed());
}

/** Any value that parseJson returns. */
export function writeJson(value: unknown): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, inner]) => `${writeString(key)}:${writeJson(inner)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
