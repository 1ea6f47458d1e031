/** The interval of queries; poll-interval.PI1 and poll-interval.PI2. */
import { SeededRandom } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { PollInterval } from "../src/fetching/poll-interval.ts";

const LIMITS = { min: 20, max: 1_000 };

/** Queries of a process that finds work so often, in a minute. */
function queriesIn(everyMs: number): number {
  const interval = new PollInterval(LIMITS, new SeededRandom("queries"));
  let queries = 0;
  let nextWorkMs = 0;
  for (let nowMs = 0; nowMs < 60_000; nowMs = interval.nextMs) {
    queries++;
    const isFound = nowMs >= nextWorkMs;
    if (isFound) nextWorkMs = nowMs + everyMs;
    interval.asked(nowMs, isFound);
  }
  return queries;
}

it("processes that share the work query together about as often as one would (poll-interval.PI1)", () => {
  const one = queriesIn(100);
  const four = 4 * queriesIn(400);
  expect(four).toBeGreaterThan(one / 2);
  expect(four).toBeLessThan(one * 2);
});

it("the first interval after a find is short, whatever came before, and grows to the longest (poll-interval.PI1)", () => {
  const interval = new PollInterval(LIMITS, new SeededRandom("growth"));
  interval.asked(600_000, true);
  expect(interval.nextMs - 600_000).toBeLessThanOrEqual(LIMITS.max / 2);
  for (let nowMs = interval.nextMs; nowMs < 620_000; nowMs = interval.nextMs) interval.asked(nowMs, false);
  expect(interval.isLongest).toBe(true);
});

it("work that comes in close succession leads to the shortest interval", () => {
  const interval = new PollInterval(LIMITS, new SeededRandom("chain"));
  for (let nowMs = 0; nowMs < 600; nowMs += 30) interval.asked(nowMs, true);
  expect(interval.nextMs - 570).toBeLessThanOrEqual(1.25 * LIMITS.min);
});

it("processes that found work at the same time do not query at the same time again (poll-interval.PI2)", () => {
  const [one, other] = ["one", "other"].map((seed) => new PollInterval(LIMITS, new SeededRandom(seed)));
  one?.asked(1_000, true);
  other?.asked(1_000, true);
  expect(one?.nextMs).not.toBe(other?.nextMs);
});

it("a process that takes turns skips no interval, however its queries vary (poll-interval.PI3)", () => {
  const interval = new PollInterval(LIMITS, new SeededRandom("turns"));
  let foundMs = 600_000;
  interval.asked(foundMs, true, true);
  let lastMs = foundMs;
  for (let nowMs = interval.nextMs; nowMs < 3_600_000; nowMs = interval.nextMs) {
    expect(Math.floor(nowMs / LIMITS.max) - Math.floor(lastMs / LIMITS.max)).toBeLessThanOrEqual(1);
    lastMs = nowMs;
    // Within this time the interval grows from a ninth of the longest to the longest.
    const isFound = nowMs - foundMs > 8_000;
    if (isFound) foundMs = nowMs;
    interval.asked(nowMs, isFound, true);
  }
});
