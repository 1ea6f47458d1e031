/** How many seeds it takes to find each mutant. */
import path from "node:path";
import { MUTANTS } from "../mutants/all.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { VARIABLE } from "../mutants/variable.ts";
import type { StoreName } from "../settings.ts";
import { Fleet, type FleetOptions } from "./fleet.ts";
import type { Job, JobResult } from "./job.ts";

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

async function huntOne(mutant: Mutant, options: HuntOptions): Promise<Found> {
  const end = options.firstSeed + options.mostSeeds;
  for (let next = options.firstSeed; next < end; ) {
    const failed = await firstFailure(options, [next, end], {
      nodeFlags: ["--import", REWRITE],
      env: { [VARIABLE]: mutant.name },
    });
    if (failed === undefined) break;
    const { seed, violations } = failed;
    // A seed that fails without the bug says nothing about it.
    if ((await firstFailure(options, [seed, seed + 1])) === undefined) {
      return { mutant, seeds: seed - options.firstSeed + 1, violation: violations[0] };
    }
    next = seed + 1;
  }
  return { mutant, seeds: undefined, violation: undefined };
}

/** The lowest of the seeds that fails, whichever of those at a time ends first. */
async function firstFailure(
  { store, processes }: HuntOptions,
  [from, end]: readonly [number, number],
  product: Pick<FleetOptions, "nodeFlags" | "env"> = {},
): Promise<JobResult | undefined> {
  using fleet = new Fleet({ ...product, processes: Math.min(processes, end - from) });
  let first: JobResult | undefined;
  await fleet.run(jobs(store, from, end), (result) => {
    if (result.violations.length > 0 && !(first !== undefined && first.seed < result.seed)) first = result;
    return first === undefined ? "go on" : "stop";
  });
  return first;
}

function* jobs(store: StoreName, from: number, end: number): Generator<Job> {
  for (let seed = from; seed < end; seed++) yield { seed, store };
}
