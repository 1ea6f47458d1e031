/**
 * Queries whose rows stand for many documents: aggregates, GROUP BY, DISTINCT. Each page computes the result
 * anew and goes on behind the rows that were answered.
 */
import type { DatabaseSync } from "node:sqlite";
import { from, once, where } from "../translate/clauses.ts";
import { translateCounts } from "../translate/counts.ts";
import { type Rows, translateRows } from "../translate/from.ts";
import { translateGrouped } from "../translate/grouped.ts";
import { isGrouped } from "../translate/grouping.ts";
import { translateProjection } from "../translate/projection.ts";
import { list, raw, type Sql, sql } from "../translate/sql-text.ts";
import type { Documents, Translator } from "../translate/translator.ts";
import type { Query, Select } from "../tree.ts";
import { resultText } from "../values/result-text.ts";
import { writeContinuation } from "./continuation.ts";
import { translateOrderBy } from "./order-columns.ts";
import { PageBuffer } from "./page-buffer.ts";
import { rowsOf } from "./prepare.ts";
import type { QueryOptions } from "./scope.ts";

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
  const columns = order.keys.flatMap((key) => key.columns);
  const names = columns.map((column, at) => sql`, ${column.sql} AS k${raw(String(at))}`);
  const filtered = { ...rows, conditions: [...rows.conditions, ...order.conditions] };
  const all = isGrouped(select) ? translateGrouped(select, rows) : translateEach(select, filtered, names);
  const unique = select.distinct ? distinct(all, columns.length) : all;
  const sorting = columns.map(({ descending }, at) => raw(`k${at}${descending ? " DESC" : ""}`));
  const result = sql`SELECT v FROM (${unique}) WHERE v IS NOT NULL ORDER BY ${list([...sorting, raw("o")])}`;
  return { result, ...translateCounts(select, translator.parameters) };
}

function translateEach(select: Select, rows: Rows, columns: readonly Sql[]): Sql {
  const place = raw(placeAmong(rows.order));
  const row = translateProjection(select, rows);
  return once(
    sql`SELECT ${row} AS v, ${place} AS o${list(columns, "")}${from(rows.tables)}${where(rows.conditions)}`,
  );
}

/** A number for each row in the order of insertion; with joins a document has several rows. */
function placeAmong(order: readonly string[]): string {
  return order.length > 1 ? `row_number() OVER (ORDER BY ${order.join(", ")})` : (order[0] ?? "0");
}

/** SQLite takes the other columns from the row with the least `o`. */
function distinct(rows: Sql, columns: number): Sql {
  const carried = raw(Array.from({ length: columns }, (_, at) => `, k${at}`).join(""));
  return sql`SELECT v, min(o) AS o${carried} FROM (${rows}) WHERE v IS NOT NULL GROUP BY cosmos_key(v)`;
}

/** A page and its continuation; `answered`: rows of the pages before. */
export function readMaterialisedPage(
  db: DatabaseSync,
  query: MaterialisedQuery,
  options: QueryOptions,
  answered: number,
  mark: string,
): { rows: readonly string[]; continuation?: string } {
  const page = new PageBuffer(options.maxItems, options.maxBytes);
  const left = (query.take ?? Number.POSITIVE_INFINITY) - answered;
  const limit = Math.max(0, Math.min(page.space + 1, left));
  const range = raw(` LIMIT ${limit} OFFSET ${query.skip + answered}`);
  for (const row of rowsOf(db, sql`${query.result}${range}`)) {
    if (!page.add(resultText(String(row["v"])))) {
      const place = { kind: "count", answered: answered + page.rows.length } as const;
      return { rows: page.rows, continuation: writeContinuation(mark, place) };
    }
  }
  return { rows: page.rows };
}
