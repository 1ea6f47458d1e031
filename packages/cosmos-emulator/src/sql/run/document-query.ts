/** Queries whose rows come from documents one by one, with or without ORDER BY: pages continue after a row. */
import type { Projection, Query } from "../syntax/tree.ts";
import { translateCounts } from "../translate/counts.ts";
import { translateRows } from "../translate/from.ts";
import { translateProjection } from "../translate/projection.ts";
import { sql } from "../translate/sql-text.ts";
import type { Documents, Translator } from "../translate/translator.ts";
import { resultText } from "../values/result-text.ts";
import { type Continuation, writeContinuation } from "./continuation.ts";
import { type DocumentQuery, legsOf, rowsOfLeg } from "./legs.ts";
import { translateOrderBy } from "./order-columns.ts";
import { PageBuffer } from "./page-buffer.ts";
import { Place } from "./place.ts";
import type { QueryOptions } from "./scope.ts";
import type { Statements } from "./statements.ts";

/** Translates a query. Throws CosmosError 400 for what the query asks and cannot have. */
export function translateDocumentQuery(
  query: Query,
  translator: Translator,
  documents: Documents,
  options: { readonly orderUndefined: boolean; readonly reversed: boolean },
): DocumentQuery {
  const { select } = query;
  const rows = translateRows(select, translator, documents);
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
    seq: rows.documents?.seq ?? "0",
    reversed: options.reversed,
    ...translateCounts(select, translator.parameters),
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

/** Reads a page and its continuation. */
export function readDocumentPage(
  statements: Statements,
  query: Query,
  translated: DocumentQuery,
  options: QueryOptions,
  after: Continuation | undefined,
): { rows: readonly string[]; continuation?: string } {
  const page = new PageBuffer(options.maxItems, options.maxBytes);
  const place = new Place(translated.keys.length, after);
  const take = translated.take ?? Number.POSITIVE_INFINITY;
  // One limit for all pages and legs, so that they share their statements.
  const limit = Math.min(page.space + 1, take);
  for (const leg of legsOf(translated, after)) {
    let toPass = leg.pass;
    for (const row of rowsOfLeg(statements, translated, leg, limit + toPass)) {
      if (toPass > 0) {
        toPass -= 1;
        place.pass(row);
        continue;
      }
      if (place.continuation.answered >= take) return { rows: page.rows };
      if (!page.add(resultText(String(row["r"])))) {
        return { rows: page.rows, continuation: writeContinuation(query, place.continuation) };
      }
      place.move(row);
    }
  }
  return { rows: page.rows };
}
