/**
 * Locks of one search, written by one statement and not by one for each activity. They share a secret: a token has the
 * key of its row too, and each search has a new secret, so no two locks have the same token.
 */
import type { Transaction } from "../commit/transaction.ts";

const LOCK = `UPDATE worker_queue SET lock_token = ?, due_at = ?, attempt_count = attempt_count + 1
  WHERE id IN (SELECT value FROM json_each(?))`;

export class ActivityLocks {
  readonly #tx: Transaction;
  readonly #idsByEnd = new Map<number, number[]>();
  #secret: string | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** Returns the secret of the lock. The row is not locked until `write`. */
  add(id: number, untilMs: number): string {
    const ids = this.#idsByEnd.get(untilMs);
    if (ids === undefined) this.#idsByEnd.set(untilMs, [id]);
    else ids.push(id);
    this.#secret ??= this.#tx.lockSecret();
    return this.#secret;
  }

  write(): void {
    const { db, effects } = this.#tx;
    for (const [untilMs, ids] of this.#idsByEnd) {
      db.run(LOCK, this.#secret ?? null, untilMs, JSON.stringify(ids));
      effects.activities.add(untilMs);
    }
    this.#idsByEnd.clear();
  }
}
