/** Instants as people and other programs write them. */
import { expect, it } from "vitest";
import { instantMs } from "../../src/define/duration.ts";

it.each([
  ["2026-05-01T10:00Z", Date.UTC(2026, 4, 1, 10)],
  ["2026-05-01 10:00:30.5+02:00", Date.UTC(2026, 4, 1, 8, 0, 30, 500)],
  ["2028-02-29", Date.UTC(2028, 1, 29)],
  ["2026-02-29", undefined],
  ["2026-02-30T10:00Z", undefined],
  ["2026-04-31", undefined],
  ["2026-13-01", undefined],
  ["2026-05-01T25:00Z", undefined],
  ["2026-05-01T10:00", undefined],
  ["5", undefined],
  ["May 1 2026", undefined],
  ["", undefined],
])("%j is %s", (text, ms) => {
  expect(instantMs(text)).toBe(ms);
});
