/**
 * `npm run slot-simulation -- [--seeds 1000] [--seed n]`: fleets that share slots, in virtual time. The exit code says
 * whether every orchestration ended, no slot was orphaned and no more moved than had to.
 */
import { parseArgs } from "node:util";
import { numberFlag } from "../../../../../test/support/number-flag.ts";
import { describeSimulations } from "./report.ts";
import { type SimulationResult, simulate } from "./simulation.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    /** The first one. */
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const first = numberFlag("seed", values.seed, 0);
const seeds = numberFlag("seeds", values.seeds, 1);
process.stdout.write(`slot simulation, seeds ${first} to ${first + seeds - 1}\n`);
const results: SimulationResult[] = [];
for (let seed = first; seed < first + seeds; seed++) results.push(await simulate(seed));
process.stdout.write(`${describeSimulations(results)}\n`);
process.exitCode = results.every(({ violations }) => violations.length === 0) ? 0 : 1;
