/** The state that the searches for work of one provider share. */
import type { Parts } from "../memory/parts.ts";
import { SERVING_MS } from "../memory/waits.ts";
import { IdlePoll, type SearchSettings } from "./idle-poll.ts";

export class Searches {
  readonly settings: SearchSettings;
  readonly idlePoll: IdlePoll;
  readonly #parts: Parts;
  readonly #stopping = new AbortController();
  #fetching = 0;
  #fetchedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts, settings: SearchSettings) {
    this.settings = settings;
    this.#parts = parts;
    this.idlePoll = new IdlePoll(this.stop, settings);
  }

  /** Every fetch runs in this. */
  async serve<Fetched>(fetch: () => Promise<Fetched>): Promise<Fetched> {
    this.#fetching++;
    try {
      return await fetch();
    } finally {
      this.#fetching--;
      this.#fetchedMs = this.#parts.clock.now();
    }
  }

  /** Whether this process searches for work, or did so lately: one that has only a client never does. */
  get isServing(): boolean {
    return this.#fetching > 0 || this.#parts.clock.now() - this.#fetchedMs < SERVING_MS;
  }

  /** Aborts the queries for work that are under way. */
  get stop(): AbortSignal {
    return this.#stopping.signal;
  }

  close(): void {
    this.#stopping.abort();
    this.#parts.memory.waitingForTurns.close();
    this.#parts.memory.waitingForActivities.close();
  }
}
