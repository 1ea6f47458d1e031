/**
 * Divides the slots between the processes that share a container (docs/decisions/0016): each beats, reads who else
 * does, and mends the table of a group where it does not fit its members. Leases make work cheap, never safe. Nobody
 * waits for a beat, and whoever is unsure serves every slot.
 */
import type { Clock, Random } from "@duroxide-ts/core";
import { messageOf } from "@duroxide-ts/core/stores";
import { slotTableDocumentId } from "../../documents/ids.ts";
import type { Service } from "../../service/service.ts";
import { beat, type GroupOutcome } from "./beat.ts";
import { BeatSchedule } from "./beat-schedule.ts";
import { GroupShare } from "./group-share.ts";
import { leaseLeftMs, ROUNDING_MS } from "./leases.ts";
import { type Asking, LeaseDocuments } from "./membership.ts";
import { ALL_SLOTS, type QueueName, type SlotAssignment, type SlotGroup } from "./slot-assignment.ts";
import { type Mate, type Team, toMate } from "./turns.ts";

const OPERATION = "leaseSlots";

/** Whoever closes has more to do than to take its leave; its lease runs out anyway. */
const LEAVE_WITHIN_MS = 2_000;

interface Asked {
  readonly queue: QueueName;
  /** On our clock, ms since the epoch. */
  readonly atMs: number;
  /** Of the division that was gone by; 0 for none. */
  readonly version: number;
}

export interface SlotLeasesOptions {
  readonly requests: Service;
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
  readonly #self: Mate;
  /** How each group was asked for last, by the id of its table. */
  readonly #asked = new Map<string, Asked>();
  /** What the last beat that succeeded brought; none where that is too long ago. */
  #shares: ReadonlyMap<string, GroupShare> = new Map();
  /** Others that ask for the same, and until when they are known to. */
  #mates: readonly { readonly mate: Mate; readonly untilMs: number }[] = [];
  /** When that beat began. */
  #newsMs = 0;
  /** The renewal of the own lease that was answered last. */
  #renewed: { readonly atMs: number; readonly groups: string } | undefined;
  /** There may be a document of this process. */
  #hasJoined = false;
  readonly #schedule: BeatSchedule;
  readonly #warnings = new Set<string>();
  #isOutageTold = false;

  constructor(options: SlotLeasesOptions) {
    this.#options = options;
    this.#documents = new LeaseDocuments();
    this.#member = options.random.uuid();
    this.#self = toMate(this.#member);
    this.#schedule = new BeatSchedule({ ...options, beat: () => this.#beat() });
  }

  slotsOf({ queue, asks }: SlotGroup): ReadonlySet<number> {
    const nowMs = this.#options.clock.now();
    const table = slotTableDocumentId(queue, asks);
    const wasAsked = this.#isAsked(table, nowMs);
    this.#dropOldNews(nowMs);
    const share = wasAsked ? this.#shares.get(table) : undefined;
    this.#asked.set(table, { queue, atMs: nowMs, version: share?.version ?? 0 });
    if (!wasAsked) this.#schedule.soon();
    return share?.slots(nowMs) ?? ALL_SLOTS;
  }

  served(queue: QueueName): ReadonlySet<number> {
    const nowMs = this.#options.clock.now();
    this.#dropOldNews(nowMs);
    const slots = new Set<number>();
    for (const [table, share] of this.#shares) {
      if (this.#asked.get(table)?.queue === queue) for (const slot of share.slots(nowMs)) slots.add(slot);
    }
    return slots.size > 0 ? slots : ALL_SLOTS;
  }

  team(): Team {
    const nowMs = this.#options.clock.now();
    this.#dropOldNews(nowMs);
    const others = this.#mates.filter(({ untilMs }) => untilMs > nowMs).map(({ mate }) => mate);
    return { self: this.#self, mates: [this.#self, ...others] };
  }

  /** Deletes the document of this process, so that the others need not wait for its lease to run out. */
  async close(): Promise<void> {
    await this.#schedule.close();
    this.#forgetNews();
    if (!this.#hasJoined) return;
    this.#hasJoined = false;
    const call = this.#options.requests.call(OPERATION, LEAVE_WITHIN_MS);
    // Its lease runs out in any case.
    await this.#documents.removeMember(call, this.#member).catch(() => {});
  }

  /** Lately enough that the others count on this process. */
  #isAsked(table: string, nowMs: number): boolean {
    const idleMs = nowMs - (this.#asked.get(table)?.atMs ?? Number.NEGATIVE_INFINITY);
    return idleMs >= 0 && leaseLeftMs(this.#options.leaseMs, idleMs) > 0;
  }

  /** After a lease without a beat, or when the clock went back, what was read says nothing any more. */
  #dropOldNews(nowMs: number): void {
    if (this.#shares.size === 0) return;
    if (this.#newsMs <= nowMs && nowMs < this.#newsMs + this.#options.leaseMs) return;
    this.#forgetNews();
    this.#schedule.soon();
  }

  #forgetNews(): void {
    this.#shares = new Map();
    this.#mates = [];
  }

  async #beat(): Promise<boolean> {
    const beganMs = this.#options.clock.now();
    const asked = this.#askedLately(beganMs);
    // Whoever asks for nothing, such as a process with a client only, costs nothing.
    if (asked.size === 0) return false;
    await this.#renew(asked, beganMs);
    return true;
  }

  /** What was not asked for throughout a lease is forgotten. */
  #askedLately(nowMs: number): ReadonlyMap<string, Asking> {
    for (const table of this.#asked.keys()) {
      if (!this.#isAsked(table, nowMs)) this.#asked.delete(table);
    }
    return new Map(
      [...this.#asked].map(([table, { atMs, version }]) => [table, { idleMs: nowMs - atMs, version }]),
    );
  }

  async #renew(groups: ReadonlyMap<string, Asking>, beganMs: number): Promise<void> {
    const { requests, clock, leaseMs, beatMs } = this.#options;
    this.#hasJoined = true;
    this.#dropOldNews(beganMs);
    const asks = JSON.stringify([...groups].map(([table, { version }]) => [table, version]));
    const renewedMs = this.#isRenewed(asks, beganMs) ? this.#renewed?.atMs : undefined;
    try {
      const {
        groups: outcomes,
        team,
        isRenewed,
      } = await beat({
        documents: this.#documents,
        call: requests.call(OPERATION, beatMs),
        member: { id: this.#member, leaseMs, groups },
        beganMs,
        renewedMs,
        onWarning: (message) => this.#warnOnce(message),
      });
      if (isRenewed) this.#renewed = { atMs: beganMs, groups: asks };
      this.#adopt(outcomes, clock.now());
      this.#mates = [...team]
        .filter(([id]) => id !== this.#member)
        .map(([id, untilMs]) => ({ mate: toMate(id), untilMs }));
      this.#newsMs = beganMs;
      this.#isOutageTold = false;
    } catch (error) {
      this.#renewed = undefined;
      this.#dropOldNews(clock.now());
      if (this.#shares.size === 0) this.#tellOfOutage(error);
    }
  }

  /** Whoever reads the lease before the next beat finds enough of it for a beat, and what the process asks for. */
  #isRenewed(asks: string, nowMs: number): boolean {
    const { leaseMs, beatMs } = this.#options;
    if (this.#renewed?.groups !== asks) return false;
    const passedMs = nowMs - this.#renewed.atMs;
    return passedMs >= 0 && leaseLeftMs(leaseMs, passedMs + 2 * beatMs) >= ROUNDING_MS;
  }

  #adopt(outcomes: ReadonlyMap<string, GroupOutcome>, nowMs: number): void {
    this.#shares = new Map(
      [...outcomes].map(([table, { divisions, leases }]) => {
        const share = this.#shares.get(table) ?? new GroupShare(this.#member);
        for (const division of divisions) share.adopt(division, leases, nowMs, this.#options.beatMs);
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
