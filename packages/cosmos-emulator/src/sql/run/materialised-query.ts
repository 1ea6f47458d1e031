/**
 * Queries whose rows stand for many documents: aggregates, GROUP BY, DISTINCT. Each page computes the result
 * anew and goes on behind the rows that were answered.
 */
import type { Query, Select } from "../syntax/tree.ts";
import { distinct, from, once, placeAmong, range, where } from "../translate/clauses.ts";
import { translateCounts } from "../translate/counts.ts";
import { translateGrouped } from "../translate/grouped.ts";
import { isGrouped } from "../translate/grouping.ts";
import type { Documents, Names } from "../translate/names.ts";
import { translateProjection } from "../translate/projection.ts";
import { type Rows, translateRows } from "../translate/rows.ts";
import { type Sql, sql } from "../translate/sql-text.ts";
import { sortingOf, translateOrderBy } from "./order-columns.ts";
import type { PageSource } from "./read-page.ts";
import type { Statements } from "./statements.ts";

/** A statement with the column `r`, all rows of the result in order. */
export interface MaterialisedQuery {
  readonly result: Sql;
  readonly skip: number;
  readonly take: number | undefined;
}

export function translateMaterialisedQuery(
  query: Query,
  names: Names,
  documents: Documents,
  options: { readonly orderUndefined: boolean },
): MaterialisedQuery {
  const { select } = query;
  const rows = translateRows(select, names, documents);
  const order = translateOrderBy(select, rows, options.orderUndefined);
  const filtered = { ...rows, conditions: [...rows.conditions, ...order.conditions] };
  const all = isGrouped(select)
    ? translateGrouped(select, rows)
    : translateEach(select, filtered, sortingOf(order.keys));
  const unique = select.distinct ? distinct(all) : all;
  const result = sql`SELECT v AS r FROM (${unique}) WHERE v IS NOT NULL ORDER BY o`;
  return { result, ...translateCounts(select, names.parameters) };
}

function translateEach(select: Select, rows: Rows, sorting: readonly Sql[]): Sql {
  const place = placeAmong(sorting, rows.order);
  const row = translateProjection(select, rows);
  return once(sql`SELECT ${row} AS v, ${place} AS o${from(rows.table)}${where(rows.conditions)}`);
}

/** Gives the rows behind those of the pages before, of which there are `answered`. */
export function materialisedRows(
  statements: Statements,
  { result, skip, take }: MaterialisedQuery,
  answered: number,
): PageSource {
  return {
    take,
    answered,
    rows: (limit) => statements.rows(sql`${result}${range(limit, skip + answered)}`),
    behind: (_, count) => ({ kind: "count", answered: count }),
  };
}
