/**
 * Keeps a burst of handlers that compute from holding the event loop for the sum of their times: no timer could renew a
 * lock meanwhile. Handlers start together as long as what they do before their first wait is short; after BUDGET_MS of
 * that, the next one starts in the next round of the loop. A round for each handler would cost a store that commits
 * once in a round a commit for each.
 */
import { setImmediate as nextRound } from "node:timers/promises";
import type { Clock } from "../contract/clock.ts";

const BUDGET_MS = 10;

export class HandlerStarts {
  readonly #clock: Clock;
  #usedMs = 0;
  /** Set while the budget is used up; ends with the round. */
  #nextRound: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `start` when a handler may start. What it does before its first wait is counted. */
  begin<T>(start: () => Promise<T>): Promise<T> {
    return this.#nextRound === undefined ? this.#start(start) : this.#startLater(start);
  }

  async #startLater<T>(start: () => Promise<T>): Promise<T> {
    // All that wait go on in the same round, and the first of them may use the budget up again.
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
