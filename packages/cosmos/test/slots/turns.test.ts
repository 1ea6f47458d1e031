/** Who asks which physical partition when (docs/decisions/0042-idle-cost.md); T1 to T3: src/fetching/slots/turns.ts. */
import { describe, expect, it } from "vitest";
import { roleOf, type Team, toMate } from "../../src/fetching/slots/turns.ts";

const INTERVALS = Array.from({ length: 500 }, (_, n) => 1_700_000_000 + n);

function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `process-${n}`);
}

/** As the process sees it that knows of so many. */
function teamOf(self: string, names: readonly string[]): Team {
  return { self: toMate(self), mates: names.map(toMate) };
}

function rangesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => String(n));
}

/** How many of the teams have the role in each partition of the interval. */
function count(teams: readonly Team[], ranges: readonly string[], interval: number, role: string): number[] {
  return ranges.map(
    (range) => teams.filter((team) => roleOf(team, range, ranges.length, interval) === role).length,
  );
}

describe("a team takes turns at the physical partitions:", () => {
  it.each([
    [2, 2],
    [10, 10],
    [3, 10],
    [10, 3],
    [50, 7],
  ])("%i processes and %i partitions: one is the first in each, and questions grow with the sum", (p, n) => {
    const names = namesOf(p);
    const teams = names.map((name) => teamOf(name, names));
    const ranges = rangesOf(n);
    for (const interval of INTERVALS) {
      expect(count(teams, ranges, interval, "first")).toEqual(ranges.map(() => 1));
      const helpers = count(teams, ranges, interval, "helper");
      expect(helpers).toEqual(ranges.map(() => Math.ceil(p / n) - 1));
    }
  });

  it("every process has the turn of every partition equally often", () => {
    const names = namesOf(5);
    const ranges = rangesOf(5);
    for (const name of names) {
      const team = teamOf(name, names);
      for (const range of ranges) {
        const turns = INTERVALS.filter((interval) => roleOf(team, range, 5, interval) === "first").length;
        expect(turns).toBeGreaterThan(60);
        expect(turns).toBeLessThan(140);
      }
    }
  });

  it("a process of which the others do not know leaves no partition without a question (T3)", () => {
    const names = namesOf(6);
    const [newcomer = "", ...others] = names;
    const teams = [teamOf(newcomer, names), ...others.map((name) => teamOf(name, others))];
    const ranges = rangesOf(8);
    for (const interval of INTERVALS) {
      expect(Math.min(...count(teams, ranges, interval, "first"))).toBeGreaterThanOrEqual(1);
    }
  });

  it("a process that died leaves a partition without a question for some intervals at most (T3)", () => {
    const names = namesOf(4);
    const [, ...alive] = names.map((name) => teamOf(name, names));
    for (const range of rangesOf(4)) {
      let longest = 0;
      let gap = 0;
      for (const interval of INTERVALS) {
        const isAsked = alive.some((team) => roleOf(team, range, 4, interval) === "first");
        gap = isAsked ? 0 : gap + 1;
        longest = Math.max(longest, gap);
      }
      expect(longest).toBeGreaterThan(0);
      expect(longest).toBeLessThanOrEqual(9);
    }
  });

  it.each([
    [1, 10],
    [10, 1],
  ])("%i processes and %i partitions: all ask for their own slots everywhere", (p, n) => {
    const names = namesOf(p);
    const teams = names.map((name) => teamOf(name, names));
    expect(count(teams, rangesOf(n), 7, "helper")).toEqual(rangesOf(n).map(() => p));
  });
});
