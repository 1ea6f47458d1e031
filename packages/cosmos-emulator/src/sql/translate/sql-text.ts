/**
 * Pieces of SQLite's SQL with the values bound in them, in the order of their question marks. Nothing that
 * comes from a query becomes text of a statement except JSON paths, which have to stand in it for an index
 * to match; json-path.ts quotes those.
 */
import type { SQLInputValue } from "node:sqlite";

export interface Sql {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** Makes a piece of SQL of our own making. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** Makes a piece with a bound value. */
export function bind(value: SQLInputValue): Sql {
  return { text: "?", values: [value] };
}

/** Puts pieces into a template: sql`${a} = ${b}`. */
export function sql(strings: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  let text = strings[0] ?? "";
  const values: SQLInputValue[] = [];
  for (const [at, piece] of pieces.entries()) {
    text += piece.text + (strings[at + 1] ?? "");
    values.push(...piece.values);
  }
  return { text, values };
}

/** Joins pieces with a separator between them. */
export function list(pieces: readonly Sql[], separator = ", "): Sql {
  return {
    text: pieces.map((piece) => piece.text).join(separator),
    values: pieces.flatMap((piece) => piece.values),
  };
}

/**
 * Joins pieces by a binary operator as a balanced tree in parentheses: SQLite bounds the depth of an expression, and
 * a flat chain is as deep as it is long.
 */
export function balanced(pieces: readonly Sql[], operator: "AND" | "OR" | "||"): Sql {
  const [only, second] = pieces;
  if (only !== undefined && second === undefined) return only;
  const half = Math.ceil(pieces.length / 2);
  const left = balanced(pieces.slice(0, half), operator);
  const right = balanced(pieces.slice(half), operator);
  return sql`(${left} ${raw(operator)} ${right})`;
}
