/** Tests which process queries which physical partition when; turns.T1 and turns.T2. */
import { describe, expect, it } from "vitest";
import type { PeerGroup } from "../../src/fetching/membership/peer-group.ts";
import { hasTurn, isFirst } from "../../src/fetching/membership/turns.ts";
import { namesOf, peerGroupOf, teamsOf } from "./support/teams.ts";

const INTERVALS = Array.from({ length: 500 }, (_, n) => 1_700_000_000 + n);

function rangesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => String(n));
}

/** How many of the teams have a turn of each partition in the interval. */
function turns(teams: readonly PeerGroup[], ranges: readonly string[], interval: number): number[] {
  return ranges.map(
    (range) => teams.filter((peerGroup) => hasTurn(peerGroup, range, ranges.length, interval)).length,
  );
}

/** How many of them are the first. */
function firsts(teams: readonly PeerGroup[], ranges: readonly string[], interval: number): number[] {
  return ranges.map((range) => teams.filter((peerGroup) => isFirst(peerGroup, range, interval)).length);
}

describe("a peer group takes turns at the physical partitions:", () => {
  it.each([
    [2, 2],
    [10, 10],
    [3, 10],
    [10, 3],
    [50, 7],
  ])(
    "%i processes and %i partitions: one is the first in each, and queries grow with the sum (turns.T1)",
    (p, n) => {
      const teams = teamsOf(namesOf(p));
      const ranges = rangesOf(n);
      for (const interval of INTERVALS) {
        expect(firsts(teams, ranges, interval)).toEqual(ranges.map(() => 1));
        expect(turns(teams, ranges, interval)).toEqual(ranges.map(() => Math.ceil(p / n)));
      }
    },
  );

  it("every process has the turn of every partition equally often", () => {
    const names = namesOf(5);
    const ranges = rangesOf(5);
    for (const name of names) {
      const peerGroup = peerGroupOf(name, names);
      for (const range of ranges) {
        const own = INTERVALS.filter((interval) => isFirst(peerGroup, range, interval)).length;
        expect(own).toBeGreaterThan(60);
        expect(own).toBeLessThan(140);
      }
    }
  });

  it("a process of which the others do not know leaves no partition without a query (turns.T2)", () => {
    const names = namesOf(6);
    const [newcomer = "", ...others] = names;
    const teams = [peerGroupOf(newcomer, names), ...others.map((name) => peerGroupOf(name, others))];
    const ranges = rangesOf(8);
    for (const interval of INTERVALS) {
      expect(Math.min(...turns(teams, ranges, interval))).toBeGreaterThanOrEqual(1);
    }
  });

  it("a process that died leaves a partition without a query for some intervals at most (turns.T2)", () => {
    const names = namesOf(4);
    const [, ...alive] = names.map((name) => peerGroupOf(name, names));
    for (const range of rangesOf(4)) {
      let longest = 0;
      let gap = 0;
      for (const interval of INTERVALS) {
        const isAsked = alive.some((peerGroup) => hasTurn(peerGroup, range, 4, interval));
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
  ])("%i processes and %i partitions: all query every partition", (p, n) => {
    const teams = teamsOf(namesOf(p));
    expect(turns(teams, rangesOf(n), 7)).toEqual(rangesOf(n).map(() => p));
  });
});
