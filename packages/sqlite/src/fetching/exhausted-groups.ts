/**
 * Remembers the waiters for which a search found no row, so that a search that found nothing is not repeated.
 *
 * Time is divided into generations. A key is exhausted if a search for it found nothing in the current generation.
 *
 * X1  A generation ends when a row may have become eligible: by a write of this process, by a commit of another one,
 *     or because a timer, a delay or a lock falls due. Until then a search for an exhausted key finds nothing again.
 * X2  #nextDueMs is never later than the first row that falls due by itself. It is read from the store with the first
 *     search of a generation, and lowered with every later row that this process writes; `undefined` is "not known".
 *     A generation in which it is not known ends with every call of passTime.
 */

/** In practice there are few keys; beyond this number keys are forgotten, which costs searches, not memory. */
const MOST_KEYS = 1_000;

export class ExhaustedGroups {
  #generation = 0;
  readonly #exhausted = new Map<string, number>();
  /** X2 */
  #nextDueMs: number | undefined;

  /** Infinite if no row will fall due. */
  get nextDueMs(): number {
    return this.#nextDueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Calls `nextDueMs` only if the time is not known. */
  add(key: string, nextDueMs: () => number): void {
    if (this.#exhausted.size >= MOST_KEYS) this.#exhausted.clear();
    this.#exhausted.set(key, this.#generation);
    this.#nextDueMs ??= nextDueMs();
  }

  has(key: string): boolean {
    return this.#exhausted.get(key) === this.#generation;
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
