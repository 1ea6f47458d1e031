/** The statements that give the rows of a page, one after the other. */
import { from, range, where } from "../translate/clauses.ts";
import type { Rows } from "../translate/from.ts";
import { bind, list, raw, type Sql, sql } from "../translate/sql-text.ts";
import type { Continuation } from "./continuation.ts";
import { type Bound, conditionsBehind, isSame, type OrderKey } from "./order-columns.ts";
import type { Row, Statements } from "./statements.ts";

/** A translated query whose rows come from documents one by one. */
export interface DocumentQuery {
  readonly rows: Rows;
  readonly row: Sql;
  /** Whether rows can be NULL, which are no results. */
  readonly nullable: boolean;
  readonly conditions: readonly Sql[];
  readonly keys: readonly OrderKey[];
  readonly seq: string;
  /** Whether documents with equal order values come in the reverse order of insertion. */
  readonly reversed: boolean;
  readonly skip: number;
  readonly take: number | undefined;
}

export interface Leg {
  readonly conditions: readonly Sql[];
  /** Number of rows that SQLite leaves out at the start. */
  readonly skip: number;
  /** Number of rows to leave out after those, which have to be seen. */
  readonly pass: number;
}

/** Lists the legs from the start, or from behind a row: first those that tie with it, then those behind it. */
export function legsOf(query: DocumentQuery, after: Continuation | undefined): readonly Leg[] {
  const joined = query.rows.order.length > 1;
  if (after?.kind !== "row") {
    const left = query.skip + (after?.answered ?? 0);
    // What is left out may end inside the rows of a document, and a continuation counts those.
    return [{ conditions: [], skip: joined ? 0 : left, pass: joined ? left : 0 }];
  }
  const bounds: readonly Bound[] = [
    ...query.keys.flatMap((key, at) =>
      key.columns.map((column) => ({ column, value: column.at(after.order[at] ?? null) })),
    ),
    {
      column: { sql: raw(query.seq), descending: query.reversed, nullable: false },
      value: bind(after.seq),
    },
  ];
  const behind = conditionsBehind(bounds).map((conditions) => ({ conditions, skip: 0, pass: 0 }));
  const same = { conditions: bounds.map(isSame), skip: after.rowsOfSeq, pass: 0 };
  return joined ? [same, ...behind] : behind;
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
  const direction = (descending: boolean): Sql => raw(descending ? " DESC" : "");
  const columns = query.keys.flatMap((key) => key.columns);
  const order = [
    ...columns.map((column) => sql`${column.sql}${direction(column.descending)}`),
    ...query.rows.order.map((text, at) => sql`${raw(text)}${direction(at === 0 && query.reversed)}`),
  ];
  const conditions = where([...query.conditions, ...leg.conditions]);
  const ordered = order.length === 0 ? raw("") : sql` ORDER BY ${list(order)}`;
  return sql`SELECT ${query.row} AS r, ${raw(query.seq)} AS s${list(values, "")}${from(query.rows.tables)}${conditions}${ordered}`;
}
