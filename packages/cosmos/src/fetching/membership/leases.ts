/**
 * Finds the members that still hold their leases. Ages are differences of the service's times, and waiting times are
 * differences on the clock of one process; no two clocks are ever compared (hazard W64).
 */
import type { Member, StoredMember } from "./member-documents.ts";

export interface MembersRead {
  readonly members: readonly StoredMember[];
  /** The service's time when they were read, as far as it is known, whole seconds since the epoch. */
  readonly nowTs: number;
  /** The reader's time then, ms since the epoch. */
  readonly askedMs: number;
}

/** The service's times are whole seconds, so an age may be so much longer than it looks. */
export const ROUNDING_MS = 1_000;

/** The newest write of a member. */
export function newestTs(members: readonly StoredMember[]): number {
  return members.reduce((newest, { ts }) => Math.max(newest, ts), 0);
}

/** The members that ask for the same groups as this one, itself among them, and the end of their leases, ms since the epoch. */
export function peersIn(
  member: Member,
  { members, nowTs, askedMs }: MembersRead,
): ReadonlyMap<string, number> {
  const peerGroup = new Map<string, number>();
  for (const { id, ts, leaseMs, groups } of members) {
    const isPeer =
      groups.size === member.groups.size && [...member.groups.keys()].every((group) => groups.has(group));
    if (!isPeer) continue;
    const leftMs = leaseLeftMs(leaseMs, Math.max(...groups.values()) + (nowTs - ts) * 1_000);
    if (leftMs > 0) peerGroup.set(id, askedMs + leftMs);
  }
  return peerGroup;
}

/** A lease is counted from the last query: a process that beats but does not query finds no work. */
export function leaseLeftMs(leaseMs: number, idleMs: number): number {
  return leaseMs - idleMs - ROUNDING_MS;
}
