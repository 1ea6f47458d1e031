/**
 * An answer of the store that is kept for a while.
 *
 * - kept.KA1: One read at a time: requests that come while it is under way share it, so that pages do not multiply the
 *   reads.
 * - kept.KA2: A failure is not kept, because the next read may succeed.
 */
import type { Clock } from "@duroxide-ts/core";

export class Kept<T> {
  readonly #keptUntilMs: (answer: T) => number;
  #reading: Promise<T> | undefined;
  #untilMs = 0;

  /** `keptUntilMs` gives the time until which an answer is kept, in ms since the epoch. */
  constructor(keptUntilMs: (answer: T) => number) {
    this.#keptUntilMs = keptUntilMs;
  }

  read(clock: Clock, readAnew: () => Promise<T>): Promise<T> {
    if (this.#reading === undefined || clock.now() >= this.#untilMs) this.#reading = this.#begin(readAnew);
    return this.#reading;
  }

  async #begin(readAnew: () => Promise<T>): Promise<T> {
    this.#untilMs = Number.POSITIVE_INFINITY;
    try {
      const answer = await readAnew();
      this.#untilMs = this.#keptUntilMs(answer);
      return answer;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }
}
