/** Which slots a process serves by what it knows: its own, those that nobody asks for, and for a while those it gave away. */
import { describe, expect, it } from "vitest";
import { GroupShare } from "../../src/fetching/slots/group-share.ts";
import type { Leases } from "../../src/fetching/slots/leases.ts";
import { type Division, divide, UNDIVIDED } from "../../src/fetching/slots/rebalance.ts";

const BEAT_MS = 10;
const two = divide(UNDIVIDED, ["a", "b"], 1);
const three = divide(two, ["a", "b", "c"], 2);

/** Each with the end of the lease, and the version by which its holder asks. */
const leases = (holders: Readonly<Record<string, readonly [untilMs: number, version: number]>>): Leases =>
  new Map(Object.entries(holders).map(([id, [untilMs, version]]) => [id, { untilMs, version }]));

const slotsOf = ({ owners }: Division, ...members: string[]): ReadonlySet<number> =>
  new Set(owners.flatMap((owner, slot) => (members.includes(owner ?? "") ? [slot] : [])));

describe("a process", () => {
  it("serves its own slots", () => {
    const share = new GroupShare("a");
    share.adopt(two, leases({ a: [30, 1], b: [30, 1] }), 0, BEAT_MS);
    expect(share.slots(0)).toEqual(slotsOf(two, "a"));
  });

  it("serves those of another one as soon as its lease has run out, and no others", () => {
    const share = new GroupShare("a");
    share.adopt(three, leases({ a: [60, 2], b: [30, 2], c: [60, 2] }), 0, BEAT_MS);
    expect(share.slots(29)).toEqual(slotsOf(three, "a"));
    expect(share.slots(30)).toEqual(slotsOf(three, "a", "b"));
  });

  it("serves what it gave away for one beat more", () => {
    const share = new GroupShare("a");
    share.adopt(two, leases({ a: [30, 1], b: [30, 1] }), 0, BEAT_MS);
    share.adopt(three, leases({ a: [30, 1], b: [30, 1], c: [30, 0] }), 5, BEAT_MS);
    const gaveAway = [...slotsOf(two, "a")].filter((slot) => three.owners[slot] === "c");
    expect(gaveAway).not.toEqual([]);
    expect([...share.slots(14)]).toEqual(expect.arrayContaining(gaveAway));
    expect(share.slots(15)).toEqual(slotsOf(three, "a"));
  });

  it("serves what was left by one that went, for one beat, until its heirs can know", () => {
    const share = new GroupShare("a");
    share.adopt(three, leases({ a: [60, 2], b: [60, 2], c: [60, 2] }), 0, BEAT_MS);
    const heirs = divide(three, ["a", "b"], 3);
    const left = leases({ a: [60, 2], b: [60, 2] });
    share.adopt(three, left, 10, BEAT_MS);
    share.adopt(heirs, left, 10, BEAT_MS);
    expect(share.slots(19)).toEqual(new Set([...slotsOf(three, "a", "c")].toSorted((a, b) => a - b)));
    expect(share.slots(20)).toEqual(slotsOf(heirs, "a"));
  });

  it("does not take a slot for served because one that may be dead has got it from another one", () => {
    const share = new GroupShare("a");
    share.adopt(two, leases({ a: [90, 1], b: [30, 1] }), 0, BEAT_MS);
    // Some of b's slots go to c, which has never asked for them; of b nothing is heard any more.
    share.adopt(three, leases({ a: [90, 1], b: [30, 1], c: [60, 0] }), 5, BEAT_MS);
    const fromB = [...slotsOf(three, "c")].filter((slot) => two.owners[slot] === "b");
    expect(fromB).not.toEqual([]);
    expect([...share.slots(29)].filter((slot) => fromB.includes(slot))).toEqual([]);
    expect([...share.slots(30)]).toEqual(expect.arrayContaining(fromB));
  });

  it("takes a slot for served once its new owner has asked by the new division", () => {
    const share = new GroupShare("a");
    share.adopt(two, leases({ a: [90, 1], b: [30, 1] }), 0, BEAT_MS);
    share.adopt(three, leases({ a: [90, 1], b: [30, 1], c: [60, 2] }), 5, BEAT_MS);
    expect(share.slots(30)).toEqual(slotsOf(three, "a", "b"));
  });
});
