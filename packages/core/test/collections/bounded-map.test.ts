import { expect, it } from "vitest";
import { BoundedMap } from "../../src/collections/bounded-map.ts";

it("beyond its size a bounded map drops the entry that was set longest ago", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([3, undefined, 4, 2]);
  map.delete("a");
  map.set("d", 5);
  expect([map.get("a"), map.get("c"), map.get("d"), map.size]).toEqual([undefined, 4, 5, 2]);
});
