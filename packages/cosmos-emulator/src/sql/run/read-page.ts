/** A page of the rows of a query, and the place where the next one begins. */
import type { Query } from "../syntax/tree.ts";
import { resultText } from "../values/result-text.ts";
import { type Continuation, writeContinuation } from "./continuation.ts";
import type { QueryOptions } from "./scope.ts";
import type { Row } from "./statements.ts";

/** The rows that are left to answer. */
export interface PageSource {
  /** Most rows of all pages together; undefined for all. */
  readonly take: number | undefined;
  /** Number of rows of the pages before. */
  readonly answered: number;
  /** Reads rows in order, with the result in the column `r`. Those after `limit` of them are not asked for. */
  rows(limit: number): Iterable<Row>;
  /** Returns the place behind a row, until which there are `answered` rows. */
  behind(row: Row, answered: number): Continuation;
}

/** Reads a page up to its limits. The first row always has room. */
export function readPage(
  query: Query,
  source: PageSource,
  options: Pick<QueryOptions, "maxItems" | "maxBytes">,
): { rows: readonly string[]; continuation?: string } {
  const maxItems = Math.max(1, options.maxItems);
  const left = (source.take ?? Number.POSITIVE_INFINITY) - source.answered;
  const rows: string[] = [];
  let bytes = 0;
  let last: Row = {};
  for (const row of source.rows(Math.min(maxItems + 1, source.take ?? maxItems + 1))) {
    if (rows.length >= left) return { rows };
    const text = resultText(String(row["r"]));
    bytes += Buffer.byteLength(text);
    if (rows.length === maxItems || (rows.length > 0 && bytes > options.maxBytes)) {
      const place = source.behind(last, source.answered + rows.length);
      return { rows, continuation: writeContinuation(query, place) };
    }
    rows.push(text);
    last = row;
  }
  return { rows };
}
