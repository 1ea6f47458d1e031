/** The clauses of a query, from SELECT to OFFSET and LIMIT. */
import { type Grammar, parseList } from "./grammar.ts";
import { parseFrom } from "./parse-from.ts";
import { queryError } from "./query-error.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Count, Expression, OrderItem, Projection, Select, SelectItem } from "./tree.ts";

export function parseSelect(reader: TokenReader, grammar: Grammar): Select {
  const first = reader.expectWord("SELECT");
  const distinct = reader.takeWord("DISTINCT") !== undefined;
  const top = reader.takeWord("TOP") && parseCount(reader);
  const projection = parseProjection(reader, grammar);
  const from = reader.takeWord("FROM") && parseFrom(reader, grammar);
  const where = reader.takeWord("WHERE") && grammar.expression(reader);
  const groupBy = parseGroupBy(reader, grammar);
  const orderBy = parseOrderBy(reader, grammar);
  const page = parsePage(reader);
  return {
    distinct,
    ...(top && { top }),
    projection,
    ...(from && { from }),
    ...(where && { where }),
    groupBy,
    orderBy,
    ...(page && { page }),
    ...reader.spanFrom(first),
  };
}

function parseProjection(reader: TokenReader, grammar: Grammar): Projection {
  const star = reader.takeSymbol("*");
  if (star !== undefined) return { kind: "star", span: { start: star.start, end: star.end } };
  if (reader.takeWord("VALUE") !== undefined) {
    return { kind: "value", expression: grammar.expression(reader) };
  }
  return { kind: "list", items: parseList(reader, () => parseItem(reader, grammar)) };
}

function parseItem(reader: TokenReader, grammar: Grammar): SelectItem {
  const expression = grammar.expression(reader);
  return reader.takeWord("AS") === undefined
    ? { expression }
    : { expression, alias: reader.expectName().text };
}

function parseGroupBy(reader: TokenReader, grammar: Grammar): readonly Expression[] {
  if (reader.takeWord("GROUP") === undefined) return [];
  reader.expectWord("BY");
  return parseList(reader, () => grammar.expression(reader));
}

function parseOrderBy(reader: TokenReader, grammar: Grammar): readonly OrderItem[] {
  if (reader.takeWord("ORDER") === undefined) return [];
  reader.expectWord("BY");
  if (reader.isWord("RANK") && !reader.isSymbol(".", 1)) {
    const message = "ORDER BY RANK (full-text and vector ranking) is not supported by this endpoint.";
    throw queryError("SC2100", message, reader.peek());
  }
  return parseList(reader, () => {
    const expression = grammar.expression(reader);
    const descending = reader.takeWord("DESC") !== undefined;
    if (!descending) reader.takeWord("ASC");
    return { expression, descending };
  });
}

function parsePage(reader: TokenReader): Select["page"] {
  if (reader.takeWord("OFFSET") === undefined) return undefined;
  const offset = parseCount(reader);
  reader.expectWord("LIMIT");
  return { offset, limit: parseCount(reader) };
}

function parseCount(reader: TokenReader): Count {
  const token = reader.peek();
  if (token.kind === "parameter") {
    reader.next();
    return { kind: "parameter", name: token.text, start: token.start, end: token.end };
  }
  reader.expectKind("number");
  return { kind: "count", value: Number(token.value), start: token.start, end: token.end };
}
