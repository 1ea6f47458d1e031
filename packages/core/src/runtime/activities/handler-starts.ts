/**
 * Spreads the starts of handlers over rounds of the event loop.
 *
 * - handler-starts.HS1: When the handlers of a round have used BUDGET_MS together, the next one starts in the next
 *   round. A burst of handlers that compute before their first wait would block the loop for the sum of their times,
 *   and no timer could renew a lock meanwhile.
 * - handler-starts.HS2: Below that budget handlers start in one round: a store that commits once in a round would
 *   otherwise commit each outcome alone.
 * - handler-starts.HS3: A handler that waited for a round checks the budget again, because all waiting handlers resume
 *   in one round.
 */
import type { Clock } from "../../contract/clock.ts";
import { nextRound } from "../../host/originals.ts";

const BUDGET_MS = 10;

export class HandlerStarts {
  readonly #clock: Clock;
  #usedMs = 0;
  /** Set while the budget is used up; ends with the round. */
  #nextRound: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `start` when a handler may start, and adds the time before its first wait to the budget. */
  begin<T>(start: () => Promise<T>): Promise<T> {
    return this.#nextRound === undefined ? this.#start(start) : this.#startLater(start);
  }

  async #startLater<T>(start: () => Promise<T>): Promise<T> {
    // All waiting starts resume in the same round, and the first of them may use up the budget again.
    while (this.#nextRound !== undefined) await this.#nextRound;
    return this.#start(start);
  }

  #start<T>(start: () => Promise<T>): Promise<T> {
    const beganAtMs = this.#clock.now();
    const running = start();
    this.#usedMs += this.#clock.now() - beganAtMs;
    if (this.#usedMs >= BUDGET_MS) this.#nextRound ??= this.#pause();
    return running;
  }

  async #pause(): Promise<void> {
    await nextRound();
    this.#usedMs = 0;
    this.#nextRound = undefined;
  }
}
