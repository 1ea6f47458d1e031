/**
 * The parts that the parsers of clauses and of expressions need of each other. They are handed each other in
 * parser.ts, since subqueries make them mutually recursive and files must not import in circles.
 */
import type { TokenReader } from "./token-reader.ts";
import type { Expression, Select } from "./tree.ts";

export interface Grammar {
  expression(reader: TokenReader): Expression;
  select(reader: TokenReader): Select;
}

/** Parses one or more, separated by commas. */
export function parseList<T>(reader: TokenReader, parse: () => T): readonly T[] {
  const items = [parse()];
  while (reader.takeSymbol(",") !== undefined) items.push(parse());
  return items;
}
