/** Clauses of SQLite's SELECT. */
import { balanced, bind, list, raw, type Sql, sql } from "./sql-text.ts";

/** Writes FROM with the tables joined in this order, which a plain comma would leave to SQLite. */
export function from(tables: readonly Sql[]): Sql {
  return tables.length === 0 ? raw("") : sql` FROM ${list(tables, " CROSS JOIN ")}`;
}

export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw("") : sql` WHERE ${balanced(conditions, "AND")}`;
}

/**
 * Writes LIMIT and OFFSET. SQLite plans by a limit that it knows; what is left out at the start makes no difference
 * to it.
 */
export function range(limit: number, skip: number): Sql {
  return sql` LIMIT ${raw(String(limit))} OFFSET ${bind(skip)}`;
}

/**
 * Numbers each row by its place in the result.
 *
 * @param sorting What the query sorts by, with directions.
 * @param order That of insertion, by which ties are decided; with joins a document has several rows.
 */
export function placeAmong(sorting: readonly Sql[], order: readonly string[]): Sql {
  const columns = [...sorting, ...order.map(raw)];
  return columns.length > 1 ? sql`row_number() OVER (ORDER BY ${list(columns)})` : (columns[0] ?? raw("0"));
}

/** Keeps the first of equal rows, which have the columns `v` and `o`. */
export function distinct(rows: Sql): Sql {
  return sql`SELECT v, min(o) AS o FROM (${rows}) WHERE v IS NOT NULL GROUP BY cosmos_key(v)`;
}

/** Writes a keyword and a list, or nothing for an empty list. */
export function clause(keyword: string, items: readonly Sql[]): Sql {
  return items.length === 0 ? raw("") : sql`${raw(keyword)}${list(items)}`;
}

/**
 * Keeps SQLite from putting the expressions of a subquery's columns in the place of their names, where it
 * would compute them as often as they are mentioned, and nested ones exponentially often.
 */
export function once(statement: Sql): Sql {
  return sql`${statement} LIMIT -1`;
}
