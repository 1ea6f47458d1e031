/**
 * Queries whose rows stand for many documents: aggregates, GROUP BY, DISTINCT. Each page computes the result
 * anew and goes on behind the rows that were answered.
 */
import type { Query, Select } from "../syntax/tree.ts";
import { distinct, from, once, placeAmong, range, where } from "../translate/clauses.ts";
import { translateCounts } from "../translate/counts.ts";
import { type Rows, translateRows } from "../translate/from.ts";
import { translateGrouped } from "../translate/grouped.ts";
import { isGrouped } from "../translate/grouping.ts";
import { translateProjection } from "../translate/projection.ts";
import { raw, type Sql, sql } from "../translate/sql-text.ts";
import type { Documents, Translator } from "../translate/translator.ts";
import { resultText } from "../values/result-text.ts";
import { writeContinuation } from "./continuation.ts";
import { translateOrderBy } from "./order-columns.ts";
import { PageBuffer } from "./page-buffer.ts";
import type { QueryOptions } from "./scope.ts";
import type { Statements } from "./statements.ts";

/** A statement with the column `v`, all rows of the result in order. */
export interface MaterialisedQuery {
  readonly result: Sql;
  readonly skip: number;
  readonly take: number | undefined;
}

export function translateMaterialisedQuery(
  query: Query,
  translator: Translator,
  documents: Documents,
  options: { readonly orderUndefined: boolean },
): MaterialisedQuery {
  const { select } = query;
  const rows = translateRows(select, translator, documents);
  const order = translateOrderBy(select, rows, options.orderUndefined);
  const sorting = order.keys.flatMap((key) =>
    key.columns.map((column) => sql`${column.sql}${raw(column.descending ? " DESC" : "")}`),
  );
  const filtered = { ...rows, conditions: [...rows.conditions, ...order.conditions] };
  const all = isGrouped(select) ? translateGrouped(select, rows) : translateEach(select, filtered, sorting);
  const unique = select.distinct ? distinct(all) : all;
  const result = sql`SELECT v FROM (${unique}) WHERE v IS NOT NULL ORDER BY o`;
  return { result, ...translateCounts(select, translator.parameters) };
}

function translateEach(select: Select, rows: Rows, sorting: readonly Sql[]): Sql {
  const place = placeAmong(sorting, rows.order);
  const row = translateProjection(select, rows);
  return once(sql`SELECT ${row} AS v, ${place} AS o${from(rows.tables)}${where(rows.conditions)}`);
}

/** Reads a page and its continuation. `answered` is the number of rows of the pages before. */
export function readMaterialisedPage(
  statements: Statements,
  query: Query,
  translated: MaterialisedQuery,
  options: QueryOptions,
  answered: number,
): { rows: readonly string[]; continuation?: string } {
  const page = new PageBuffer(options.maxItems, options.maxBytes);
  const take = translated.take ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(page.space + 1, take);
  for (const row of statements.rows(sql`${translated.result}${range(limit, translated.skip + answered)}`)) {
    if (answered + page.rows.length >= take) return { rows: page.rows };
    if (!page.add(resultText(String(row["v"])))) {
      const place = { kind: "count", answered: answered + page.rows.length } as const;
      return { rows: page.rows, continuation: writeContinuation(query, place) };
    }
  }
  return { rows: page.rows };
}
