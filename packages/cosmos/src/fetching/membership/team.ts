/**
 * The processes that ask for the same groups, and their order for a key, by rendezvous hashing: the hash of member and
 * key orders the members. When a member joins or leaves, the others keep their order.
 */
import { hashOf, mix } from "./hash.ts";

export interface Mate {
  readonly id: string;
  readonly hash: number;
}

export interface Team {
  /** This process. */
  readonly self: Mate;
  /** Members of the team with `self`. */
  readonly mates: readonly Mate[];
}

export function toMate(id: string): Mate {
  return { id, hash: hashOf(id) };
}

const UNNAMED: Mate = toMate("");

/** The team of a process that has read no document of another one. */
export const ALONE: Team = { self: UNNAMED, mates: [UNNAMED] };

export function isShared({ mates }: Team): boolean {
  return mates.length > 1;
}

/** Whether fewer than so many members come before this process. */
export function isAmongFirst(count: number, { self, mates }: Team, key: number): boolean {
  const own = mix(self.hash ^ key);
  let earlier = 0;
  for (const { id, hash } of mates) {
    const other = mix(hash ^ key);
    if (id !== self.id && (other > own || (other === own && id > self.id))) earlier++;
    if (earlier >= count) return false;
  }
  return true;
}
