/** Estimates of what queries and feeds cost, in request units (docs/reference/cosmos-protocol.md §3.3). */

/** What the smallest query on the service cost. */
const QUERY_BASE = 2.25;
/** From a recorded page of 1000 rows. */
const PER_ROW = 0.014;
const PER_RETURNED_KB = 0.03;
/** For each row that passed the filter, where no composite index covers the filter and the order together. */
const PER_MATCHED_ROW = 0.01;
/** Of documents that were looked at because a path of the filter is not indexed. */
const PER_SCANNED_KB = 0.03;

const KB = 1024;

export interface QueryWork {
  /** That were returned. */
  readonly rows: number;
  readonly returnedBytes: number;
  /** That passed the filter before TOP and ORDER BY, if these had to look at all of them. */
  readonly matchedRows?: number;
  /** Of documents that no index excluded. */
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
