import { expect, it } from "vitest";
import { shortTime } from "../src/page/browser/format.ts";

it("a time of another year is shown with its year", () => {
  const nowMs = Date.parse("2026-11-29T12:00:00Z");
  expect(shortTime(Date.parse("2026-06-01T02:00:00Z"), nowMs)).not.toContain("2026");
  expect(shortTime(Date.parse("2028-06-01T02:00:00Z"), nowMs)).toContain("2028");
});
