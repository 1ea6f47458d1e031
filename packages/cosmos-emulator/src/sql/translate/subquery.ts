/** Subqueries: rows out of the row that surrounds them. */
import type { Select } from "../tree.ts";
import { clause, from, once, where } from "./clauses.ts";
import { translateCounts } from "./counts.ts";
import { type Rows, translateRows } from "./from.ts";
import { translateGrouped } from "./grouped.ts";
import { checkGrouping, isGrouped } from "./grouping.ts";
import { translateProjection } from "./projection.ts";
import { raw, type Sql, sql } from "./sql-text.ts";
import type { Documents, Translator } from "./translator.ts";

/** `Translator.rows`. */
export function translateSubquery(select: Select, outer: Translator, documents?: Documents): Sql {
  checkGrouping(select);
  const rows = translateRows(select, outer, documents);
  const all = isGrouped(select) ? translateGrouped(select, rows) : once(translateEach(select, rows));
  const distinct = select.distinct
    ? sql`SELECT min(v) AS v FROM (${all}) WHERE v IS NOT NULL GROUP BY cosmos_key(v)`
    : all;
  const { skip, take } = translateCounts(select, outer.parameters);
  const range = take === undefined ? raw("") : raw(` LIMIT ${take} OFFSET ${skip}`);
  return sql`SELECT v FROM (${distinct}) WHERE v IS NOT NULL${range}`;
}

function translateEach(select: Select, rows: Rows): Sql {
  const sorted = select.orderBy.map(
    ({ expression, descending }) =>
      sql`cosmos_sort_key(${rows.translator.value(expression)})${raw(descending ? " DESC" : "")}`,
  );
  const order = clause(" ORDER BY ", [...sorted, ...rows.order.map(raw)]);
  return sql`SELECT ${translateProjection(select, rows)} AS v${from(rows.tables)}${where(rows.conditions)}${order}`;
}
