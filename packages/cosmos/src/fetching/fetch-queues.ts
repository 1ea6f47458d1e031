/** The state that the fetches of one provider share. */
import type { FetchedWork, FetchOrchestrationOptions, FetchWorkOptions } from "@duroxide-ts/core/stores";
import type { LockedTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { SERVING_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";
import { IdlePoll } from "./idle-poll.ts";
import type { Members } from "./membership/members.ts";
import type { PollLimits } from "./poll-interval.ts";
import { WaitingFetches } from "./waiting-fetches.ts";

export interface FetchSettings {
  readonly members: Members;
  readonly pollIntervalMs: PollLimits;
}

export class FetchQueues {
  readonly settings: FetchSettings;
  readonly idlePoll: IdlePoll;
  readonly turns: WaitingFetches<FetchOrchestrationOptions, LockedTurn>;
  readonly activities: WaitingFetches<FetchWorkOptions, FetchedWork>;

  readonly #service: Service;
  readonly #stopping = new AbortController();
  #fetching = 0;
  #fetchedMs = Number.NEGATIVE_INFINITY;

  constructor(service: Service, memory: Memory, settings: FetchSettings) {
    this.settings = settings;
    this.#service = service;
    this.idlePoll = new IdlePoll(service, this.stop, settings);
    this.turns = new WaitingFetches(service.clock);
    this.activities = new WaitingFetches(service.clock);
    memory.turns.changed.listen(() => this.turns.notify());
    memory.activities.changed.listen(() => this.activities.notify());
  }

  /** Every fetch runs in this. */
  async serve<Fetched>(fetch: () => Promise<Fetched>): Promise<Fetched> {
    this.#fetching++;
    try {
      return await fetch();
    } finally {
      this.#fetching--;
      this.#fetchedMs = this.#service.clock.now();
    }
  }

  /** Whether this process searches for work, or did so lately: one that has only a client never does. */
  get isServing(): boolean {
    return this.#fetching > 0 || this.#service.clock.now() - this.#fetchedMs < SERVING_MS;
  }

  /** Aborts the queries for work that are under way. */
  get stop(): AbortSignal {
    return this.#stopping.signal;
  }

  close(): void {
    this.#stopping.abort();
    this.turns.close();
    this.activities.close();
  }
}
