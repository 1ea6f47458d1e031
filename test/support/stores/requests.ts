/** Requests under way. Virtual time must not move while there are any. */
import { setImmediate as nextRound } from "node:timers/promises";
import type { Traffic } from "./store.ts";

/**
 * Options of a provider on a virtual clock. The limit of a request is real time: on a busy machine it would end
 * requests, and their repetition would wait for a clock that stands still.
 */
export const UNHURRIED = { requestTimeoutMs: 900_000 } as const;

export class Requests implements Traffic {
  readonly #inFlight = new Set<Promise<unknown>>();

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** The same answer; until it is there the request counts. */
  async await<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#inFlight.add(answer);
    try {
      return await answer;
    } finally {
      this.#inFlight.delete(answer);
    }
  }

  /** Resolves when nothing is under way, not even a request to which an answer has led. */
  async idle(): Promise<void> {
    do {
      await Promise.allSettled(this.#inFlight);
      await nextRound();
    } while (this.#inFlight.size > 0);
  }
}
