/**
 * Handlers start one event-loop round apart. A burst of activities whose handlers compute before their first await
 * would otherwise hold the event loop for the sum of their times, and no timer could renew a lock between them.
 */
import { setImmediate as nextRound } from "node:timers/promises";

export class HandlerStarts {
  #last: Promise<void> | undefined;

  /** Resolves when the next handler may start: at once where none has started in this round. */
  next(): Promise<void> {
    const mine = this.#last ?? Promise.resolve();
    const following = mine.then(() => nextRound());
    this.#last = following;
    void following.then(() => {
      if (this.#last === following) this.#last = undefined;
    });
    return mine;
  }
}
