/**
 * What a write operation works with. An operation is a synchronous function of a `Transaction`; it may run more
 * than once (a busy database, a failed neighbour), so it keeps nothing outside and puts everything that shall
 * happen after the commit into `effects`.
 *
 * Rule: a `ProviderError` that an operation throws is a refusal, thrown before its first write. Whatever else
 * is thrown comes from the store and undoes the transaction.
 */
import type { Random } from "@duroxide-ts/core";
import type { Database } from "../connection/database.ts";
import type { Effects } from "./effects.ts";

export interface Transaction {
  readonly db: Database;
  /** One instant for everything in the transaction; locks begin and expire by it. */
  readonly nowMs: number;
  readonly random: Random;
  readonly effects: Effects;
}

export type WriteOperation<T> = (tx: Transaction) => T;
