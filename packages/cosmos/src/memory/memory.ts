/** What the process remembers between calls. No I/O. Nothing of it is trusted: every use ends in a conditional write. */
import type { Clock } from "@duroxide-ts/core";
import { Watchers } from "@duroxide-ts/core/stores";
import { compareQueued } from "../documents/queue-order.ts";
import type { ActivityRow } from "../documents/rows.ts";
import type { SessionOwner } from "../documents/session.ts";
import { Agenda } from "./agenda.ts";
import { type ActivityLease, Held, type TurnLease } from "./held.ts";
import { type DueInstance, Instances } from "./instances.ts";

/** More than a busy process serves at a time; about 2 KB each. */
const KNOWN_INSTANCES = 10_000;

/** More than a process works off between two looks at the store. */
const MOST_ACTIVITIES = 10_000;

export class Memory {
  /** Instances whose turns may be tried. `instances` keeps it. */
  readonly turns: Agenda<DueInstance>;
  readonly instances: Instances;
  /** Activities that may be tried: a lock that this process took itself is known to end, too. */
  readonly activities: Agenda<ActivityRow>;
  readonly heldTurns: Held<TurnLease> = new Held();
  readonly heldActivities: Held<ActivityLease> = new Held();
  /** Owners of sessions as they were seen last. */
  readonly sessions: Map<string, SessionOwner> = new Map();
  readonly watchers: Watchers = new Watchers();

  constructor(clock: Clock) {
    this.turns = new Agenda<DueInstance>({
      clock,
      // Beside the known instances those of which something is expected.
      capacity: 2 * KNOWN_INSTANCES,
      compare: (a, b) => a.atMs - b.atMs,
      atMs: ({ atMs }) => atMs,
    });
    this.instances = new Instances(this.turns, KNOWN_INSTANCES);
    this.activities = new Agenda<ActivityRow>({
      clock,
      capacity: MOST_ACTIVITIES,
      compare: compareQueued,
      atMs: ({ visibleAtMs }) => visibleAtMs,
    });
  }
}
