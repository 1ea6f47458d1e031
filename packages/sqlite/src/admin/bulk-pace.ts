/**
 * How many instances a bulk deletion deletes in one transaction. One each waits for the disk, and for the commits of a busy
 * process, once for each instance; too many hold the file and the event loop. So the number follows the time that the
 * deletions themselves take.
 */
import type { Clock } from "@duroxide-ts/core";
import type { WriteOperation } from "../commit/transaction.ts";

const QUICK_MS = 10;
const LONG_MS = 30;
const MOST_AT_ONCE = 128;

export class BulkPace {
  readonly #clock: Clock;
  #atOnce = 1;
  #spentMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The operation with its time measured. */
  timed<T>(operation: WriteOperation<T>): WriteOperation<T> {
    return (tx) => {
      const sinceMs = this.#clock.now();
      try {
        return operation(tx);
      } finally {
        this.#spentMs += this.#clock.now() - sinceMs;
      }
    };
  }

  /**
   * Calls `write` for so many items at once that their writes share a transaction, and for the next ones when those are
   * done. Rejects with the first failure, when the others of its group are done.
   */
  async inGroups<Item, T>(items: readonly Item[], write: (item: Item) => Promise<T>): Promise<readonly T[]> {
    const all: T[] = [];
    for (let at = 0; at < items.length; ) {
      const group = items.slice(at, at + this.#atOnce);
      at += group.length;
      this.#spentMs = 0;
      const outcomes = await Promise.allSettled(group.map(write));
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") throw outcome.reason;
        all.push(outcome.value);
      }
      this.#adapt(group.length);
    }
    return all;
  }

  #adapt(count: number): void {
    if (this.#spentMs > LONG_MS) this.#atOnce = Math.max(1, count >> 1);
    else if (this.#spentMs < QUICK_MS && count === this.#atOnce)
      this.#atOnce = Math.min(MOST_AT_ONCE, 2 * count);
  }
}
