/** What must hold at every instant of a simulation, and how close it came to not holding. */
import { DISPATCH_SLOTS } from "../../../src/documents/dispatch-slot.ts";
import type { QueueName } from "../../../src/fetching/slots/slot-assignment.ts";
import { LEASE_MS, POLL_MS } from "../support/fleet.ts";
import { fewestMoves, movesBetween, sharesIn } from "../support/shares.ts";
import type { StoredDocument } from "./lease-store.ts";
import type { WorldTime } from "./world-time.ts";

/** A question and its answer are on their way for some of the time. */
const ON_THE_WAY_MS = 250;
export const LONGEST_ORPHANED_MS: number = LEASE_MS + POLL_MS + ON_THE_WAY_MS;

export class Watch {
  readonly violations: string[] = [];
  readonly #world: WorldTime;
  /** When each slot was asked for last. */
  readonly #askedMs: Readonly<Record<QueueName, number[]>>;
  /** Since when there has been somebody who could ask. */
  #attendedSinceMs: number;
  #longestOrphanedMs = 0;
  #tablesWritten = 0;
  #slotsMoved = 0;

  constructor(world: WorldTime) {
    this.#world = world;
    this.#attendedSinceMs = Number.POSITIVE_INFINITY;
    const never = (): number[] => Array.from({ length: DISPATCH_SLOTS }, () => Number.NEGATIVE_INFINITY);
    this.#askedMs = { orch_queue: never(), worker_queue: never() };
  }

  get figures(): { longestOrphanedMs: number; tablesWritten: number; slotsMoved: number } {
    const longestOrphanedMs = this.#longestOrphanedMs;
    return { longestOrphanedMs, tablesWritten: this.#tablesWritten, slotsMoved: this.#slotsMoved };
  }

  /** Whether anybody can ask, from now on. */
  attended(isAttended: boolean): void {
    if (!isAttended) this.#attendedSinceMs = Number.POSITIVE_INFINITY;
    else this.#attendedSinceMs = Math.min(this.#attendedSinceMs, this.#world.now());
  }

  readonly question = (queue: QueueName, slots: ReadonlySet<number>): void => {
    const nowMs = this.#world.now();
    const askedMs = this.#askedMs[queue];
    for (const slot of slots) {
      this.#orphaned(queue, slot, nowMs - Math.max(askedMs[slot] ?? 0, this.#attendedSinceMs));
      askedMs[slot] = nowMs;
    }
  };

  /** Slots that nobody has asked for until the end count as well. */
  end(): void {
    const nowMs = this.#world.now();
    for (const queue of ["orch_queue", "worker_queue"] as const) {
      for (const [slot, askedMs] of this.#askedMs[queue].entries()) {
        this.#orphaned(queue, slot, nowMs - Math.max(askedMs, this.#attendedSinceMs));
      }
    }
  }

  /** Every table that is written is balanced, and moves as little as that takes. */
  readonly table = (before: StoredDocument | undefined, after: StoredDocument): void => {
    const [old, owners] = [ownersIn(before), ownersIn(after)];
    const members = [...new Set(owners)];
    const sizes = [...sharesIn(owners, members).values()];
    const moved = movesBetween(old, owners);
    this.#tablesWritten++;
    if (before !== undefined) this.#slotsMoved += moved;
    if (Math.max(...sizes) - Math.min(...sizes) > 1) this.violations.push(`shares of ${sizes} slots`);
    const fewest = fewestMoves(old, members);
    if (moved !== fewest) this.violations.push(`${moved} slots moved where ${fewest} would do`);
  };

  #orphaned(queue: QueueName, slot: number, forMs: number): void {
    this.#longestOrphanedMs = Math.max(this.#longestOrphanedMs, forMs);
    if (forMs <= LONGEST_ORPHANED_MS) return;
    this.violations.push(`slot ${slot} of ${queue} was not served for ${forMs} ms`);
  }
}

function ownersIn(table: StoredDocument | undefined): readonly string[] {
  const members = (table?.["members"] ?? []) as readonly string[];
  const owners = (table?.["owners"] ?? []) as readonly number[];
  return Array.from({ length: DISPATCH_SLOTS }, (_, slot) => members[owners[slot] ?? -1] ?? "nobody");
}
