/** Divides the slots of a group between its members, and moves as few of them as that takes. Pure. */
import { DISPATCH_SLOTS } from "../../documents/dispatch-slot.ts";

/** The member that each slot belongs to, by the number of the slot; `undefined` where it is nobody's. */
export type Owners = readonly (string | undefined)[];

/** How the slots of a group are divided. */
export interface Division {
  /** Grows with every change. */
  readonly version: number;
  readonly owners: Owners;
  /** The version at which each slot came to its owner. */
  readonly since: readonly number[];
}

const NOBODY: Owners = Array.from({ length: DISPATCH_SLOTS }, () => undefined);

export const UNDIVIDED: Division = { version: 0, owners: NOBODY, since: NOBODY.map(() => 0) };

/** The division that fits the members: the same one where it does already. */
export function divide(before: Division, members: readonly string[], version: number): Division {
  const owners = rebalance(before.owners, members);
  if (owners.every((owner, slot) => owner === before.owners[slot])) return before;
  const since = owners.map((owner, slot) =>
    owner === before.owners[slot] ? (before.since[slot] ?? 0) : version,
  );
  return { version, owners, since };
}

/**
 * Every slot gets an owner among the members, and their shares differ by one slot at most. A member keeps what it has
 * up to its share; only the surplus, and what departed members had, moves. Equal for equal sets of members, in
 * whatever order, so that two processes that see the same come to the same. Of more members than there are slots,
 * the last get none.
 */
export function rebalance(owners: Owners, members: readonly string[]): Owners {
  const slotsOf = new Map<string, number[]>(members.map((member) => [member, []]));
  owners.forEach((owner, slot) => {
    if (owner !== undefined) slotsOf.get(owner)?.push(slot);
  });
  // The larger shares go to those who have most: whoever is above its share anyway then loses least.
  const ranked = [...slotsOf].sort(
    ([a, slotsOfA], [b, slotsOfB]) => slotsOfB.length - slotsOfA.length || (a < b ? -1 : 1),
  );
  const least = Math.floor(DISPATCH_SLOTS / ranked.length);
  const larger = DISPATCH_SLOTS % ranked.length;
  const next = [...NOBODY];
  const wanting: string[] = [];
  for (const [rank, [member, slots]] of ranked.entries()) {
    const share = rank < larger ? least + 1 : least;
    for (const slot of slots.slice(0, share)) next[slot] = member;
    for (let count = slots.length; count < share; count++) wanting.push(member);
  }
  return next.map((owner) => owner ?? wanting.shift());
}
