/** How many seeds it takes to find each mutant. */
import path from "node:path";
import { MUTANTS } from "../mutants/all.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { VARIABLE } from "../mutants/variable.ts";
import { Fleet } from "./fleet.ts";
import type { Job, JobResult } from "./job.ts";
import type { StoreName } from "./settings.ts";

const REWRITE = path.join(import.meta.dirname, "..", "mutants", "rewrite.ts");

export interface HuntOptions {
  readonly store: StoreName;
  readonly firstSeed: number;
  /** A mutant that is not found within so many is reported as such. */
  readonly mostSeeds: number;
  readonly processes: number;
  /** Only these mutants; all that concern the store by default. */
  readonly names?: readonly string[];
  readonly onFound?: (found: Found) => void;
}

export interface Found {
  readonly mutant: Mutant;
  /** `undefined` where none of the seeds found it. */
  readonly seeds: number | undefined;
  readonly violation: string | undefined;
}

/** One mutant after the other. */
export async function hunt(options: HuntOptions): Promise<readonly Found[]> {
  const found: Found[] = [];
  const { store, names, onFound } = options;
  for (const mutant of MUTANTS) {
    if (!concerns(mutant.file, store) || names?.includes(mutant.name) === false) continue;
    const result = await huntOne(mutant, options);
    onFound?.(result);
    found.push(result);
  }
  return found;
}

function concerns(file: string, store: StoreName): boolean {
  return file.startsWith("core/") || file.startsWith(`${store}/`);
}

async function huntOne(
  mutant: Mutant,
  { store, firstSeed, mostSeeds, processes }: HuntOptions,
): Promise<Found> {
  using fleet = new Fleet({
    processes: Math.min(processes, mostSeeds),
    nodeFlags: ["--import", REWRITE],
    env: { [VARIABLE]: mutant.name },
  });
  let first: JobResult | undefined;
  // The seed that counts is the first one, whichever of those at a time ends first.
  await fleet.run(jobs(store, firstSeed, mostSeeds), (result) => {
    if (result.violations.length > 0 && !(first !== undefined && first.seed < result.seed)) first = result;
    return first === undefined ? "go on" : "stop";
  });
  return {
    mutant,
    seeds: first === undefined ? undefined : first.seed - firstSeed + 1,
    violation: first?.violations[0],
  };
}

function* jobs(store: StoreName, first: number, count: number): Generator<Job> {
  for (let seed = first; seed < first + count; seed++) yield { seed, store };
}
