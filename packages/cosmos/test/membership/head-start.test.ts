/** Tests which process tries a row first; head-start.H1 to head-start.H3. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headStartEndMs, isPreferred } from "../../src/fetching/membership/head-start.ts";
import { ALONE } from "../../src/fetching/membership/team.ts";
import { HEAD_START_MS } from "../../src/memory/waits.ts";
import { namesOf, teamsOf } from "./support/teams.ts";

const rowOf = (instanceId: string) => ({ instanceId, visibleAtMs: 1_000 });
const INSTANCES = Array.from({ length: 4_000 }, (_, n) => `order-${n}`);

function preferredFor(instanceId: string, names: readonly string[]): readonly string[] {
  return teamsOf(names)
    .filter((team) => isPreferred(team, rowOf(instanceId)))
    .map(({ self }) => self.id);
}

describe("each instance has one preferred process (head-start.H1):", () => {
  it("exactly one, whatever the ids", () => {
    const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(names, fc.string(), (members, instanceId) => {
        expect(preferredFor(instanceId, members)).toHaveLength(1);
      }),
    );
  });

  it("instances spread evenly over the processes", () => {
    for (const team of teamsOf(namesOf(8))) {
      const share = INSTANCES.filter((id) => isPreferred(team, rowOf(id))).length / INSTANCES.length;
      expect(share).toBeGreaterThan(1 / 8 - 0.03);
      expect(share).toBeLessThan(1 / 8 + 0.03);
    }
  });

  it("only the instances of a process that leaves get another one", () => {
    const names = namesOf(5);
    const [leaver] = names;
    for (const id of INSTANCES.slice(0, 500)) {
      const [before] = preferredFor(id, names);
      if (before !== leaver) expect(preferredFor(id, names.slice(1))).toEqual([before]);
    }
  });

  it("a process that is alone is preferred for every instance", () => {
    expect(INSTANCES.every((id) => isPreferred(ALONE, rowOf(id)))).toBe(true);
  });
});

it("a row is left to its preferred process until it has been visible for the head start (head-start.H2)", () => {
  expect(headStartEndMs(rowOf("a"))).toBe(1_000 + HEAD_START_MS);
});

it("a row that only one process may lock is that process's to try (head-start.H3)", () => {
  const others = teamsOf(namesOf(4)).filter((team) => !isPreferred(team, rowOf("a")));
  expect(others).toHaveLength(3);
  expect(others.every((team) => isPreferred(team, { ...rowOf("a"), isBound: true }))).toBe(true);
});
