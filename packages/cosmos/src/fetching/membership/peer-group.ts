/**
 * The processes that ask for the same groups, and their order for a key, by rendezvous hashing: the hash of member and
 * key orders the members. When a member joins or leaves, the others keep their order.
 */
import { hashOf, mix } from "./hash.ts";

export interface Peer {
  readonly id: string;
  readonly hash: number;
}

export interface PeerGroup {
  /** This process. */
  readonly self: Peer;
  /** Members of the peer group with `self`. */
  readonly peers: readonly Peer[];
}

export function toPeer(id: string): Peer {
  return { id, hash: hashOf(id) };
}

const UNNAMED: Peer = toPeer("");

/** The peer group of a process that has read no document of another one. */
export const ALONE: PeerGroup = { self: UNNAMED, peers: [UNNAMED] };

export function isShared({ peers }: PeerGroup): boolean {
  return peers.length > 1;
}

/** Whether fewer than so many members come before this process. */
export function isAmongFirst(count: number, { self, peers }: PeerGroup, key: number): boolean {
  const own = mix(self.hash ^ key);
  let earlier = 0;
  for (const { id, hash } of peers) {
    const other = mix(hash ^ key);
    if (id !== self.id && (other > own || (other === own && id > self.id))) earlier++;
    if (earlier >= count) return false;
  }
  return true;
}
