/**
 * `npm run storm -- [--provider cosmos] [--minutes 5] [--seed n] [--processes n] [--partitions n] [--splits] [--budget n] [--rust n]`: a storm. The exit
 * code says whether every orchestration ended right and nothing was left over.
 */

import { CommandLine } from "../../../../scripts/command-line.ts";

/** Orchestrations at a time where each request waits for request units. */
const LANES_ON_A_BUDGET = 8;

const line = CommandLine.read({
  call: "npm run storm",
  help: ` [-- flags]

Cosmos DB: programs in several processes while a third of all requests fail and processes are killed. With
COSMOSDB_ENDPOINT and COSMOSDB_KEY set, on that account in a container of its own, where processes are killed only.

  --provider P    cosmos, or sqlite for a storm on one file (see its --help)
  --minutes N     how long (5)
  --processes N   how many (4)
  --partitions N  physical partitions of the container (1)
  --splits        splits, merges, moves and throttles them, with latency and short pages
  --budget N      the container gives N RU/s, as one of 400 RU/s does. Some turns are larger than a batch then, and each
                  piece of their commits must be stored once
  --rust N        so many workers in Rust besides, with the programs that both sides have
                  (DUROXIDE_RUST_PEER: packages/cosmos/test/rust-peer/README.md)
  --seed N        of programs, faults and kills (drawn, and printed)
`,
  flags: {
    // Said by the command, which has chosen this file by it.
    provider: { type: "string", default: "cosmos" },
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    processes: { type: "string", default: "4" },
    partitions: { type: "string", default: "1" },
    splits: { type: "boolean", default: false },
    budget: { type: "string", default: "0" },
    rust: { type: "string", default: "0" },
  },
});
line.choice("provider", ["cosmos", "sqlite"]);
const minutes = line.number("minutes", 0);
const seed = line.number("seed", 0);
const processes = line.number("processes", 1);
const rustProcesses = line.number("rust", 0);
const requestUnits = line.number("budget", 0);
if (rustProcesses > 0 && !process.env["DUROXIDE_RUST_PEER"]) {
  line.refuse("--rust needs DUROXIDE_RUST_PEER, the program of packages/cosmos/test/rust-peer/README.md");
}
const physicalPartitions = line.number("partitions", 1);
// A wrong flag is refused before the programs are loaded, which takes longer.
const { describeStorm } = await import("./report.ts");
const { runStorm } = await import("./storm.ts");
const { runStormOnAccount } = await import("./on-account.ts");
process.stdout.write(`storm of ${minutes} minutes, seed ${seed}\n`);
const isOnAccount = (process.env["COSMOSDB_ENDPOINT"] ?? "") !== "";
const result = await (isOnAccount ? runStormOnAccount : runStorm)({
  seed,
  durationMs: minutes * 60_000,
  processes,
  physicalPartitions,
  changesPartitions: line.values.splits === true,
  rustProcesses,
  lanes: requestUnits > 0 ? LANES_ON_A_BUDGET : 20,
  ...(requestUnits > 0 && { requestUnits }),
  faultRate: 0.3,
});
process.stdout.write(`${describeStorm(result)}\n`);
process.exitCode = result.violations.length === 0 ? 0 : 1;
