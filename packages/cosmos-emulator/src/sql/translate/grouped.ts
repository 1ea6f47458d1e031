/** Queries whose rows stand for groups. */
import { printExpression } from "../syntax/print.ts";
import type { Select } from "../syntax/tree.ts";
import { clause, from, once, placeAmong, where } from "./clauses.ts";
import type { Rows } from "./from.ts";
import { translateProjection } from "./projection.ts";
import { list, raw, type Sql, sql } from "./sql-text.ts";

/**
 * Writes a statement with the columns `v`, a group's row, and `o`, the place of its first row. What is grouped by and
 * what aggregates look at is computed for each row before, in columns of its own.
 */
export function translateGrouped(select: Select, rows: Rows): Sql {
  const columns: Sql[] = [placeAmong([], rows.order)];
  const add = (value: Sql): Sql => {
    columns.push(value);
    return raw(`a${columns.length - 1}`);
  };
  const keys = new Map(
    select.groupBy.map((key) => [printExpression(key), add(rows.translator.value(key))] as const),
  );
  const row = translateProjection(select, rows, rows.translator.within({ group: { keys, add } }));
  const named = columns.map((column, at) => sql`${column} AS ${raw(`a${at}`)}`);
  const computed = once(sql`SELECT ${list(named)}${from(rows.tables)}${where(rows.conditions)}`);
  const groups = [...keys.values()].map((key) => sql`cosmos_key(${key})`);
  return sql`SELECT ${row} AS v, min(a0) AS o FROM (${computed})${clause(" GROUP BY ", groups)}`;
}
