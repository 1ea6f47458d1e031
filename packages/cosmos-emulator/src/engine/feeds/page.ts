/** The size of a page: the limits of the service, and the wish of the caller. */

const DEFAULT_ROWS = 1000;

/** Largest size in bytes of the rows of a page; a single row that is larger makes a page of its own. */
export const MAX_PAGE_BYTES: number = 4 * 1024 * 1024;

/** Largest number of rows of a page: every row has a byte. */
const MAX_ROWS = MAX_PAGE_BYTES;

/**
 * Returns the number of rows of a page by its `maxItems`: absent or 0 for the service's own, negative for all that
 * fit.
 */
export function pageRows(maxItems: number | undefined): number {
  if (maxItems === undefined || maxItems === 0) return DEFAULT_ROWS;
  return maxItems < 0 ? MAX_ROWS : Math.min(maxItems, MAX_ROWS);
}

export interface TakenPage<Row> {
  readonly rows: readonly Row[];
  readonly bytes: number;
  /** Whether there were more rows than the page has room for. */
  readonly isCut: boolean;
}

/** Takes rows until the page is full, and reads one row more at most: items are large. */
export function takePage<Row extends { readonly body: string }>(
  found: Iterable<Row>,
  maxRows: number,
): TakenPage<Row> {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of found) {
    const size = Buffer.byteLength(row.body);
    const isFull = rows.length === maxRows || (rows.length > 0 && bytes + size > MAX_PAGE_BYTES);
    if (isFull) return { rows, bytes, isCut: true };
    rows.push(row);
    bytes += size;
  }
  return { rows, bytes, isCut: false };
}
