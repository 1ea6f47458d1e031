/** The clauses of a query, from SELECT to OFFSET and LIMIT. */
import { parseExpression } from "./parse-expression.ts";
import { parseFrom } from "./parse-from.ts";
import { notSupported } from "./query-error.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Count, Expression, OrderItem, Projection, Select, SelectItem } from "./tree.ts";

export function parseSelect(reader: TokenReader): Select {
  const first = reader.expectWord("SELECT");
  const distinct = reader.takeWord("DISTINCT") !== undefined;
  const top = reader.takeWord("TOP") && parseCount(reader);
  const projection = parseProjection(reader);
  const from = reader.takeWord("FROM") && parseFrom(reader);
  const where = reader.takeWord("WHERE") && parseExpression(reader);
  const groupBy = parseGroupBy(reader);
  const orderBy = parseOrderBy(reader);
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

function parseProjection(reader: TokenReader): Projection {
  const star = reader.takeSymbol("*");
  if (star !== undefined) return { kind: "star", span: { start: star.start, end: star.end } };
  if (reader.takeWord("VALUE") !== undefined) {
    return { kind: "value", expression: parseExpression(reader) };
  }
  return { kind: "list", items: reader.list(() => parseItem(reader)) };
}

function parseItem(reader: TokenReader): SelectItem {
  const expression = parseExpression(reader);
  return reader.takeWord("AS") === undefined
    ? { expression }
    : { expression, alias: reader.expectName().text };
}

function parseGroupBy(reader: TokenReader): readonly Expression[] {
  if (reader.takeWord("GROUP") === undefined) return [];
  reader.expectWord("BY");
  return reader.list(() => parseExpression(reader));
}

function parseOrderBy(reader: TokenReader): readonly OrderItem[] {
  if (reader.takeWord("ORDER") === undefined) return [];
  reader.expectWord("BY");
  if (reader.isWord("RANK") && !reader.isSymbol(".", 1)) {
    throw notSupported("ORDER BY RANK (full-text and vector ranking)", reader.peek());
  }
  return reader.list(() => {
    const expression = parseExpression(reader);
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
