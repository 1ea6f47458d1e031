/** What tables of slots are measured by, worked out in another way than the code does it. */
import { DISPATCH_SLOTS } from "../../../src/documents/dispatch-slot.ts";
import type { Owners } from "../../../src/fetching/slots/rebalance.ts";

/** How many slots each member has. */
export function sharesIn(owners: Owners, members: readonly string[]): ReadonlyMap<string, number> {
  return new Map(members.map((member) => [member, owners.filter((owner) => owner === member).length]));
}

export function movesBetween(before: Owners, after: Owners): number {
  return after.filter((owner, slot) => owner !== before[slot]).length;
}

/**
 * Every slot moves that is not kept. A member can keep its equal share at most; one more where there are shares
 * of one more, and those help only members who have that many.
 */
export function fewestMoves(before: Owners, members: readonly string[]): number {
  const share = Math.floor(DISPATCH_SLOTS / members.length);
  const sizes = [...sharesIn(before, members).values()];
  const kept = sizes.reduce((sum, size) => sum + Math.min(size, share), 0);
  const helped = sizes.filter((size) => size > share).length;
  return DISPATCH_SLOTS - kept - Math.min(helped, DISPATCH_SLOTS % members.length);
}
