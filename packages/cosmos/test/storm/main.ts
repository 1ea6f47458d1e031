/** `npm run dev -- storm`: the exit code is 1 where a promise was broken, and 2 for a mistake on the command line. */
import { CommandLine } from "../../../../scripts/command-line.ts";
import type { Report } from "../../../../test/storm/report.ts";

const STORE_NAMES = ["sqlite", "cosmos"] as const;

/** Orchestrations at a time, and where each request waits for request units. */
const LANES = 20;
const LANES_ON_A_BUDGET = 8;

/** Number of hostile instances for each innocent one. */
const HOSTILE_SHARE = 0.2;

const line = CommandLine.read({
  call: "npm run dev -- storm",
  help: ` [flags]

Programs in several processes that are killed, and frozen beyond their locks. On Cosmos DB a third of all requests fail
besides; with COSMOSDB_ENDPOINT and COSMOSDB_KEY set, a container of its own on that account is used, without faults.

  --provider NAME  cosmos, sqlite, or both one after the other (cosmos)
  --minutes N      how long (5)
  --processes N    how many serve (4)
  --seed N         of programs, faults, kills and freezes (drawn, and printed)

Cosmos DB:
  --partitions N   physical partitions of the container (1)
  --splits         splits, merges, moves and throttles them, with latency and short pages
  --budget N       the container gives N RU/s, as one of 400 RU/s does. Some turns are larger than a batch then, and each
                   piece of their commits must be stored once
  --rust N         so many workers in Rust besides, with the programs that both sides have
                   (DUROXIDE_RUST_PEER: packages/cosmos/test/rust-peer/README.md)

  --soak           hostile handlers beside innocent instances, careless deployments, and a store that fails at times:
                   a full disk, or a proxy before the local endpoint or the account
  --instances N    innocent ones (500)
  --hostile N      hostile ones beside them (a fifth of the innocent ones); 0 leaves out killers too
  --lock SECONDS   lock time of turns and activities; interruptions are in proportion (10)
  --settle SECONDS after the last fault, how long it may take until another instance has ended (240)
`,
  flags: {
    provider: { type: "string", default: "cosmos" },
    minutes: { type: "string", default: "5" },
    processes: { type: "string", default: "4" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    partitions: { type: "string", default: "1" },
    splits: { type: "boolean", default: false },
    budget: { type: "string", default: "0" },
    rust: { type: "string", default: "0" },
    soak: { type: "boolean", default: false },
    instances: { type: "string", default: "500" },
    hostile: { type: "string", default: "fifth" },
    lock: { type: "string", default: "10" },
    // What ends its process runs alone after some attempts, one after the other, up to a minute each.
    settle: { type: "string", default: "240" },
  },
});
const provider = line.choice("provider", [...STORE_NAMES, "both"]);
const common = {
  seed: line.number("seed", 0),
  durationMs: line.number("minutes", 0) * 60_000,
  processes: line.number("processes", 1),
};
const instances = line.number("instances", 1);
const soak = {
  instances,
  hostile: line.values.hostile === "fifth" ? instances * HOSTILE_SHARE : line.number("hostile", 0),
  lockMs: line.number("lock", 2) * 1_000,
  settleMs: line.number("settle", 0) * 1_000,
  print,
};
const requestUnits = line.number("budget", 0);
const cosmos = {
  lanes: requestUnits > 0 ? LANES_ON_A_BUDGET : LANES,
  faultRate: 0.3,
  physicalPartitions: line.number("partitions", 1),
  changesPartitions: line.values.splits === true,
  rustProcesses: line.number("rust", 0),
  ...(requestUnits > 0 && { requestUnits }),
};
if (cosmos.rustProcesses > 0 && !process.env["DUROXIDE_RUST_PEER"]) {
  line.refuse("--rust needs DUROXIDE_RUST_PEER, the program of packages/cosmos/test/rust-peer/README.md");
}

// A wrong flag is refused before the programs are loaded, which takes longer.
const { describeReport, violationsOf } = await import("../../../../test/storm/report.ts");

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function run(store: (typeof STORE_NAMES)[number]): Promise<Report> {
  if (line.values.soak === true) {
    const { runSoak } = await import("../../../../test/soak/soak.ts");
    return runSoak({ store, ...common, ...soak });
  }
  if (store === "sqlite") {
    const { runStorm } = await import("../../../../test/storm/sqlite/storm.ts");
    return runStorm({ ...common, lanes: LANES, leaseMs: 5_000, calmMs: [1_500, 4_000] });
  }
  const isOnAccount = (process.env["COSMOSDB_ENDPOINT"] ?? "") !== "";
  const { runStorm } = await import("./storm.ts");
  const { runStormOnAccount } = await import("./on-account.ts");
  return (isOnAccount ? runStormOnAccount : runStorm)({ ...common, ...cosmos });
}

let violations = 0;
for (const store of provider === "both" ? STORE_NAMES : [provider]) {
  print(
    `${line.values.soak ? "soak" : "storm"} of ${line.values.minutes} minutes on ${store}, seed ${common.seed}`,
  );
  const report = await run(store);
  print(describeReport(report));
  violations += violationsOf(report).length;
}
// Not by itself: after so many killed children Node 24 has waited for ever, without a pause, for handles to close.
process.exit(violations === 0 ? 0 : 1);
