/**
 * Who still holds its lease. Ages are differences of the service's times, and waiting times differences on one
 * process's own clock; no two clocks are ever compared (hazard W64).
 */
import type { Member, StoredMember } from "./membership.ts";

export interface Lease {
  /** Its end on the reader's clock, ms since the epoch. */
  readonly untilMs: number;
  /** The version of the table by which its holder asked when it asked last; 0 where it had none. */
  readonly version: number;
}

export interface MembersRead {
  readonly members: readonly StoredMember[];
  /** The service's time when they were read, as far as it is known, whole seconds since the epoch. */
  readonly nowTs: number;
  /** The reader's time then, ms since the epoch. */
  readonly askedMs: number;
}

/** Of one group, by the holder. */
export type Leases = ReadonlyMap<string, Lease>;

/** The service's times are whole seconds, so an age may be so much longer than it looks. */
export const ROUNDING_MS = 1_000;

/** The newest write of a member. */
export function newestTs(members: readonly StoredMember[]): number {
  return members.reduce((newest, { ts }) => Math.max(newest, ts), 0);
}

/** The leases of one group that had not run out when the documents were read. */
export function leasesIn(table: string, { members, nowTs, askedMs }: MembersRead): Leases {
  const leases = new Map<string, Lease>();
  for (const { id, ts, leaseMs, groups } of members) {
    const asking = groups.get(table);
    if (asking === undefined) continue;
    const leftMs = leaseLeftMs(leaseMs, asking.idleMs + (nowTs - ts) * 1_000);
    if (leftMs > 0) leases.set(id, { untilMs: askedMs + leftMs, version: asking.version });
  }
  return leases;
}

/** Until when those ask who ask for the same groups as the member, itself among them, by their ids. */
export function teamIn(
  member: Member,
  { members, nowTs, askedMs }: MembersRead,
): ReadonlyMap<string, number> {
  const team = new Map<string, number>();
  for (const { id, ts, leaseMs, groups } of members) {
    if (groups.size !== member.groups.size || ![...member.groups.keys()].every((table) => groups.has(table)))
      continue;
    const idleMs = Math.max(...[...groups.values()].map((asking) => asking.idleMs));
    const leftMs = leaseLeftMs(leaseMs, idleMs + (nowTs - ts) * 1_000);
    if (leftMs > 0) team.set(id, askedMs + leftMs);
  }
  return team;
}

/** A lease is counted from the last question: a process that beats but does not ask serves nobody. */
export function leaseLeftMs(leaseMs: number, idleMs: number): number {
  return leaseMs - idleMs - ROUNDING_MS;
}
