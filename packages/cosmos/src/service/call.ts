/** The contract method of a request, and how long the request is retried. */

export interface Deadline {
  /** The contract method, for errors and metrics. */
  readonly operation: string;
  /** There are no retries after this time, ms since the epoch. */
  readonly untilMs: number;
  readonly signal?: AbortSignal;
}

/** The outcome of one request. */
export interface RequestInfo {
  readonly operation: string;
  readonly kind: RequestKind;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly substatus: number | undefined;
  /** Request units. */
  readonly charge: number;
  /** Documents that a query returned; undefined for other requests, and if it failed. */
  readonly results: number | undefined;
  readonly durationMs: number;
  /** 1 for the first. */
  readonly attempt: number;
}

/** A `query` reads the partition of one instance, a `scan` a whole physical partition. */
export type RequestKind = "read" | "query" | "scan" | "batch" | "ranges";
