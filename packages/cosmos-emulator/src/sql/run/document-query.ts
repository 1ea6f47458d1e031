/** Queries whose rows come from documents one by one, with or without ORDER BY: pages continue after a row. */
import type { Projection, Query } from "../syntax/tree.ts";
import { translateCounts } from "../translate/counts.ts";
import type { Documents, Names } from "../translate/names.ts";
import { translateProjection } from "../translate/projection.ts";
import { translateRows } from "../translate/rows.ts";
import { sql } from "../translate/sql-text.ts";
import type { Continuation } from "./continuation.ts";
import { type DocumentQuery, legsOf, rowsOfLeg } from "./legs.ts";
import { translateOrderBy } from "./order-columns.ts";
import type { PageSource } from "./read-page.ts";
import type { Row, Statements } from "./statements.ts";

/** Translates a query. Throws CosmosError 400 for what the query asks and cannot have. */
export function translateDocumentQuery(
  query: Query,
  names: Names,
  documents: Documents,
  options: { readonly orderUndefined: boolean; readonly reversed: boolean },
): DocumentQuery {
  const { select } = query;
  const rows = translateRows(select, names, documents);
  const row = translateProjection(select, rows);
  const order = translateOrderBy(select, rows, options.orderUndefined);
  const shape = shapeOf(select.projection);
  // A path is cheap to look at twice; what is computed has to be looked at when it is there.
  const defined = shape === "path" ? [sql`${row} IS NOT NULL`] : [];
  return {
    rows,
    row,
    nullable: shape === "computed",
    conditions: [...rows.conditions, ...order.conditions, ...defined],
    keys: order.keys,
    reversed: options.reversed,
    ...translateCounts(select, names.parameters),
  };
}

/** Tells whether the row is always defined, or how it may not be. */
function shapeOf(projection: Projection): "defined" | "path" | "computed" {
  if (projection.kind !== "value") return "defined";
  switch (projection.expression.kind) {
    case "object":
    case "array":
      return "defined";
    case "member":
    case "identifier":
      return "path";
    default:
      return "computed";
  }
}

/** Gives the rows from the start, or from behind a row. */
export function documentRows(
  statements: Statements,
  query: DocumentQuery,
  after: Continuation | undefined,
): PageSource {
  return {
    take: query.take,
    answered: after?.answered ?? 0,
    // One limit for all pages and legs, so that they share their statements.
    *rows(limit) {
      for (const leg of legsOf(query, after)) yield* rowsOfLeg(statements, query, leg, limit);
    },
    behind: (row, answered) => placeBehind(row, query.keys.length, answered),
  };
}

/** Returns the place behind a row: `s` is its seq, and `k0`, `k1`, … are its order values. */
function placeBehind(row: Row, orderLength: number, answered: number): Continuation {
  const order = Array.from({ length: orderLength }, (_, at) => {
    const value = row[`k${at}`];
    return typeof value === "string" ? value : null;
  });
  return { kind: "row", seq: Number(row["s"]), order, answered };
}
