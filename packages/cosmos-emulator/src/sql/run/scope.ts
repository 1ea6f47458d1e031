/** The surroundings of a query, from the engine, and the page that it gets back. */
import type { SQLInputValue } from "node:sqlite";
import type { JsonValue } from "../../protocol/json.ts";

/** The documents that a query may see. */
export interface Scope {
  /** The quoted SQL identifier of the container's table. */
  readonly table: string;
  /** Conditions on columns of the row, whose alias is `d`: partition key, range of hashes, expiry. */
  readonly conditions: readonly { readonly sql: string; readonly values: readonly SQLInputValue[] }[];
}

export interface QueryOptions {
  /** Values by name with `@`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** Continuation of the page before this one. */
  readonly continuation?: string;
  /** Number of rows in one page. */
  readonly maxItems: number;
  /** Size in bytes of the rows in one page; a single row that is larger makes a page of its own. */
  readonly maxBytes: number;
  /**
   * Whether an ORDER BY of a single path answers documents that do not have it. The service leaves them out
   * unless the indexing policy names the path or a composite index begins with it; false if absent.
   */
  readonly orderUndefined?: boolean;
  /**
   * Whether a composite index covers filter and order. Then rows that TOP or a page's end leaves out are not
   * counted as matched, and large results are not counted through. False if absent.
   */
  readonly orderCovered?: boolean;
  /** Whether an index of the policy serves the filter; if false, scannedBytes is measured. True if absent. */
  readonly filterIndexed?: boolean;
}

export interface QueryPage {
  /** JSON texts. */
  readonly rows: readonly string[];
  /** Place of the next page; absent after the last one. */
  readonly continuation?: string;
  /**
   * Number of rows that passed the filter before TOP, OFFSET or ORDER BY was applied; over all pages of a query they
   * add up to the total, so that a sorted query reports all of them with its first page.
   */
  readonly matchedRows: number;
  /** Size in bytes of the documents that this page had to read if the filter is not indexed, else 0. */
  readonly scannedBytes: number;
}
