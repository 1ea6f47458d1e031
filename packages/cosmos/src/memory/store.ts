/** What the operations of one provider share. */
import type { Clock, Random } from "@duroxide-ts/core";
import { Watchers } from "@duroxide-ts/core/stores";
import type { SessionOwner } from "../documents/session.ts";
import type { Service } from "../service/service.ts";
import { Held, type HeldActivity, type HeldTurn } from "./held.ts";
import { Knowledge } from "./instances.ts";
import { LeftToOthers } from "./left-to-others.ts";
import { LockAttempts } from "./lock-attempts.ts";
import { ReadyActivities } from "./ready-activities.ts";
import { Signal } from "./signal.ts";

/** More than a busy process serves at a time; about 2 KB each. */
const KNOWN_INSTANCES = 10_000;

export class Store {
  readonly service: Service;
  readonly clock: Clock;
  readonly random: Random;
  readonly knowledge: Knowledge = new Knowledge(KNOWN_INSTANCES);
  readonly turns: Held<HeldTurn> = new Held();
  readonly activities: Held<HeldActivity> = new Held();
  readonly ready: ReadyActivities;
  /** Owners of sessions as they were seen last. */
  readonly sessions: Map<string, SessionOwner> = new Map();
  readonly watchers: Watchers = new Watchers();
  /** There is something new for fetches of turns, and of activities. */
  readonly turnsChanged: Signal = new Signal();
  readonly activitiesChanged: Signal = new Signal();
  /** Instances, and activities by their rows, that were given back because they could not be handled. */
  readonly turnsLeft: LeftToOthers = new LeftToOthers();
  readonly activitiesLeft: LeftToOthers = new LeftToOthers();
  /** Instances whose lock this process is about to take. */
  readonly locking: LockAttempts;

  constructor(service: Service) {
    this.service = service;
    this.clock = service.clock;
    this.random = service.random;
    this.locking = new LockAttempts(service.clock);
    this.ready = new ReadyActivities();
  }
}
