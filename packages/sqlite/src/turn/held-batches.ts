/**
 * Batches that the open transaction has locked and not tagged yet. Most turns that begin early come back within the
 * transaction, and then nobody else would ever see that their rows were tagged and counted.
 *
 *   H1  The instance's own lock is stored at once, so nothing else finds the instance or its rows.
 *   H2  Whatever is still held is tagged and counted before the commit, and before every operation that may look at
 *       the rows of a locked instance or change the instance (Effects.before).
 *   H3  The acknowledgement of a held batch needs no look at the instance: nothing has changed it since (H2).
 *   H4  The rows of a held batch are those that were visible when it was locked. Later rows have higher ids.
 */
import type { Database } from "../database.ts";
import type { LockToken } from "../lock-token.ts";
import type { LockedInstance } from "./instance-row.ts";

interface HeldBatch {
  readonly instance: LockedInstance;
  readonly token: LockToken;
  /** `orchestrator_queue.id`. */
  readonly lastRow: number;
}

const TAG = `UPDATE orchestrator_queue SET lock_token = ?, attempt_count = attempt_count + 1
  WHERE instance_key = ? AND visible_at <= ? AND id <= ?`;

const DELETE = "DELETE FROM orchestrator_queue WHERE instance_key = ? AND visible_at <= ? AND id <= ?";

export class HeldBatches {
  /** By the secret of the lock. */
  readonly #held = new Map<string, HeldBatch>();

  add(
    instance: LockedInstance,
    { token, lastRow }: { readonly token: LockToken; readonly lastRow: number },
  ): void {
    this.#held.set(token.secret, { instance, token, lastRow });
  }

  /** Its instance, where a batch is held under the token. */
  find({ secret }: LockToken): LockedInstance | undefined {
    return this.#held.get(secret)?.instance;
  }

  /** Deletes the rows of a held batch; false where it is not held. */
  delete(db: Database, { secret }: LockToken): boolean {
    const batch = this.#held.get(secret);
    if (batch === undefined) return false;
    this.#held.delete(secret);
    db.run(DELETE, batch.token.key, batch.token.visibleUntilMs, batch.lastRow);
    return true;
  }

  tagAll(db: Database): void {
    for (const { token, lastRow } of this.#held.values()) {
      db.run(TAG, token.secret, token.key, token.visibleUntilMs, lastRow);
    }
    this.#held.clear();
  }
}
