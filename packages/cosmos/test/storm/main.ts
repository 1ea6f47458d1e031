/**
 * `npm run storm -- [--provider cosmos] [--minutes 5] [--seed n] [--processes n] [--partitions n]`: a storm. The exit code says whether
 * every orchestration ended right and nothing was left over.
 */
import { parseArgs } from "node:util";
import { numberFlag } from "../../../../test/support/number-flag.ts";
import { describeStorm } from "./report.ts";
import { runStorm } from "./storm.ts";

const { values } = parseArgs({
  options: {
    // Said by the command, which has chosen this file by it.
    provider: { type: "string" },
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    processes: { type: "string", default: "3" },
    partitions: { type: "string", default: "1" },
  },
});
const minutes = numberFlag("minutes", values.minutes, 0);
const seed = numberFlag("seed", values.seed, 0);
process.stdout.write(`storm of ${minutes} minutes, seed ${seed}\n`);
const result = await runStorm({
  seed,
  durationMs: minutes * 60_000,
  processes: numberFlag("processes", values.processes, 1),
  physicalPartitions: numberFlag("partitions", values.partitions, 1),
  lanes: 20,
  faultRate: 0.3,
});
process.stdout.write(`${describeStorm(result)}\n`);
process.exitCode = result.violations.length === 0 ? 0 : 1;
