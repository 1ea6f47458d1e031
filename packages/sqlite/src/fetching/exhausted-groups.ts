/**
 * Remembers for which waiters a search found no row, so that a search that found nothing is not repeated.
 *
 * Time is divided into generations. A key is exhausted if a search for it found nothing in the current generation.
 *
 * X1  A generation ends when a row may have become eligible: by a write of this process, by a commit of another one,
 *     or because a timer, a delay or a lock falls due. Until then a search for an exhausted key finds nothing again.
 * X2  #nextDueMs is never later than the first row that falls due by itself. It is read from the store with the first
 *     search of a generation, and lowered with every later row that this process writes; `undefined` is "not known".
 *     A generation in which it is not known ends with every call of passTime.
 */

/** Keys are few in practice; a flood of them costs searches, not memory. */
const MOST_KEYS = 1_000;

export class ExhaustedGroups {
  #generation = 0;
  readonly #exhausted = new Map<string, number>();
  /** X2 */
  #nextDueMs: number | undefined;

  /** Infinite where nothing will fall due. */
  get nextDueMs(): number {
    return this.#nextDueMs ?? Number.POSITIVE_INFINITY;
  }

  /** `nextDueMs` is asked only where it is not known. */
  add(key: string, nextDueMs: () => number): void {
    if (this.#exhausted.size >= MOST_KEYS) this.#exhausted.clear();
    this.#exhausted.set(key, this.#generation);
    this.#nextDueMs ??= nextDueMs();
  }

  has(key: string): boolean {
    return this.#exhausted.get(key) === this.#generation;
  }

  /** Another process wrote, or a transaction was undone: what is known of the queue is void. */
  forget(): void {
    this.#generation++;
    this.#nextDueMs = undefined;
  }

  passTime(nowMs: number): void {
    if (this.#nextDueMs === undefined || this.#nextDueMs <= nowMs) this.forget();
  }

  /** This process wrote rows that may be fetched at once, or that fall due later. */
  note(dueNow: boolean, nextMs: number): void {
    if (dueNow) this.#generation++;
    if (this.#nextDueMs !== undefined) this.#nextDueMs = Math.min(this.#nextDueMs, nextMs);
  }
}
