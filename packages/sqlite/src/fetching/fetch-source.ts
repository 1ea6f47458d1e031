/** What waiting fetches ask of a queue (parked-fetches.ts). */
import type { DueTimes, Effects } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";

export interface FetchRequest {
  readonly pollTimeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A row that was locked for a waiter. */
export interface Served<Result> {
  readonly result: Result;
  /** The waiter may be answered before the commit: nothing that it does then is wrong if the commit fails. */
  readonly early: boolean;
}

/** The result of a search for several requests. */
export interface Look<Found> {
  /** At the index of each request; nothing where there is no row for it. */
  readonly found: readonly (Found | undefined)[];
  /** No row is left for any request of the group, of whatever owner. */
  readonly nothingLeft: boolean;
}

/** What is particular to a queue. */
export interface FetchSource<Request, Result> {
  /** The contract method, for errors. */
  readonly operation: string;
  /** Equal for requests that accept the same rows; `undefined` where no row can match. */
  groupOf(request: Request): string | undefined;
  /** Tells requests of a group apart for which different rows may be reserved. */
  ownerOf(request: Request): string;
  /** For which of the requests, all of one group, a row seems to be eligible; takes no lock. */
  peek(db: Database, nowMs: number, requests: readonly Request[]): Look<true>;
  /** Locks a row for each of the requests, all of one group, while there are any. */
  take(tx: Transaction, requests: readonly Request[]): Look<Served<Result>>;
  dueTimes(effects: Effects): DueTimes;
  /** The earliest instant after `nowMs` at which a row falls due; infinite where there is none. */
  nextDueMs(db: Database, nowMs: number): number;
}
