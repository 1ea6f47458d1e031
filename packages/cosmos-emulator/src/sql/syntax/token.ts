import type { Span } from "./query-error.ts";

/** Keywords are words like any other for the lexer: whether a word is one depends on its place. */
export type TokenKind = "word" | "parameter" | "number" | "string" | "symbol" | "end";

export interface Token extends Span {
  readonly kind: TokenKind;
  /** The text in the query; for error messages, words and symbols. */
  readonly text: string;
  /** The number or the unescaped string; the name of a parameter with its `@`. */
  readonly value: number | string | undefined;
}

/**
 * Words that cannot be used as a name without brackets and quotes: the service answers `c.order` with a
 * syntax error. The list is that of the query grammar in Microsoft's SDKs.
 */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "and array as asc between by desc distinct escape exists false from group in join left like limit not " +
    "null offset or order right select top true udf undefined value where"
  ).split(" "),
);

/** Tells whether the word, in any case, may not stand as a name. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word.toLowerCase());
}
