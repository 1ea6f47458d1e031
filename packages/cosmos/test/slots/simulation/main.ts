/**
 * `npm run slot-simulation -- [--seeds 1000] [--seed n]`: fleets that share slots, in virtual time. The exit code says
 * whether every orchestration ended, no slot was orphaned and no more moved than had to.
 */

import { CommandLine } from "../../../../../scripts/command-line.ts";

import type { SimulationResult } from "./simulation.ts";

const line = CommandLine.read({
  call: "npm run slot-simulation",
  help: ` [-- flags]

Cosmos DB: fleets of processes that share slots, in virtual time.

  --seeds N  how many fleets (1000)
  --seed N   of the first one; each next has the next number (drawn, and printed)
`,
  flags: {
    seeds: { type: "string", default: "1000" },
    /** The first one. */
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const first = line.number("seed", 0);
const seeds = line.number("seeds", 1);
// A wrong flag is refused before the simulation is loaded, which takes longer.
const { describeSimulations } = await import("./report.ts");
const { simulate } = await import("./simulation.ts");
process.stdout.write(`slot simulation, seeds ${first} to ${first + seeds - 1}\n`);
const results: SimulationResult[] = [];
for (let seed = first; seed < first + seeds; seed++) results.push(await simulate(seed));
process.stdout.write(`${describeSimulations(results)}\n`);
process.exitCode = results.every(({ violations }) => violations.length === 0) ? 0 : 1;
