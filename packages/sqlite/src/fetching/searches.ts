/**
 * Remembers the waiters for which a search found no row, so that a search that found nothing is not repeated.
 *
 * Time is divided into generations. A group, or an owner in it, is exhausted if a search for it found nothing in the
 * current generation.
 *
 * - searches.X1: A generation ends when a row may have become eligible: by a write of this process, by a commit of
 *   another one, or because a timer, a delay or a lock falls due. Until then a search for what is exhausted finds
 *   nothing again.
 * - searches.X2: #nextDueMs is never later than the first row that falls due by itself. It is read from the store with
 *   the first search of a generation, and lowered with every later row that this process writes; `undefined` is "not
 *   known". A generation in which it is not known ends with every call of passTime.
 */

/** Most owners that are remembered. Few exist in practice; more are forgotten, which costs searches, not memory. */
const MOST_OWNERS = 1_000;

/** The generations in which searches for a group, or for one of its owners, found nothing. */
export class Exhaustion {
  whole = -1;
  readonly owners: Map<string, number> = new Map();
}

export class Searches {
  #generation = 0;
  /** searches.X2 */
  #nextDueMs: number | undefined;

  /** Infinite if no row will fall due. */
  get nextDueMs(): number {
    return this.#nextDueMs ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Notes that a search for the group, or for one of its owners, found nothing. Calls `nextDueMs` only if the time is
   * not known.
   */
  exhaust(group: Exhaustion, nextDueMs: () => number, owner?: string): void {
    if (owner === undefined) group.whole = this.#generation;
    else {
      if (group.owners.size >= MOST_OWNERS) group.owners.clear();
      group.owners.set(owner, this.#generation);
    }
    this.#nextDueMs ??= nextDueMs();
  }

  /** Whether a search for the group, or for one of its owners, found nothing in this generation. */
  foundNothing(group: Exhaustion, owner?: string): boolean {
    return (owner === undefined ? group.whole : group.owners.get(owner)) === this.#generation;
  }

  /** Called when another process wrote, or a transaction was rolled back: ends the generation. */
  forget(): void {
    this.#generation++;
    this.#nextDueMs = undefined;
  }

  passTime(nowMs: number): void {
    if (this.#nextDueMs === undefined || this.#nextDueMs <= nowMs) this.forget();
  }

  /** Called when this process wrote rows that are eligible at once, or fall due later. */
  note(dueNow: boolean, nextMs: number): void {
    if (dueNow) this.#generation++;
    if (this.#nextDueMs !== undefined) this.#nextDueMs = Math.min(this.#nextDueMs, nextMs);
  }
}
