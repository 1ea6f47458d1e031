/** On whose behalf a request is made, and for how long it is worth trying. */

export interface Patience {
  /** The contract method, for errors and metrics. */
  readonly operation: string;
  /** Nothing is tried again after this instant, ms since the epoch. */
  readonly untilMs: number;
  readonly signal?: AbortSignal;
  /** Is told what each attempt cost, in request units. */
  charged?(charge: number): void;
}

/** What one request came to. */
export interface RequestInfo {
  readonly operation: string;
  readonly kind: RequestKind;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly substatus: number | undefined;
  /** Request units. */
  readonly charge: number;
  /** Documents that a query returned; undefined where the request was none, or failed. */
  readonly results: number | undefined;
  readonly durationMs: number;
  /** 1 for the first. */
  readonly attempt: number;
}

/** A `query` asks the partition of one instance, a `scan` a whole physical partition. */
export type RequestKind = "read" | "query" | "scan" | "batch" | "ranges";
