/**
 * The processes that search the container for the same work (docs/decisions/cosmos-finding-work.md). Each process has a document,
 * renews it in beats, and reads those of the others, so that the processes can take turns (turns.ts) and do not try
 * the same rows at the same time (asked-partitions.ts).
 *
 * - membership.M1: Membership saves requests. No lock, commit or result depends on it, and no fetch waits for it.
 * - membership.M2: A process that does not know better takes itself for the only one: before its first beat, after a
 *   lease without one, and when its clock went back. It then queries everything.
 * - membership.M3: A lease runs from the last query, not from the last beat, because a process whose workers are all
 *   busy beats on but searches nothing.
 * - membership.M4: The processes that ask for the same groups are a peer group.
 * - membership.M5: A process that asks for nothing, for example one with a client only, sends nothing.
 */
import type { Clock, Random } from "@duroxide-ts/core";
import { messageOf } from "@duroxide-ts/core/stores";
import type { Service } from "../../service/service.ts";
import { beat } from "./beat.ts";
import { BeatSchedule } from "./beat-schedule.ts";
import { leaseLeftMs, ROUNDING_MS } from "./leases.ts";
import { removeMember } from "./member-documents.ts";
import type { Group, Members } from "./members.ts";
import { type Peer, type PeerGroup, toPeer } from "./peer-group.ts";

const OPERATION = "renewMembership";

/** The lease of a process that closes ends in any case. */
const LEAVE_WITHIN_MS = 2_000;

export interface MembershipOptions {
  readonly requests: Service;
  readonly clock: Clock;
  readonly random: Random;
  /** How long the others count on a process that was killed. */
  readonly leaseMs: number;
  /** The longest time between two beats. */
  readonly beatMs: number;
  readonly onWarning: (message: string, fields: Readonly<Record<string, never>>) => void;
}

/** Another process of the peer group. */
interface Other {
  readonly peer: Peer;
  /** The end of its lease, ms since the epoch. */
  readonly untilMs: number;
}

export class Membership implements Members {
  readonly #options: MembershipOptions;
  readonly #self: Peer;
  /** Time of the last request for each group, ms since the epoch. */
  readonly #askedMs = new Map<string, number>();
  /** Result of the last beat that succeeded; undefined if that is too long ago (membership.M2). */
  #news: { readonly others: readonly Other[]; readonly beganMs: number } | undefined;
  /** The renewal of the own lease that was answered last. */
  #renewed: { readonly atMs: number; readonly groups: string } | undefined;
  /** There may be a document of this process. */
  #hasJoined = false;
  readonly #schedule: BeatSchedule;
  #isOutageTold = false;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#self = toPeer(options.random.uuid());
    this.#schedule = new BeatSchedule({ ...options, beat: () => this.#beat() });
  }

  noteAsked({ queue, asks }: Group): void {
    const group = `${queue}:${asks}`;
    const nowMs = this.#options.clock.now();
    if (!this.#isAsked(group, nowMs)) this.#schedule.soon();
    this.#askedMs.set(group, nowMs);
    this.#dropOldNews(nowMs);
  }

  peerGroup(): PeerGroup {
    const nowMs = this.#options.clock.now();
    this.#dropOldNews(nowMs);
    const others = (this.#news?.others ?? []).filter(({ untilMs }) => untilMs > nowMs);
    return { self: this.#self, peers: [this.#self, ...others.map(({ peer }) => peer)] };
  }

  /** Deletes the document of this process, so that the others need not wait for the end of its lease. */
  async close(): Promise<void> {
    await this.#schedule.close();
    this.#news = undefined;
    if (!this.#hasJoined) return;
    this.#hasJoined = false;
    const call = this.#options.requests.call(OPERATION, LEAVE_WITHIN_MS);
    await removeMember(call, this.#self.id).catch(() => {});
  }

  /** Recently enough that the others count on this process (membership.M3). */
  #isAsked(group: string, nowMs: number): boolean {
    const idleMs = nowMs - (this.#askedMs.get(group) ?? Number.NEGATIVE_INFINITY);
    return idleMs >= 0 && leaseLeftMs(this.#options.leaseMs, idleMs) > 0;
  }

  #dropOldNews(nowMs: number): void {
    if (this.#news === undefined) return;
    const { beganMs } = this.#news;
    if (beganMs <= nowMs && nowMs < beganMs + this.#options.leaseMs) return;
    this.#news = undefined;
    this.#schedule.soon();
  }

  /** Resolves to whether beats go on (membership.M5). */
  async #beat(): Promise<boolean> {
    const beganMs = this.#options.clock.now();
    const groups = this.#askedLately(beganMs);
    if (groups.size === 0) return false;
    this.#hasJoined = true;
    this.#dropOldNews(beganMs);
    try {
      await this.#renew(groups, beganMs);
      this.#isOutageTold = false;
    } catch (error) {
      this.#renewed = undefined;
      this.#dropOldNews(this.#options.clock.now());
      if (this.#news === undefined) this.#tellOfOutage(error);
    }
    return true;
  }

  /** Each group and how long ago it was asked for; the others are forgotten. */
  #askedLately(nowMs: number): ReadonlyMap<string, number> {
    for (const group of this.#askedMs.keys()) {
      if (!this.#isAsked(group, nowMs)) this.#askedMs.delete(group);
    }
    return new Map([...this.#askedMs].map(([group, atMs]) => [group, nowMs - atMs]));
  }

  async #renew(groups: ReadonlyMap<string, number>, beganMs: number): Promise<void> {
    const { requests, leaseMs, beatMs } = this.#options;
    const names = JSON.stringify([...groups.keys()]);
    const { peerGroup, isRenewed } = await beat({
      call: requests.call(OPERATION, beatMs),
      member: { id: this.#self.id, leaseMs, groups },
      beganMs,
      renewedMs: this.#isRenewed(names, beganMs) ? this.#renewed?.atMs : undefined,
    });
    if (isRenewed) this.#renewed = { atMs: beganMs, groups: names };
    const others = [...peerGroup].filter(([id]) => id !== this.#self.id);
    this.#news = { others: others.map(([id, untilMs]) => ({ peer: toPeer(id), untilMs })), beganMs };
  }

  /** A reader finds what the process asks for, and enough of the lease for another beat, until the next beat. */
  #isRenewed(groups: string, nowMs: number): boolean {
    const { leaseMs, beatMs } = this.#options;
    if (this.#renewed?.groups !== groups) return false;
    const passedMs = nowMs - this.#renewed.atMs;
    return passedMs >= 0 && leaseLeftMs(leaseMs, passedMs + 2 * beatMs) >= ROUNDING_MS;
  }

  #tellOfOutage(error: unknown): void {
    if (this.#isOutageTold) return;
    this.#isOutageTold = true;
    const message = `this process cannot renew its membership, so it queries everything and takes no turns until it can: ${messageOf(error)}`;
    this.#options.onWarning(message, {});
  }
}
