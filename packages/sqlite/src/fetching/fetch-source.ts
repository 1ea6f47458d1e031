/** The interface between parked fetches and a queue (parked-fetches.ts). */
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
  /** Whether the waiter may be settled before the commit, because its work has no effect if the commit fails. */
  readonly early: boolean;
}

/** The result of a search for several requests. */
export interface Look<Found> {
  /** The result at the index of each request; `undefined` if there is no row for it. */
  readonly found: readonly (Found | undefined)[];
  /** Whether no row is left for any request of the group, of any owner. */
  readonly nothingLeft: boolean;
}

/** The queue-specific part of fetching. */
export interface FetchSource<Request, Result> {
  /** The contract method, for errors. */
  readonly operation: string;
  /** Equal for requests that accept the same rows; `undefined` if no row can match. */
  groupOf(request: Request): string | undefined;
  /** Distinguishes requests of a group for which different rows may be reserved. */
  ownerOf(request: Request): string;
  /** Searches rows for requests of one group; takes no lock, so another process may lock the rows before `take`. */
  peek(db: Database, nowMs: number, requests: readonly Request[]): Look<true>;
  /** Called before rows are taken, also where no fetch waits. */
  prepare?(tx: Transaction): void;
  /** Locks a row for each of the requests, all of one group, while there are any. */
  take(tx: Transaction, requests: readonly Request[]): Look<Served<Result>>;
  dueTimes(effects: Effects): DueTimes;
  /** The earliest time after `nowMs` at which a row falls due; infinite if there is none. */
  nextDueMs(db: Database, nowMs: number): number;
}
