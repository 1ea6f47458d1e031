/**
 * The columns by which a query's rows are sorted, and the conditions that find the rows behind a given one.
 * Those conditions come as several in turn, each of which an index on the columns can seek; one condition for
 * all would be an OR, which it cannot.
 */
import { queryError } from "../syntax/query-error.ts";
import type { OrderItem, Select } from "../syntax/tree.ts";
import type { Rows } from "../translate/from.ts";
import { extractRank, extractScalar, isPlain } from "../translate/json-path.ts";
import { pathOf } from "../translate/path-of.ts";
import { type PinnedPaths, pathKey, pinnedPaths } from "../translate/pinned-paths.ts";
import { bind, type Sql, sql } from "../translate/sql-text.ts";
import { typeRank } from "../values/order.ts";
import { readValue } from "../values/value.ts";

/** One ORDER BY item. */
export interface OrderKey {
  /** The JSON text of the value. */
  readonly value: Sql;
  readonly columns: readonly OrderColumn[];
}

/** A column of SQLite that is sorted by. */
export interface SortColumn {
  readonly sql: Sql;
  readonly descending: boolean;
  /** Whether NULL stands for a row of its own, and not only beside a decisive column before it. */
  readonly nullable: boolean;
}

export interface OrderColumn extends SortColumn {
  /** Returns the column for the JSON text of a value; undefined for NULL. */
  at(value: string | null): Sql | undefined;
}

/**
 * Translates ORDER BY. Conditions leave out documents without the property of a single item, which the service
 * does not answer unless its indexes say so (docs/reference/cosmos-protocol.md §1.8).
 */
export function translateOrderBy(
  select: Select,
  rows: Rows,
  orderUndefined: boolean,
): { readonly keys: readonly OrderKey[]; readonly conditions: readonly Sql[] } {
  const pinned = pinnedPaths(select.where, rows.translator);
  const keys = select.orderBy.map((item) => orderKey(item, rows, pinned));
  const [column] = keys[0]?.columns ?? [];
  const all = keys.length !== 1 || column === undefined || orderUndefined;
  return { keys, conditions: all ? [] : [sql`${column.sql} IS NOT NULL`] };
}

/** Translates an item. Only paths of documents can be sorted by, as on the service. */
function orderKey(item: OrderItem, rows: Rows, pinned: PinnedPaths): OrderKey {
  const { translator } = rows;
  const body = rows.documents?.body;
  const path = pathOf(item.expression, translator);
  if (path === undefined || path.base !== body || path.steps.length === 0) {
    const message =
      "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.";
    throw queryError("SC2206", message, item.expression);
  }
  const { descending } = item;
  const value = translator.value(item.expression);
  if (!path.steps.every(isPlain)) {
    const at = (text: string | null): Sql | undefined =>
      text === null ? undefined : sql`cosmos_sort_key(${bind(text)})`;
    return { value, columns: [{ sql: sql`cosmos_sort_key(${value})`, descending, nullable: true, at }] };
  }
  const rank: OrderColumn = {
    sql: extractRank(path.base, path.steps),
    descending,
    nullable: true,
    at: (text) => {
      const known = readValue(text);
      return known === undefined ? undefined : bind(typeRank(known));
    },
  };
  const scalar: OrderColumn = {
    sql: extractScalar(path.base, path.steps),
    descending,
    nullable: false,
    at: (text) => (text === null || text === "null" ? undefined : sql`json_extract(${bind(text)}, '$')`),
  };
  // What the filter fixes needs no sorting.
  const columns = { value: [], type: [scalar], none: [rank, scalar] };
  return { value, columns: columns[pinned.get(pathKey(path)) ?? "none"] };
}

/** A column with its value in the row behind which the page begins. */
export interface Bound {
  readonly column: SortColumn;
  readonly value: Sql | undefined;
}

/** Makes conditions that together hold for the rows behind the bounds; in turn, they give them in order. */
export function conditionsBehind(bounds: readonly Bound[]): readonly (readonly Sql[])[] {
  const legs: Sql[][] = [];
  for (let at = bounds.length - 1; at >= 0; at -= 1) {
    const [last] = bounds.slice(at, at + 1);
    const behind = last && isBehind(last);
    if (behind !== undefined) legs.push([...bounds.slice(0, at).map(isSame), behind]);
  }
  return legs;
}

export function isSame({ column, value }: Bound): Sql {
  return value === undefined ? sql`${column.sql} IS NULL` : sql`${column.sql} = ${value}`;
}

/** Writes the condition of being behind a value; undefined if nothing can be. NULL comes first in ascending order. */
function isBehind({ column, value }: Bound): Sql | undefined {
  if (value === undefined) return column.descending ? undefined : sql`${column.sql} IS NOT NULL`;
  if (!column.descending) return sql`${column.sql} > ${value}`;
  const less = sql`${column.sql} < ${value}`;
  return column.nullable ? sql`(${less} OR ${column.sql} IS NULL)` : less;
}
