/** Some seeds in each run of the tests; `npm run simulate` and the nightly workflow run many. */
import { describe, expect, it } from "vitest";
import { runs, SEED } from "../../test/support/effort.ts";
import { Fleet } from "../run/fleet.ts";
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

describe("the simulation", () => {
  it("does the same for the same seed", async () => {
    const seed = 1_000 * SEED;
    const [first, second] = await resultsOf([
      { seed, store: "cosmos" },
      { seed, store: "cosmos" },
    ]);
    expect(first?.digest).not.toBe("");
    expect(second?.digest).toBe(first?.digest);
    expect(second?.steps).toBe(first?.steps);
  });

  it.each(["cosmos"] as const)("finds no promise broken on %s", async (store) => {
    const jobs = Array.from({ length: runs(50) }, (_, number) => ({ seed: 10_000 * SEED + number, store }));
    const failed = (await resultsOf(jobs)).filter(({ violations }) => violations.length > 0);
    expect(failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
  });
});
