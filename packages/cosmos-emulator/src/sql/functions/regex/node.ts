/** The tree of a regular expression. */

/** Whether a code point is one that the expression takes at its place. */
export type Matcher = (codePoint: number) => boolean;

/** Places between characters. */
export type Anchor = "start" | "end" | "lineStart" | "lineEnd" | "boundary" | "noBoundary";

export type RegexNode =
  | { readonly kind: "character"; readonly matches: Matcher }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  | { readonly kind: "sequence"; readonly nodes: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly RegexNode[] }
  | { readonly kind: "repeat"; readonly node: RegexNode; readonly min: number; readonly max: number };

/** A pattern that is malformed, or uses what a matcher in bounded time cannot have. */
export class RegexError extends Error {
  override readonly name = "RegexError";
}

export interface RegexFlags {
  readonly ignoreCase: boolean;
  /** `^` and `$` at line ends as well. */
  readonly multiline: boolean;
  /** `.` takes line ends as well. */
  readonly dotAll: boolean;
  /** White space and comments in the pattern do not count. */
  readonly extended: boolean;
}
