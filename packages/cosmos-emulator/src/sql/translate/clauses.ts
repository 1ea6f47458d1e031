/** Clauses of SQLite's SELECT. */
import { balanced, list, raw, type Sql, sql } from "./sql-text.ts";

/** FROM with the tables joined in this order, which a plain comma would leave to SQLite. */
export function from(tables: readonly Sql[]): Sql {
  return tables.length === 0 ? raw("") : sql` FROM ${list(tables, " CROSS JOIN ")}`;
}

export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw("") : sql` WHERE ${balanced(conditions, "AND")}`;
}

/** Keyword and list, or nothing for an empty list. */
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
