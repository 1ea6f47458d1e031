/** Some seeds in each run of the tests; `npm run dev -- simulate` and the nightly workflow run many. */
import { beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP, SEED } from "../../test/support/effort.ts";
import { Fleet } from "../run/fleet.ts";
import { hunt } from "../run/hunt.ts";
import type { Job, JobResult } from "../run/job.ts";

/** A known violation comes in one of several hundred seeds (docs/reliability.md), so only the deep run draws others. */
const FIRST_SEED = IS_DEEP ? 10_000 * SEED : 10_000;

/**
 * Whole seeds, and small ones: two programs in up to two processes under the faults of their seed. A nightly workflow
 * runs ten thousand whole ones. A result names its seed only.
 */
const STORES = [
  { store: "cosmos", whole: IS_DEEP ? 15 : 2, firstSeed: FIRST_SEED },
  { store: "sqlite", whole: IS_DEEP ? 25 : 3, firstSeed: FIRST_SEED + 5_000 },
] as const;

const SMALL_SEEDS = 100;
const SMALL = { servers: 2, programs: 2 } as const;

function wholeOf({ store, whole, firstSeed }: (typeof STORES)[number]): readonly Job[] {
  return Array.from({ length: whole }, (_, number) => ({ seed: firstSeed + number, store }));
}

function jobsOf(each: (typeof STORES)[number]): readonly Job[] {
  const { store, whole, firstSeed } = each;
  const first = firstSeed + whole;
  const small = Array.from({ length: SMALL_SEEDS }, (_, number) => ({
    seed: first + number,
    store,
    limits: SMALL,
  }));
  return [...wholeOf(each), ...small];
}

const results: JobResult[] = [];
/** Results of the first seed of each store, run again where stacks are empty: they name the files of this machine. */
const again: JobResult[] = [];

async function runInto(to: JobResult[], jobs: readonly Job[], nodeFlags: readonly string[]): Promise<void> {
  using fleet = new Fleet({ processes: 2, nodeFlags });
  await fleet.run(jobs, (result) => {
    to.push(result);
    return "go on";
  });
}

beforeAll(async () => {
  await runInto(results, STORES.flatMap(jobsOf), []);
  const first = STORES.flatMap((store) => wholeOf(store).slice(0, 1));
  await runInto(again, first, ["--stack-trace-limit=0"]);
});

describe.each(STORES)("the simulation on $store", (store) => {
  const { firstSeed } = store;
  const own = () => results.filter(({ seed }) => seed >= firstSeed && seed < firstSeed + 5_000);

  it("does the same for the same seed, wherever the sources are", () => {
    const [first, second] = [...own(), ...again].filter(({ seed }) => seed === firstSeed);
    expect(first?.digest).not.toBe("");
    expect(second?.digest).toBe(first?.digest);
    expect(second?.steps).toBe(first?.steps);
  });

  it("finds no promise broken", () => {
    expect(own()).toHaveLength(jobsOf(store).length);
    const failed = own().filter(({ violations }) => violations.length > 0);
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
