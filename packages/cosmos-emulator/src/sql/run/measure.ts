/** What a query is charged for beyond its rows: matches that it does not answer, and bytes that it scans. */
import type { DatabaseSync } from "node:sqlite";
import { from, where } from "../translate/clauses.ts";
import { translateRows } from "../translate/from.ts";
import { raw, sql } from "../translate/sql-text.ts";
import type { Documents, Translator } from "../translate/translator.ts";
import type { Query } from "../tree.ts";
import type { Continuation } from "./continuation.ts";
import { firstRow } from "./prepare.ts";

/** How many rows pass the filter. */
export function countMatches(
  db: DatabaseSync,
  run: { readonly query: Query; readonly translator: Translator; readonly documents: Documents },
): number {
  const rows = translateRows(run.query.select, run.translator, run.documents);
  return Number(firstRow(db, sql`SELECT count(*) AS n${from(rows.tables)}${where(rows.conditions)}`)["n"]);
}

/** The bytes of the documents in the scope, behind the place where a page without ORDER BY begins. */
export function measureScan(db: DatabaseSync, documents: Documents, after: Continuation | undefined): number {
  const conditions = [...documents.conditions];
  if (after?.kind === "row" && after.order.length === 0) {
    conditions.push(raw(`${documents.seq} > ${after.seq}`));
  }
  const bytes = sql`SELECT total(octet_length(${raw(documents.body)})) AS n`;
  return Number(firstRow(db, sql`${bytes}${from([documents.table])}${where(conditions)}`)["n"]);
}
