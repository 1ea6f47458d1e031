/**
 * Remembers who has looked for rows in vain, so that nobody looks twice for the same nothing.
 *
 * Time is divided into generations. One ends when a row may have become eligible: by a write of this process, by
 * a commit of another one, or because a timer, a delay or a lock falls due. Within a generation a look that
 * found nothing need not be repeated.
 */

/** Keys are few in practice; a flood of them costs looks, not memory. */
const MOST_KEYS = 1_000;

export class VainLooks {
  #generation = 0;
  readonly #exhausted = new Map<string, number>();
  /** When the next row falls due by itself. `undefined`: not known, so that every look is worth it. */
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

  /** Something was written by somebody else, or undone: what was known of the queue is void. */
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
