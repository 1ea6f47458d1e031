/** The check of the side logs finds what it is there for (run-violations.R1 to run-violations.R3). */
import { describe, expect, it } from "vitest";
import { runViolations } from "./run-violations.ts";
import type { ActivityEvent, EventKind, Stall } from "./side-log.ts";

const LEASE_MS = 2_000;

const at = (atMs: number, kind: EventKind, process = "p"): ActivityEvent => ({
  kind,
  activity: "a",
  process,
  atMs,
});

const violations = (events: readonly ActivityEvent[], stalls: readonly Stall[] = []): number =>
  runViolations({ events, stalls }, LEASE_MS).length;

describe("of the runs of an activity", () => {
  it("one that is stored is right, and so is another one before it, after the lease", () => {
    expect(violations([at(1_000, "began"), at(1_010, "acked")])).toBe(0);
    expect(violations([at(1_000, "began"), at(3_000, "began", "q"), at(3_010, "acked", "q")])).toBe(0);
  });

  it("two that are stored are wrong", () => {
    const runs = [at(1_000, "began"), at(3_000, "began", "q")];
    expect(violations([...runs, at(3_010, "acked", "q"), at(3_020, "acked")])).toBe(1);
  });

  it("one after it was stored is wrong", () => {
    expect(violations([at(1_000, "began"), at(1_010, "acked"), at(9_000, "began", "q")])).toBe(1);
  });

  it("one after it was stored is right once in each stall of its process that began before", () => {
    const runs = [at(1_000, "began"), at(1_010, "acked"), at(2_000, "began", "q")];
    const stall = { process: "q", fromMs: 900, toMs: 2_001 };
    expect(violations(runs, [stall])).toBe(0);
    expect(violations(runs, [{ ...stall, process: "p" }])).toBe(1);
    expect(violations(runs, [{ ...stall, fromMs: 1_020 }])).toBe(1);
    expect(violations(runs, [{ ...stall, toMs: 1_990 }])).toBe(1);
    const other = runs.map((event) => ({ ...event, activity: "b" }));
    expect(violations([...runs, ...other], [stall])).toBe(1);
  });

  it("two at once are wrong, unless the first was given back or its process stood still", () => {
    const twice = [at(1_000, "began"), at(1_005, "began", "q")];
    expect(violations(twice)).toBe(1);
    expect(violations([...twice, at(1_002, "abandoned")])).toBe(0);
    expect(violations(twice, [{ process: "p", fromMs: 500, toMs: 999 }])).toBe(0);
    expect(violations(twice, [{ process: "q", fromMs: 500, toMs: 999 }])).toBe(1);
  });
});
