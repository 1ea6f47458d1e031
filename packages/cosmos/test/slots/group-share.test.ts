/** Which slots a process serves by what it knows: its own, those of the dead, and for a while those that it gave away. */
import { describe, expect, it } from "vitest";
import { GroupShare } from "../../src/slots/group-share.ts";
import { rebalance } from "../../src/slots/rebalance.ts";

const BEAT_MS = 10;
const nobody = Array.from({ length: 256 }, () => undefined);
const two = rebalance(nobody, ["a", "b"]);
const three = rebalance(two, ["a", "b", "c"]);

const leases = (ends: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(ends));

const slotsOf = (owners: readonly (string | undefined)[], ...members: string[]): ReadonlySet<number> =>
  new Set(owners.flatMap((owner, slot) => (members.includes(owner ?? "") ? [slot] : [])));

describe("a process", () => {
  it("serves its own slots", () => {
    const share = new GroupShare("a", two);
    share.adopt({ owners: two, leases: leases({ a: 30, b: 30 }) }, 0, BEAT_MS);
    expect(share.slots(0)).toEqual(slotsOf(two, "a"));
  });

  it("serves those of another one as soon as its lease has run out, and no others", () => {
    const share = new GroupShare("a", three);
    share.adopt({ owners: three, leases: leases({ a: 60, b: 30, c: 60 }) }, 0, BEAT_MS);
    expect(share.slots(29)).toEqual(slotsOf(three, "a"));
    expect(share.slots(30)).toEqual(slotsOf(three, "a", "b"));
  });

  it("serves what it gave away for one beat more", () => {
    const share = new GroupShare("a", two);
    share.adopt({ owners: two, leases: leases({ a: 30, b: 30 }) }, 0, BEAT_MS);
    share.adopt({ owners: three, leases: leases({ a: 30, b: 30, c: 30 }) }, 5, BEAT_MS);
    expect(share.slots(14)).toEqual(slotsOf(two, "a"));
    expect(share.slots(15)).toEqual(slotsOf(three, "a"));
  });

  it("serves what was left by one that went, for one beat, until its heirs can know", () => {
    const share = new GroupShare("a", three);
    share.adopt({ owners: three, leases: leases({ a: 60, b: 60, c: 60 }) }, 0, BEAT_MS);
    const heirs = rebalance(three, ["a", "b"]);
    share.adopt({ owners: heirs, leases: leases({ a: 60, b: 60 }) }, 10, BEAT_MS);
    expect(share.slots(19)).toEqual(slotsOf(three, "a", "c"));
    expect(share.slots(20)).toEqual(slotsOf(heirs, "a"));
  });
});
