/** FROM and JOIN: containers, paths, iterations and subqueries as sources of rows. */
import type { Grammar } from "./grammar.ts";
import { parsePrimary } from "./parse-primary.ts";
import { queryError } from "./query-error.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Expression, From, SelectSource, Source } from "./tree.ts";

/** docs/reference/cosmos-protocol.md §3.1. */
const MAX_JOINS = 10;

/** Parses what follows the word FROM. */
export function parseFrom(reader: TokenReader, grammar: Grammar): From {
  const source = parseSource(reader, grammar);
  const joins: Source[] = [];
  while (reader.isWord("JOIN")) {
    const join = reader.next();
    joins.push(parseSource(reader, grammar));
    if (joins.length > MAX_JOINS) {
      throw queryError("SC3001", `A query can have ${MAX_JOINS} JOINs at the most.`, join);
    }
  }
  return { source, joins };
}

function parseSource(reader: TokenReader, grammar: Grammar): Source {
  const first = reader.peek();
  if (reader.isName() && reader.isWord("IN", 1)) {
    const alias = reader.next().text;
    reader.next();
    return { of: parseCollection(reader, grammar), alias, iterate: true, ...reader.spanFrom(first) };
  }
  const of = parseCollection(reader, grammar);
  if (reader.takeWord("AS") !== undefined || reader.isName()) {
    return { of, alias: reader.expectName().text, iterate: false, ...reader.spanFrom(first) };
  }
  return { of, iterate: false, ...reader.spanFrom(first) };
}

function parseCollection(reader: TokenReader, grammar: Grammar): Expression | SelectSource {
  const open = reader.peek();
  if (reader.isSymbol("(") && reader.isWord("SELECT", 1)) {
    reader.next();
    const select = reader.nested(() => grammar.select(reader));
    reader.expectSymbol(")");
    return { kind: "select", select, ...reader.spanFrom(open) };
  }
  // An array literal is accepted as well: `SELECT VALUE x FROM x IN [1, 2]`.
  return parsePrimary(reader, grammar);
}
