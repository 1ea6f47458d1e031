/** How slots are divided: for any table and any members, balanced, whole, and with as few moves as that takes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DISPATCH_SLOTS } from "../../src/documents/dispatch-slot.ts";
import { divide, type Owners, rebalance, UNDIVIDED } from "../../src/fetching/slots/rebalance.ts";
import { fewestMoves, movesBetween, sharesIn } from "./support/shares.ts";

const NAMES = Array.from({ length: 40 }, (_, n) => `m${n}`);

/** Any table, also such as nobody would write: owners that are gone, and slots of nobody. */
const owners: fc.Arbitrary<Owners> = fc
  .array(fc.constantFrom(...NAMES, undefined), { minLength: 1, maxLength: 12 })
  .chain((names) =>
    fc.array(fc.constantFrom(...names), { minLength: DISPATCH_SLOTS, maxLength: DISPATCH_SLOTS }),
  );
const members = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 });

describe("the slots of a group", () => {
  it("all have an owner, who is a member", () => {
    fc.assert(
      fc.property(owners, members, (before, names) => {
        const after = rebalance(before, names);
        expect(after).toHaveLength(DISPATCH_SLOTS);
        expect(names).toEqual(expect.arrayContaining([...new Set(after)]));
      }),
    );
  });

  it("are shared equally, to one slot", () => {
    fc.assert(
      fc.property(owners, members, (before, names) => {
        const sizes = [...sharesIn(rebalance(before, names), names).values()];
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("move no more than equal shares make necessary", () => {
    fc.assert(
      fc.property(owners, members, (before, names) => {
        expect(movesBetween(before, rebalance(before, names))).toBe(fewestMoves(before, names));
      }),
    );
  });

  it("stay where they are once they are shared", () => {
    fc.assert(
      fc.property(owners, members, (before, names) => {
        const after = rebalance(before, names);
        expect(rebalance(after, names)).toEqual(after);
      }),
    );
  });

  it("are shared in the same way by all who see the same members, in whatever order", () => {
    fc.assert(
      fc.property(owners, members, (before, names) => {
        expect(rebalance(before, names.toReversed())).toEqual(rebalance(before, names));
      }),
    );
  });
});

describe("a division", () => {
  const two = divide(UNDIVIDED, ["a", "b"], 1);

  it("is the same one where it fits", () => {
    expect(divide(two, ["b", "a"], 2)).toBe(two);
  });

  it("says of each slot since when it has been its owner's", () => {
    const three = divide(two, ["a", "b", "c"], 7);
    const since = three.owners.map((owner) => (owner === "c" ? 7 : 1));
    expect(three).toMatchObject({ version: 7, since });
  });
});

describe("a process", () => {
  const three = rebalance(UNDIVIDED.owners, ["a", "b", "c"]);

  it("that joins three takes a quarter, and nothing else moves", () => {
    const four = rebalance(three, ["a", "b", "c", "d"]);
    expect(movesBetween(three, four)).toBe(64);
    expect(sharesIn(four, ["d"]).get("d")).toBe(64);
  });

  it("that leaves three gives away its share, and nothing else moves", () => {
    const two = rebalance(three, ["a", "c"]);
    expect(movesBetween(three, two)).toBe(sharesIn(three, ["b"]).get("b"));
  });

  it("beyond the number of slots gets none", () => {
    const crowd = Array.from({ length: 300 }, (_, n) => `p${n}`);
    const after = rebalance(UNDIVIDED.owners, crowd);
    expect(new Set(after).size).toBe(DISPATCH_SLOTS);
    expect(rebalance(after, crowd)).toEqual(after);
  });
});
