import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Member, Members } from "../../src/collections/members.ts";

class Numbered implements Member {
  left = false;
  place = 0;
  readonly n: number;
  constructor(n: number) {
    this.n = n;
  }
}

function listed(members: Members<Numbered>): number[] {
  return members.all().map(({ n }) => n);
}

it("lists those that have not left in the order in which they joined, after any comings and goings (members.M1)", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 400 }), (steps) => {
      const members = new Members<Numbered>();
      let expected: Numbered[] = [];
      for (const [n, step] of steps.entries()) {
        const goes = step < 5 ? expected[step] : undefined;
        if (goes === undefined) {
          const member = new Numbered(n);
          members.add(member);
          expected.push(member);
        } else {
          members.delete(goes);
          expected = expected.filter((member) => member !== goes);
        }
        expect(members.size).toBe(expected.length);
      }
      expect(listed(members)).toEqual(expected.map(({ n }) => n));
    }),
  );
});

it("is left once, however often a member leaves", () => {
  const members = new Members<Numbered>();
  const [first, second] = [new Numbered(1), new Numbered(2)];
  members.add(first);
  members.add(second);
  members.delete(first);
  members.delete(first);
  expect(members.size).toBe(1);
  expect(listed(members)).toEqual([2]);
});

it("visits the members in order, until the visitor has seen enough", () => {
  const members = new Members<Numbered>();
  for (let n = 0; n < 5; n++) members.add(new Numbered(n));
  const seen: number[] = [];
  members.visit(({ n }) => {
    seen.push(n);
    return n < 2;
  });
  expect(seen).toEqual([0, 1, 2]);
});

it("keeps nothing of a member that was deleted, while others are there (members.M2)", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const members = new Members<Numbered>();
  members.add(new Numbered(0));
  const deleted = addAndDelete(members);
  members.add(new Numbered(2));
  // What a WeakRef was made of stays until the end of the task.
  await setImmediate();
  collectGarbage();
  expect(deleted.deref()).toBeUndefined();
});

function addAndDelete(members: Members<Numbered>): WeakRef<Numbered> {
  const member = new Numbered(1);
  members.add(member);
  members.delete(member);
  return new WeakRef(member);
}
