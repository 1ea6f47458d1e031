/**
 * Divides the slots between the processes that share a container (docs/decisions/0016): each beats, reads who else
 * does, and mends the table of a group where it does not fit its members. Leases make work cheap, never safe. Nobody
 * waits for a beat, and whoever is unsure serves every slot.
 */
import type { Clock, Random } from "@duroxide-ts/core";
import { messageOf } from "../message-of.ts";
import type { Requests } from "../requests/requests.ts";
import { slotTableDocumentId } from "../schema/ids.ts";
import { beat, type GroupOutcome } from "./beat.ts";
import { BeatSchedule } from "./beat-schedule.ts";
import { GroupShare } from "./group-share.ts";
import { LeaseDocuments } from "./lease-documents.ts";
import { leaseLeftMs } from "./leases.ts";
import { ALL_SLOTS, type SlotAssignment, type SlotGroup } from "./slot-assignment.ts";

const OPERATION = "leaseSlots";

/** Whoever closes has more to do than to take its leave; its lease runs out anyway. */
const LEAVE_WITHIN_MS = 2_000;

export interface SlotLeasesOptions {
  readonly requests: Requests;
  readonly clock: Clock;
  readonly random: Random;
  /** For so long the slots of a process that has vanished may stay unserved. */
  readonly leaseMs: number;
  /** The longest time between two beats. */
  readonly beatMs: number;
  readonly onWarning: (message: string, fields: Readonly<Record<string, never>>) => void;
}

export class SlotLeases implements SlotAssignment {
  readonly #options: SlotLeasesOptions;
  readonly #documents: LeaseDocuments;
  readonly #member: string;
  /** When each group was asked for last, on our clock; by the id of its table. */
  readonly #askedMs = new Map<string, number>();
  /** What the last beat that succeeded brought; none where that is too long ago. */
  #shares: ReadonlyMap<string, GroupShare> = new Map();
  /** When that beat began. */
  #newsMs = 0;
  /** There may be a document of this process. */
  #hasJoined = false;
  readonly #schedule: BeatSchedule;
  readonly #warnings = new Set<string>();
  #isOutageTold = false;

  constructor(options: SlotLeasesOptions) {
    this.#options = options;
    this.#documents = new LeaseDocuments(options.requests);
    this.#member = options.random.uuid();
    this.#schedule = new BeatSchedule({ ...options, beat: () => this.#beat() });
  }

  slotsOf({ queue, asks }: SlotGroup): ReadonlySet<number> {
    const nowMs = this.#options.clock.now();
    const table = slotTableDocumentId(queue, asks);
    const wasAsked = this.#isAsked(table, nowMs);
    this.#askedMs.set(table, nowMs);
    this.#dropOldNews(nowMs);
    if (!wasAsked) this.#schedule.soon();
    return (wasAsked ? this.#shares.get(table)?.slots(nowMs) : undefined) ?? ALL_SLOTS;
  }

  /** Deletes the document of this process, so that the others need not wait for its lease to run out. */
  async close(): Promise<void> {
    await this.#schedule.close();
    this.#shares = new Map();
    if (!this.#hasJoined) return;
    this.#hasJoined = false;
    const call = this.#options.requests.call(OPERATION, LEAVE_WITHIN_MS);
    // Its lease runs out in any case.
    await this.#documents.removeMember(call, this.#member).catch(() => {});
  }

  /** Lately enough that the others count on this process. */
  #isAsked(table: string, nowMs: number): boolean {
    const askedMs = this.#askedMs.get(table);
    return (
      askedMs !== undefined && askedMs <= nowMs && leaseLeftMs(this.#options.leaseMs, nowMs - askedMs) > 0
    );
  }

  /** After a lease without a beat, or when the clock went back, what was read says nothing any more. */
  #dropOldNews(nowMs: number): void {
    if (this.#shares.size === 0) return;
    if (this.#newsMs <= nowMs && nowMs < this.#newsMs + this.#options.leaseMs) return;
    this.#shares = new Map();
    this.#schedule.soon();
  }

  async #beat(): Promise<boolean> {
    const beganMs = this.#options.clock.now();
    const asked = this.#askedLately(beganMs);
    // Whoever asks for nothing, such as a process with a client only, costs nothing.
    if (asked.size === 0) return false;
    await this.#renew(asked, beganMs);
    return true;
  }

  /** For each group how long ago; what was not asked for throughout a lease is forgotten. */
  #askedLately(nowMs: number): ReadonlyMap<string, number> {
    for (const table of this.#askedMs.keys()) {
      if (!this.#isAsked(table, nowMs)) this.#askedMs.delete(table);
    }
    return new Map([...this.#askedMs].map(([table, askedMs]) => [table, nowMs - askedMs]));
  }

  async #renew(asked: ReadonlyMap<string, number>, beganMs: number): Promise<void> {
    const { requests, clock, leaseMs, beatMs } = this.#options;
    this.#hasJoined = true;
    try {
      const outcomes = await beat({
        documents: this.#documents,
        call: requests.call(OPERATION, beatMs),
        member: { id: this.#member, leaseMs, idleMs: asked },
        beganMs,
        onWarning: (message) => this.#warnOnce(message),
      });
      this.#adopt(outcomes, clock.now());
      this.#newsMs = beganMs;
      this.#isOutageTold = false;
    } catch (error) {
      this.#dropOldNews(clock.now());
      if (this.#shares.size === 0) this.#tellOfOutage(error);
    }
  }

  #adopt(outcomes: ReadonlyMap<string, GroupOutcome>, nowMs: number): void {
    this.#shares = new Map(
      [...outcomes].map(([table, outcome]) => {
        const share = this.#shares.get(table) ?? new GroupShare(this.#member, outcome.before);
        share.adopt(outcome, nowMs, this.#options.beatMs);
        return [table, share];
      }),
    );
  }

  #warnOnce(message: string): void {
    if (this.#warnings.has(message)) return;
    this.#warnings.add(message);
    this.#options.onWarning(message, {});
  }

  #tellOfOutage(error: unknown): void {
    if (this.#isOutageTold) return;
    this.#isOutageTold = true;
    const message = `slots are not shared until the service takes leases again, so every slot is served: ${messageOf(error)}`;
    this.#options.onWarning(message, {});
  }
}
