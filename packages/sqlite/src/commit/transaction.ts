/**
 * The context of a write operation. An operation is a synchronous function of a `Transaction`. It may run more than
 * once (a busy database, a failed operation in the same transaction), so it must not change other state, and adds the
 * steps after the commit to `effects`.
 *
 * Rule: an operation may throw a `ProviderError` only before its first write; the operation is then rejected. Any other
 * error is a failure of the store and rolls the transaction back.
 */
import type { Random } from "@duroxide-ts/core";
import type { Database } from "../connection/database.ts";
import type { Effects } from "./effects.ts";

export interface Transaction {
  readonly db: Database;
  /** The time of the whole transaction; locks begin and expire by it. */
  readonly nowMs: number;
  /** `PRAGMA data_version`, from its beginning to its commit. */
  readonly dataVersion: number | undefined;
  readonly random: Random;
  readonly effects: Effects;
  /** The name of this process in rows that it holds (lock-holder.ts); null if it has none. */
  readonly holder: string | null;
  /** A new secret for a lock. */
  lockSecret(): string;
}

export type WriteOperation<T> = (tx: Transaction) => T;
