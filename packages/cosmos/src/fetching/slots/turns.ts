/**
 * Who asks which physical partition in which interval, so that a fleet that idles sends as many questions as there are
 * partitions or processes, and not their product (docs/decisions/0042-idle-cost.md).
 *
 * T1. A team are the processes that ask for the same, so that one can ask on behalf of the others.
 * T2. In each interval every partition has a first process, and helpers so that each process of a large team asks at
 *     least one partition. The first one takes whatever it finds, a helper looks at its own slots.
 * T3. The order is that of a hash of process, partition and interval. A process that does not know of another one takes
 *     itself for the first more often, never less often, so a process that joins leaves no partition without a question.
 *     A process that died costs its partitions the intervals in which it would have been the first.
 */

/** What a process does with a partition in an interval. */
export type Role = "first" | "helper" | "none";

export interface Mate {
  readonly id: string;
  readonly hash: number;
}

export interface Team {
  readonly self: Mate;
  /** With `self`. */
  readonly mates: readonly Mate[];
}

export function toMate(id: string): Mate {
  return { id, hash: hashOf(id) };
}

const NOBODY: Mate = toMate("");

/** Of a process that knows of no other one. */
export const ALONE: Team = { self: NOBODY, mates: [NOBODY] };

/** Where as many ask each partition as there are processes, every process asks each partition for its own slots. */
export function takesTurns({ mates }: Team, ranges: number): boolean {
  return Math.ceil(mates.length / ranges) < mates.length;
}

export function roleOf(team: Team, range: string, ranges: number, interval: number): Role {
  if (!takesTurns(team, ranges)) return "helper";
  const { self, mates } = team;
  const most = Math.ceil(mates.length / ranges);
  const question = mix((hashOf(range) + Math.imul(interval, 0x9e3779b1)) | 0);
  const own = mix(self.hash ^ question);
  let earlier = 0;
  for (const { id, hash } of mates) {
    const other = mix(hash ^ question);
    if (id !== self.id && (other > own || (other === own && id > self.id))) earlier++;
    if (earlier >= most) return "none";
  }
  return earlier === 0 ? "first" : "helper";
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** The finalizer of MurmurHash3. */
function mix(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
