/** How often the store is asked for what other processes wrote: soon after there was something, seldom otherwise. */

export interface PollLimits {
  readonly min: number;
  readonly max: number;
}

export class PollInterval {
  readonly #limits: PollLimits;
  #intervalMs: number;
  #nextMs = 0;
  /** Somebody was told to ask, and has not yet. */
  #woken = false;

  constructor(limits: PollLimits) {
    this.#limits = limits;
    this.#intervalMs = limits.min;
  }

  /** When to ask next, ms since the epoch. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** It cannot grow any more. */
  get isLongest(): boolean {
    return !this.#woken && this.#intervalMs === this.#limits.max;
  }

  /** Known to be in vain until then; without a time until the interval is over once more. */
  rest(nowMs: number, untilMs: number = nowMs + this.#intervalMs): void {
    this.#nextMs = untilMs;
  }

  /** There is something; the answer will say whether it is a reason to ask more often. */
  wake(nowMs: number): void {
    this.#woken = true;
    this.#nextMs = nowMs;
  }

  /** After an answer, with or without anything that this process did not know. */
  asked(nowMs: number, foundNews: boolean): void {
    const { min, max } = this.#limits;
    this.#woken = false;
    this.#intervalMs = foundNews ? min : Math.min(this.#intervalMs * 2, max);
    this.#nextMs = nowMs + this.#intervalMs;
  }
}
