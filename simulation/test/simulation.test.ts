/** Some seeds in each run of the tests; `npm run simulate` and the nightly workflow run many. */
import { describe, expect, it } from "vitest";
import { IS_DEEP, runs, SEED } from "../../test/support/effort.ts";
import { Fleet } from "../run/fleet.ts";
import { hunt } from "../run/hunt.ts";
import type { Job, JobResult } from "../run/job.ts";

async function resultsOf(jobs: readonly Job[]): Promise<readonly JobResult[]> {
  using fleet = new Fleet({ processes: 2 });
  const results: JobResult[] = [];
  await fleet.run(jobs, (result) => {
    results.push(result);
    return "go on";
  });
  return results;
}

/** How many seeds are a thorough look; a nightly workflow runs ten thousand. */
const STORES = [
  { store: "cosmos", seeds: 15 },
  { store: "sqlite", seeds: 25 },
] as const;

describe.each(STORES)("the simulation on $store", ({ store, seeds }) => {
  it("does the same for the same seed", async () => {
    const seed = 1_000 * SEED;
    const [first, second] = await resultsOf([
      { seed, store },
      { seed, store },
    ]);
    expect(first?.digest).not.toBe("");
    expect(second?.digest).toBe(first?.digest);
    expect(second?.steps).toBe(first?.steps);
  });

  it("finds no promise broken", async () => {
    const jobs = Array.from({ length: runs(seeds) }, (_, number) => ({
      seed: 10_000 * SEED + number,
      store,
    }));
    const failed = (await resultsOf(jobs)).filter(({ violations }) => violations.length > 0);
    expect(failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
  });
});

describe.runIf(IS_DEEP)("a deliberate bug", () => {
  it("is found", async () => {
    const name = "leaves the messages of a turn in the queue";
    const found = await hunt({ store: "cosmos", firstSeed: 500, mostSeeds: 20, processes: 2, names: [name] });
    expect(found.map(({ mutant, seeds }) => [mutant.name, seeds !== undefined])).toEqual([[name, true]]);
  });
});
