/**
 * Chooses the process that queries a physical partition in an interval, so that a fleet that idles sends as many
 * queries as there are partitions or processes, and not their product (docs/decisions/cosmos-finding-work.md).
 *
 * - turns.T1: In each interval every partition has a first process, and with more processes than partitions some more,
 *   so that each process queries at least one partition on average. All of them query everything.
 * - turns.T2: The order is that of a hash of process, partition and interval. A process that does not know of another
 *   one takes itself for the first more often, never less often, so a process that joins leaves no partition without a
 *   query. A process that died costs its partitions the intervals in which it would have been the first.
 */
import { hashOf, mix } from "./hash.ts";
import { isAmongFirst, type PeerGroup } from "./peer-group.ts";

/** Returns whether turns are taken. With one partition, or one process, every process queries every partition. */
export function takesTurns({ peers }: PeerGroup, ranges: number): boolean {
  return turnsOf(peers.length, ranges) < peers.length;
}

/** Whether this process queries the partition, out of so many, in the interval. */
export function hasTurn(peerGroup: PeerGroup, range: string, ranges: number, interval: number): boolean {
  return isAmongFirst(turnsOf(peerGroup.peers.length, ranges), peerGroup, keyOf(range, interval));
}

/** Returns whether the process is first, for work that one process of the peer group is enough for. */
export function isFirst(peerGroup: PeerGroup, range: string, interval: number): boolean {
  return isAmongFirst(1, peerGroup, keyOf(range, interval));
}

function turnsOf(processes: number, ranges: number): number {
  return Math.ceil(processes / ranges);
}

function keyOf(range: string, interval: number): number {
  return mix((hashOf(range) + Math.imul(interval, 0x9e3779b1)) | 0);
}
