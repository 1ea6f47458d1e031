/** Different instances have different files, on every system. */
import { expect, it } from "vitest";
import { historyFileName } from "../src/page/shapes/history-file.ts";

it("ids that differ have names that differ, also without regard to case", () => {
  const long = "x".repeat(200);
  const ids = ["a/b", "a:b", "a b", "a_b", "A_b", "..", ".", "é", "ü", long, `${long}1`];
  const names = ids.map(historyFileName);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
  for (const name of names) expect(name).toMatch(/^[\w-][\w.~-]{0,130}$/);
  expect(historyFileName("order-1")).toBe("order-1.history.json");
});
