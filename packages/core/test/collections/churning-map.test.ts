import fc from "fast-check";
import { expect, it } from "vitest";
import { ChurningMap } from "../../src/collections/churning-map.ts";

/** The numbers are keys; a negative one deletes. */
const steps = fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 600 });

it("holds what a Map holds, in its order, after any insertions and deletions (churning-map.C1, churning-map.C2)", () => {
  fc.assert(
    fc.property(steps, (keys) => {
      const map = new ChurningMap<number, string>();
      const expected = new Map<number, string>();
      for (const [step, key] of keys.entries()) {
        if (key < 0) expect(map.delete(-key)).toBe(expected.delete(-key));
        else map.set(key, `${step}`);
        if (key >= 0) expected.set(key, `${step}`);
        expect(map.oldestKey).toBe([...expected.keys()][0]);
      }
      expect(map.keys()).toEqual([...expected.keys()]);
      expect(map.values()).toEqual([...expected.values()]);
      expect(map.size).toBe(expected.size);
    }),
  );
});

it("keeps its entries while more than it copies at once come and go beside them (churning-map.C1)", () => {
  const map = new ChurningMap<string, number>();
  map.set("stays", 1);
  for (let n = 0; n < 1_000; n++) {
    map.set(`goes ${n}`, n);
    map.delete(`goes ${n}`);
  }
  expect(map.keys()).toEqual(["stays"]);
  expect(map.get("stays")).toBe(1);
  expect(map.has("goes 999")).toBe(false);
});

it("tells its values as of the call (churning-map.C3)", () => {
  const map = new ChurningMap<string, number>();
  map.set("a", 1);
  const values = map.values();
  map.clear();
  expect(values).toEqual([1]);
  expect(map.size).toBe(0);
});

it("finds the first value in the order of insertion that matches", () => {
  const map = new ChurningMap<string, number>();
  for (const [n, key] of ["a", "b", "c"].entries()) map.set(key, n);
  map.delete("a");
  map.set("a", 3);
  expect(map.find((value) => value !== 1)).toBe(2);
  expect(map.find((value) => value > 3)).toBeUndefined();
});
