/** The interval of queries for work of other processes: short after there was work, then growing. */

export interface PollLimits {
  readonly min: number;
  readonly max: number;
}

export class GrowingInterval {
  readonly #limits: PollLimits;
  #intervalMs: number;
  #nextMs = 0;
  /** A query is due and has not begun. */
  #woken = false;

  constructor(limits: PollLimits) {
    this.#limits = limits;
    this.#intervalMs = limits.min;
  }

  /** The time of the next query, ms since the epoch. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** The interval has reached its maximum. */
  get isLongest(): boolean {
    return !this.#woken && this.#intervalMs === this.#limits.max;
  }

  /** A query before that time would find nothing; without a time, before the end of another interval. */
  rest(nowMs: number, untilMs: number = nowMs + this.#intervalMs): void {
    this.#nextMs = untilMs;
  }

  /** There is work. The answer decides whether the interval becomes shorter. */
  wake(nowMs: number): void {
    this.#woken = true;
    this.#nextMs = nowMs;
  }

  /** After an answer, with or without work that was unknown to this process. */
  asked(nowMs: number, foundNews: boolean): void {
    const { min, max } = this.#limits;
    this.#woken = false;
    this.#intervalMs = foundNews ? min : Math.min(this.#intervalMs * 2, max);
    this.#nextMs = nowMs + this.#intervalMs;
  }
}
