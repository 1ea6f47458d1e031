/** Teams as each of their processes sees them. */
import { type PeerGroup, toPeer } from "../../../src/fetching/membership/peer-group.ts";

export function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `process-${n}`);
}

/** Returns the peer group as a process sees it that knows of these. */
export function peerGroupOf(self: string, names: readonly string[]): PeerGroup {
  return { self: toPeer(self), peers: names.map(toPeer) };
}

export function teamsOf(names: readonly string[]): readonly PeerGroup[] {
  return names.map((name) => peerGroupOf(name, names));
}
