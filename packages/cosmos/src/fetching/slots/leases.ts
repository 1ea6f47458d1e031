/**
 * Who still holds its lease. Ages are differences of the service's times, and waiting times differences on one
 * process's own clock; no two clocks are ever compared (hazard W64).
 */
import type { StoredMember } from "./membership.ts";

export interface Lease {
  /** Its end on the reader's clock, ms since the epoch. */
  readonly untilMs: number;
  /** The version of the table by which its holder asked when it asked last; 0 where it had none. */
  readonly version: number;
}

/** Of one group, by the holder. */
export type Leases = ReadonlyMap<string, Lease>;

/** The service's times are whole seconds, so an age may be so much longer than it looks. */
const ROUNDING_MS = 1_000;

/** The service's time when it was asked, as far as the answer shows; the reader's own beat is part of it. */
export function newestTs(members: readonly StoredMember[]): number {
  return members.reduce((newest, { ts }) => Math.max(newest, ts), 0);
}

/** The leases of one group that had not run out when the documents were read, asked for at `askedMs`. */
export function leasesIn(table: string, members: readonly StoredMember[], askedMs: number): Leases {
  const nowTs = newestTs(members);
  const leases = new Map<string, Lease>();
  for (const { id, ts, leaseMs, groups } of members) {
    const asking = groups.get(table);
    if (asking === undefined) continue;
    const leftMs = leaseLeftMs(leaseMs, asking.idleMs + (nowTs - ts) * 1_000);
    if (leftMs > 0) leases.set(id, { untilMs: askedMs + leftMs, version: asking.version });
  }
  return leases;
}

/** A lease is counted from the last question: a process that beats but does not ask serves nobody. */
export function leaseLeftMs(leaseMs: number, idleMs: number): number {
  return leaseMs - idleMs - ROUNDING_MS;
}
