/** The entry of the syntax folder: query text to tree. */
import { tokenize } from "./lexer.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseFrom } from "./parse-from.ts";
import { parseSelect } from "./parse-select.ts";
import { TokenReader } from "./token-reader.ts";
import type { Expression, Query } from "./tree.ts";

/** Parses a query. Throws CosmosError 400 with the position of the first mistake. */
export function parseQuery(text: string): Query {
  return { text, select: parseAll(text, false, parseSelect) };
}

/** A patch condition: `from c where …`, `where …`, or the bare condition. */
export interface Predicate {
  /** The name of the document. */
  readonly from?: string;
  readonly where?: Expression;
}

/**
 * Parses a patch condition. Throws CosmosError 400 as parseQuery does. Keywords are names behind a dot, as users
 * report of the service (docs/reference/cosmos-protocol.md §4).
 */
export function parsePredicate(text: string): Predicate {
  return parseAll(text, true, (reader) => {
    const from = reader.takeWord("FROM") && parseFrom(reader);
    const bare = from === undefined && !reader.isWord("WHERE");
    const where = bare || reader.takeWord("WHERE") !== undefined ? parseExpression(reader) : undefined;
    return { ...(from && { from }), ...(where && { where }) };
  });
}

function parseAll<T>(text: string, lenientNames: boolean, parse: (reader: TokenReader) => T): T {
  const reader = new TokenReader(tokenize(text), lenientNames);
  const tree = parse(reader);
  if (reader.peek().kind !== "end") reader.fail();
  return tree;
}
