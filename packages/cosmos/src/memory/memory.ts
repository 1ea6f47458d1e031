/** The state of the process between calls. No I/O. It may be wrong, so every use ends in a conditional write. */
import type { Clock } from "@duroxide-ts/core";
import {
  BoundedMap,
  type FetchedWork,
  type FetchOrchestrationOptions,
  type FetchWorkOptions,
  Watchers,
} from "@duroxide-ts/core/stores";
import type { StreamState } from "../documents/stream.ts";
import { Activities } from "./activities.ts";
import { Agenda } from "./agenda.ts";
import type { DeliveredIntents } from "./delivered-intents.ts";
import { type ActivityLease, Held, HeldTurns, type LockedTurn, type UnreadTurn } from "./held.ts";
import { type DueInstance, Instances } from "./instances.ts";
import { Permits } from "./permits.ts";
import { RefusedWrites } from "./refused-writes.ts";
import { Sessions } from "./sessions.ts";
import { WaitingFetches } from "./waiting-fetches.ts";
import { WatchedInstances } from "./watched-instances.ts";

/** More instances than a busy process serves at a time; about 2 KB each. */
const KNOWN_INSTANCES = 10_000;
const KNOWN_STREAMS = 1_000;

export class Memory {
  /** Instances whose turns may be tried. `instances` keeps it. */
  readonly turns: Agenda<DueInstance>;
  readonly instances: Instances;
  /** Activities that may be tried, including those whose lock of this process will end. */
  readonly activities: Activities;
  readonly permits: Permits;
  /** The time to ask for permits of instances again, by group; ms since the epoch. */
  readonly startAsks: Map<string, number> = new Map();
  readonly waitingForTurns: WaitingFetches<FetchOrchestrationOptions, LockedTurn | UnreadTurn>;
  readonly waitingForActivities: WaitingFetches<FetchWorkOptions, FetchedWork>;
  readonly heldTurns: HeldTurns = new HeldTurns();
  readonly heldActivities: Held<ActivityLease> = new Held();
  readonly sessions: Sessions = new Sessions();
  /** Unfinished work that the service refused to complete or to remove. */
  readonly refusedIntents: RefusedWrites = new RefusedWrites();
  readonly delivered: DeliveredIntents;
  readonly watchers: WatchedInstances;
  /** Whether this process has looked for those of its machine that are dead. */
  hasLookedForDead = false;
  readonly streamWatchers: Watchers;
  /** Records of streams as this process has last read or written them, by instance and name. */
  readonly streams: BoundedMap<string, StreamState> = new BoundedMap(KNOWN_STREAMS);
  /** Names of orchestrations of which this process has committed a first turn (docs/decisions/cosmos-turns.md). */
  readonly firstTurns: Set<string> = new Set();

  constructor(clock: Clock, newId: () => string, delivered: DeliveredIntents) {
    this.delivered = delivered;
    this.watchers = new WatchedInstances(clock);
    this.streamWatchers = new Watchers(clock);
    this.turns = new Agenda<DueInstance>({
      clock,
      // Includes instances with expected messages in addition to the known instances.
      capacity: 2 * KNOWN_INSTANCES,
      compare: (a, b) => a.atMs - b.atMs,
      atMs: ({ atMs }) => atMs,
    });
    this.instances = new Instances(this.turns, KNOWN_INSTANCES);
    this.permits = new Permits(newId, () => this.waitingForActivities.notify());
    this.activities = new Activities(clock, this.permits);
    this.waitingForTurns = new WaitingFetches(clock);
    this.waitingForActivities = new WaitingFetches(clock);
  }
}
