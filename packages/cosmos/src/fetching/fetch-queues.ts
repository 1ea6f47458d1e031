/** The state that the fetches of one provider share. */
import type { FetchedWork, FetchOrchestrationOptions, FetchWorkOptions } from "@duroxide-ts/core/stores";
import type { LockedTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Service } from "../service/service.ts";
import type { Members } from "./membership/members.ts";
import type { PollLimits } from "./poll-interval.ts";
import { QuietLook } from "./quiet-look.ts";
import { WaitingFetches } from "./waiting-fetches.ts";

export interface FetchSettings {
  readonly members: Members;
  readonly pollIntervalMs: PollLimits;
}

export class FetchQueues {
  readonly settings: FetchSettings;
  readonly quietLook: QuietLook;
  readonly turns: WaitingFetches<FetchOrchestrationOptions, LockedTurn>;
  readonly activities: WaitingFetches<FetchWorkOptions, FetchedWork>;

  readonly #stopping = new AbortController();

  constructor(service: Service, memory: Memory, settings: FetchSettings) {
    this.settings = settings;
    this.quietLook = new QuietLook(service, this.stop, settings);
    this.turns = new WaitingFetches(service.clock);
    this.activities = new WaitingFetches(service.clock);
    memory.turns.changed.listen(() => this.turns.notify());
    memory.activities.changed.listen(() => this.activities.notify());
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
