/** What the fetches of one provider share. */
import type { FetchedWork, FetchOrchestrationOptions, FetchWorkOptions } from "@duroxide-ts/core";
import type { LockedTurn } from "../memory/held.ts";
import type { Store } from "../memory/store.ts";
import type { PollLimits } from "./poll-interval.ts";
import { QuietLook } from "./quiet-look.ts";
import type { SlotAssignment } from "./slots/slot-assignment.ts";
import { WaitingFetches } from "./waiting-fetches.ts";

export interface FetchSettings {
  readonly slots: SlotAssignment;
  readonly pollIntervalMs: PollLimits;
}

export class FetchQueues {
  readonly settings: FetchSettings;
  readonly quietLook: QuietLook;
  readonly turns: WaitingFetches<FetchOrchestrationOptions, LockedTurn>;
  readonly activities: WaitingFetches<FetchWorkOptions, FetchedWork>;

  constructor(store: Store, settings: FetchSettings) {
    this.settings = settings;
    this.quietLook = new QuietLook(store.service);
    this.turns = new WaitingFetches(store.clock);
    this.activities = new WaitingFetches(store.clock);
    store.turnsChanged.listen(() => this.turns.notify());
    store.activitiesChanged.listen(() => this.activities.notify());
  }

  close(): void {
    this.turns.close();
    this.activities.close();
  }
}
