/**
 * `npm run storm -- --provider sqlite [--minutes 5] [--seed n] [--processes n]`: a storm on one file. The exit code
 * says whether every orchestration ended right and nothing was left over.
 */
import { CommandLine } from "../../../../scripts/command-line.ts";

const line = CommandLine.read({
  call: "npm run storm",
  help: ` -- --provider sqlite [flags]

SQLite: programs in several processes on one file, which are killed, and frozen beyond their locks.

  --minutes N     how long (5)
  --processes N   how many (4)
  --seed N        of programs, kills and freezes (drawn, and printed)
`,
  flags: {
    // Said by the command, which has chosen this file by it.
    provider: { type: "string", default: "sqlite" },
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    processes: { type: "string", default: "4" },
  },
});
const minutes = line.number("minutes", 0);
const seed = line.number("seed", 0);
const processes = line.number("processes", 1);
// A wrong flag is refused before the programs are loaded, which takes longer.
const { describeStorm, runStorm } = await import("./storm.ts");
process.stdout.write(`storm of ${minutes} minutes on SQLite, seed ${seed}\n`);
const result = await runStorm({
  seed,
  durationMs: minutes * 60_000,
  processes,
  lanes: 20,
  leaseMs: 5_000,
  calmMs: [1_500, 4_000],
});
process.stdout.write(`${describeStorm(result)}\n`);
process.exitCode = result.violations.length === 0 ? 0 : 1;
