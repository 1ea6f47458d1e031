/** The entry of the syntax folder: query text to tree. */
import type { Grammar } from "./grammar.ts";
import { tokenize } from "./lexer.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseFrom } from "./parse-from.ts";
import { parseSelect } from "./parse-select.ts";
import { TokenReader } from "./token-reader.ts";
import type { Expression, From, Query, Select } from "./tree.ts";

const GRAMMAR: Grammar = {
  expression: (reader) => parseExpression(reader, GRAMMAR),
  select: (reader) => parseSelect(reader, GRAMMAR),
};

/** Parses a query. Throws CosmosError 400 with the position of the first mistake. */
export function parseQuery(text: string): Query {
  return { text, select: parseAll(text, false, (reader): Select => GRAMMAR.select(reader)) };
}

/** A patch condition: `from c where …`, `where …`, or the bare condition. */
export interface Predicate {
  readonly from?: From;
  readonly where?: Expression;
}

/**
 * Parses a patch condition. Throws CosmosError 400 as parseQuery does. Keywords are names behind a dot, as users
 * report of the service (docs/reference/cosmos-protocol.md §4).
 */
export function parsePredicate(text: string): Predicate {
  return parseAll(text, true, (reader) => {
    const from = reader.takeWord("FROM") && parseFrom(reader, GRAMMAR);
    const bare = from === undefined && !reader.isWord("WHERE");
    const where = bare || reader.takeWord("WHERE") !== undefined ? GRAMMAR.expression(reader) : undefined;
    return { ...(from && { from }), ...(where && { where }) };
  });
}

function parseAll<T>(text: string, lenientNames: boolean, parse: (reader: TokenReader) => T): T {
  const reader = new TokenReader(tokenize(text), lenientNames);
  const tree = parse(reader);
  if (reader.peek().kind !== "end") reader.fail();
  return tree;
}
