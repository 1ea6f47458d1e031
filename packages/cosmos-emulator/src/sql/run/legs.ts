/** The statements that give the rows of a page, one after the other. */
import { from, range, where } from "../translate/clauses.ts";
import { SEQ } from "../translate/names.ts";
import type { Rows } from "../translate/rows.ts";
import { bind, list, raw, type Sql, sql } from "../translate/sql-text.ts";
import type { Continuation } from "./continuation.ts";
import { type Bound, conditionsBehind, direction, type OrderKey, sortingOf } from "./order-columns.ts";
import type { Row, Statements } from "./statements.ts";

/** A translated query whose rows come from documents one by one. */
export interface DocumentQuery {
  readonly rows: Rows;
  readonly row: Sql;
  /** Whether rows can be NULL, which are no results. */
  readonly nullable: boolean;
  readonly conditions: readonly Sql[];
  readonly keys: readonly OrderKey[];
  /** Whether documents with equal order values come in the reverse order of insertion. */
  readonly reversed: boolean;
  readonly skip: number;
  readonly take: number | undefined;
}

export interface Leg {
  readonly conditions: readonly Sql[];
  /** Number of rows that SQLite leaves out at the start. */
  readonly skip: number;
}

/** Lists the legs from the start, or from behind a row: first those that tie with it, then those behind it. */
export function legsOf(query: DocumentQuery, after: Continuation | undefined): readonly Leg[] {
  if (after?.kind !== "row") return [{ conditions: [], skip: query.skip + (after?.answered ?? 0) }];
  const bounds: readonly Bound[] = [
    ...query.keys.flatMap((key, at) =>
      key.columns.map((column) => ({ column, value: column.at(after.order[at] ?? null) })),
    ),
    {
      column: { sql: raw(SEQ), descending: query.reversed, nullable: false },
      value: bind(after.seq),
    },
  ];
  return conditionsBehind(bounds).map((conditions) => ({ conditions, skip: 0 }));
}

/** Reads at most `limit` rows: `r` is the result, `s` the seq, `k0`, `k1`, … the order values. */
export function* rowsOfLeg(
  statements: Statements,
  query: DocumentQuery,
  leg: Leg,
  limit: number,
): Generator<Row, void, undefined> {
  if (!query.nullable) {
    yield* statements.rows(sql`${statement(query, leg)}${range(limit, leg.skip)}`);
    return;
  }
  let count = 0;
  for (const row of statements.rows(statement(query, leg))) {
    count += row["r"] === null ? 0 : 1;
    if (row["r"] !== null && count > leg.skip) yield row;
    if (count >= leg.skip + limit) return;
  }
}

function statement(query: DocumentQuery, leg: Leg): Sql {
  const values = query.keys.map((key, at) => sql`, ${key.value} AS k${raw(String(at))}`);
  const order = [
    ...sortingOf(query.keys),
    ...query.rows.order.map((column) => sql`${column}${direction(query.reversed)}`),
  ];
  const conditions = where([...query.conditions, ...leg.conditions]);
  const ordered = order.length === 0 ? raw("") : sql` ORDER BY ${list(order)}`;
  const [seq = raw("0")] = query.rows.order;
  return sql`SELECT ${query.row} AS r, ${seq} AS s${list(values, "")}${from(query.rows.table)}${conditions}${ordered}`;
}
