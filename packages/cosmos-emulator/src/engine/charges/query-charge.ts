/** Estimates of what queries and feeds cost, in request units (docs/reference/cosmos-protocol.md §3.3). */

/** The charge of the smallest query on the service. */
const QUERY_BASE = 2.25;
/** The charge of each row, from a recorded page of 1000 rows. */
const PER_ROW = 0.014;
const PER_RETURNED_KB = 0.03;
/**
 * The charge of each row that passed the filter, where no composite index covers the filter and the order together.
 */
const PER_MATCHED_ROW = 0.01;
/** The charge of each kilobyte of documents that were read because a path of the filter is not indexed. */
const PER_SCANNED_KB = 0.03;

const KB = 1024;

export interface QueryWork {
  /** Number of rows returned. */
  readonly rows: number;
  readonly returnedBytes: number;
  /** Number of rows that passed the filter before TOP and ORDER BY, if these had to read all of them. */
  readonly matchedRows?: number;
  /** Size in bytes of the documents that the index did not exclude. */
  readonly scannedBytes?: number;
}

export function queryCharge({ rows, returnedBytes, matchedRows = 0, scannedBytes = 0 }: QueryWork): number {
  return (
    QUERY_BASE +
    PER_ROW * rows +
    (PER_RETURNED_KB * returnedBytes) / KB +
    PER_MATCHED_ROW * matchedRows +
    (PER_SCANNED_KB * scannedBytes) / KB
  );
}
