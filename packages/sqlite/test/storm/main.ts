/**
 * `npm run storm -- --provider sqlite [--minutes 5] [--seed n] [--processes n]`: a storm on one file. The exit code
 * says whether every orchestration ended right and nothing was left over.
 */
import { parseArgs } from "node:util";
import { numberFlag } from "../../../../test/support/number-flag.ts";
import { describeStorm, runStorm } from "./storm.ts";

const { values } = parseArgs({
  options: {
    // Said by the command, which has chosen this file by it.
    provider: { type: "string" },
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    processes: { type: "string", default: "4" },
  },
});
const minutes = numberFlag("minutes", values.minutes, 0);
const seed = numberFlag("seed", values.seed, 0);
process.stdout.write(`storm of ${minutes} minutes on SQLite, seed ${seed}\n`);
const result = await runStorm({
  seed,
  durationMs: minutes * 60_000,
  processes: numberFlag("processes", values.processes, 1),
  lanes: 20,
  leaseMs: 5_000,
  calmMs: [1_500, 4_000],
});
process.stdout.write(`${describeStorm(result)}\n`);
process.exitCode = result.violations.length === 0 ? 0 : 1;
