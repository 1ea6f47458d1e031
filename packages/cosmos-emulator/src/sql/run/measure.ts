/**
 * The measures of a query beyond its rows, for its charge: matches that it does not answer, and bytes that it scans.
 */
import type { Query } from "../syntax/tree.ts";
import { from, where } from "../translate/clauses.ts";
import { translateRows } from "../translate/from.ts";
import { bind, raw, sql } from "../translate/sql-text.ts";
import type { Documents, Translator } from "../translate/translator.ts";
import type { Continuation } from "./continuation.ts";
import type { Statements } from "./statements.ts";

/** Counts the rows that pass the filter. */
export function countMatches(
  statements: Statements,
  run: { readonly query: Query; readonly translator: Translator; readonly documents: Documents },
): number {
  const rows = translateRows(run.query.select, run.translator, run.documents);
  const count = sql`SELECT count(*) AS n${from(rows.tables)}${where(rows.conditions)}`;
  return Number(statements.first(count)["n"]);
}

/** Measures the bytes of the documents in the scope, behind the place where a page without ORDER BY begins. */
export function measureScan(
  statements: Statements,
  documents: Documents,
  after: Continuation | undefined,
): number {
  const conditions = [...documents.conditions];
  if (after?.kind === "row" && after.order.length === 0) {
    conditions.push(sql`${raw(documents.seq)} > ${bind(after.seq)}`);
  }
  const bytes = sql`SELECT total(octet_length(${raw(documents.body)})) AS n`;
  return Number(statements.first(sql`${bytes}${from([documents.table])}${where(conditions)}`)["n"]);
}
