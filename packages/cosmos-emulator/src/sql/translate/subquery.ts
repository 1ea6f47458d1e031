/** Subqueries: rows out of the row that surrounds them. */
import type { Select } from "../syntax/tree.ts";
import { distinct, from, once, placeAmong, range, where } from "./clauses.ts";
import { translateCounts } from "./counts.ts";
import { type Rows, translateRows } from "./from.ts";
import { translateGrouped } from "./grouped.ts";
import { checkGrouping, isGrouped } from "./grouping.ts";
import { translateProjection } from "./projection.ts";
import { raw, type Sql, sql } from "./sql-text.ts";
import type { Documents, Translator } from "./translator.ts";

/** Translates a subquery, for `Translator.rows`. */
export function translateSubquery(select: Select, outer: Translator, documents?: Documents): Sql {
  checkGrouping(select);
  const rows = translateRows(select, outer, documents);
  const all = isGrouped(select) ? translateGrouped(select, rows) : once(translateEach(select, rows));
  const unique = select.distinct ? distinct(all) : all;
  const { skip, take } = translateCounts(select, outer.parameters);
  const result = sql`SELECT v FROM (${unique}) WHERE v IS NOT NULL ORDER BY o`;
  return take === undefined ? once(result) : sql`${result}${range(take, skip)}`;
}

function translateEach(select: Select, rows: Rows): Sql {
  const sorted = select.orderBy.map(
    ({ expression, descending }) =>
      sql`cosmos_sort_key(${rows.translator.value(expression)})${raw(descending ? " DESC" : "")}`,
  );
  const place = placeAmong(sorted, rows.order);
  return sql`SELECT ${translateProjection(select, rows)} AS v, ${place} AS o${from(rows.tables)}${where(rows.conditions)}`;
}
