/** How much the steps do. The whole check takes minutes and hundreds of thousands of request units. */

export interface Scale {
  /** Account reads for the round trip. */
  readonly roundTrips: number;
  /** Documents whose `_rid`s are compared; in batches of 100. */
  readonly numberedDocuments: number;
  /** Writes that are read back at once. */
  readonly readsAfterWrites: number;
  /** Queue rows among which a query finds the due ones. */
  readonly queueRows: number;
  /** Instance documents among which the reconciler's query finds the intents. */
  readonly instances: number;
  /** Documents that a page is cut from. */
  readonly pagedDocuments: number;
  /** Writers of one document at the same time. */
  readonly writers: number;
  /** Batches of 100 creates at the same time, more than the throughput carries. */
  readonly burst: number;
  /** Whether documents of megabytes are sent. */
  readonly largeDocuments: boolean;
  /** Whether a script runs into the service's limit of 5 s. */
  readonly slowScript: boolean;
  /** How soon the provider goes on when a physical partition is gone. */
  readonly recoveryMs: number;
  /** Time within which something slow must have happened, ms. */
  readonly patienceMs: number;
}

export const WHOLE: Scale = {
  roundTrips: 100,
  numberedDocuments: 600,
  readsAfterWrites: 200,
  queueRows: 20_000,
  instances: 10_000,
  pagedDocuments: 1_200,
  writers: 50,
  burst: 12,
  largeDocuments: true,
  slowScript: true,
  recoveryMs: 1_000,
  patienceMs: 60_000,
};

/** Scale of the tests: every request once, and no limit that a slow machine meets. */
export const QUICK: Scale = {
  roundTrips: 5,
  numberedDocuments: 300,
  readsAfterWrites: 5,
  queueRows: 200,
  instances: 100,
  pagedDocuments: 120,
  writers: 5,
  burst: 3,
  largeDocuments: false,
  slowScript: false,
  recoveryMs: 300_000,
  patienceMs: 600_000,
};
