/** What the operations of one provider share. */
import type { Clock, Random } from "@duroxide-ts/core";
import {
  type FetchedWork,
  type FetchOrchestrationOptions,
  type FetchWorkOptions,
  Watchers,
} from "@duroxide-ts/core/stores";
import { LeftToOthers } from "../fetching/left-to-others.ts";
import type { PollLimits } from "../fetching/poll-interval.ts";
import { QuietLook } from "../fetching/quiet-look.ts";
import { Waiting } from "../fetching/waiting.ts";
import type { Requests } from "../requests/requests.ts";
import type { Sequence } from "../schema/queue-order.ts";
import type { SessionOwner } from "../sessions/claim-session.ts";
import type { SlotAssignment } from "../slots/slot-assignment.ts";
import type { HeldTurn, LockedTurn } from "../turn/held-turn.ts";
import type { HeldActivity } from "../work/held-activity.ts";
import { ReadyActivities } from "../work/ready-activities.ts";
import { Held } from "./held.ts";
import { Knowledge } from "./knowledge.ts";
import { LockAttempts } from "./lock-attempts.ts";

export interface StoreSettings {
  readonly slots: SlotAssignment;
  readonly clock: Clock;
  readonly random: Random;
  readonly pollIntervalMs: PollLimits;
  readonly onWarning: (message: string, fields: { readonly instanceId?: string }) => void;
}

/** More than a busy process serves at a time; about 2 KB each. */
const KNOWN_INSTANCES = 10_000;

export class Store {
  readonly requests: Requests;
  readonly settings: StoreSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly knowledge: Knowledge = new Knowledge(KNOWN_INSTANCES);
  readonly turns: Held<HeldTurn> = new Held();
  readonly activities: Held<HeldActivity> = new Held();
  readonly ready: ReadyActivities;
  /** Owners of sessions as they were seen last. */
  readonly sessions: Map<string, SessionOwner> = new Map();
  readonly watchers: Watchers = new Watchers();
  readonly quietLook: QuietLook;
  /** Fetches of turns, and of activities. */
  readonly turnsWanted: Waiting<FetchOrchestrationOptions, LockedTurn>;
  readonly activitiesWanted: Waiting<FetchWorkOptions, FetchedWork>;
  /** Instances, and activities by their rows, that were given back because they could not be handled. */
  readonly turnsLeft: LeftToOthers = new LeftToOthers();
  readonly activitiesLeft: LeftToOthers = new LeftToOthers();
  /** Instances whose lock this process is about to take. */
  readonly locking: LockAttempts;
  /** Tells the rows of this provider from those of others. */
  readonly #writer: string;
  #rows = 0;

  constructor(requests: Requests, settings: StoreSettings) {
    this.requests = requests;
    this.settings = settings;
    this.clock = settings.clock;
    this.random = settings.random;
    this.#writer = settings.random.uuid().slice(0, 8);
    this.locking = new LockAttempts(settings.clock);
    this.ready = new ReadyActivities();
    this.quietLook = new QuietLook(requests, settings.clock);
    this.turnsWanted = new Waiting(settings.clock);
    this.activitiesWanted = new Waiting(settings.clock);
  }

  /** For each row that this process is about to write: after the row before. */
  nextSequence(): Sequence {
    return { writer: this.#writer, number: this.#rows++ };
  }
}
