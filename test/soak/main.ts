/** `npm run soak`: the exit code is 1 where a promise was broken, and 2 for a mistake on the command line. */
import { CommandLine } from "../../scripts/command-line.ts";
import { STORE_NAMES, type StoreName } from "./stores/soak-store.ts";

const HELP = ` -- [options]

Hostile handlers beside innocent instances, in processes that are killed, frozen and started again.

  --minutes <n>       how long instances start and processes are interrupted, on each store (5)
  --provider <name>   sqlite, cosmos, or both one after the other (both)
  --seed <n>          decides what happens when (random; printed)
  --processes <n>     that serve (4)
  --instances <n>     innocent ones (500)
  --hostile <n>       hostile ones beside them (a fifth of the innocent ones); 0 leaves out killers too
  --lock <seconds>    lock time of turns and activities; interruptions are in proportion (10)
  --settle <seconds>  after the last fault, how long it may take until another instance has ended (240)
  --help              this text

Cosmos DB is a local endpoint in a process of its own, or the account that COSMOSDB_ENDPOINT and COSMOSDB_KEY name.
Processes reach either through a proxy that makes requests fail.
`;

/** Number of hostile instances for each innocent one. */
const HOSTILE_SHARE = 0.2;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<number> {
  const line = CommandLine.read({
    call: "npm run soak",
    help: HELP,
    flags: {
      minutes: { type: "string", default: "5" },
      provider: { type: "string", default: "both" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      processes: { type: "string", default: "4" },
      instances: { type: "string", default: "500" },
      hostile: { type: "string", default: "fifth" },
      lock: { type: "string", default: "10" },
      // What ends its process runs alone after some attempts, one after the other, up to a minute each.
      settle: { type: "string", default: "240" },
    },
  });
  const provider = line.choice("provider", [...STORE_NAMES, "both"]);
  const stores: readonly StoreName[] = provider === "both" ? STORE_NAMES : [provider];
  const instances = line.number("instances", 1);
  const common = {
    seed: line.number("seed", 0),
    durationMs: line.number("minutes", 0) * 60_000,
    processes: line.number("processes", 1),
    instances,
    hostile: line.values.hostile === "fifth" ? instances * HOSTILE_SHARE : line.number("hostile", 0),
    lockMs: line.number("lock", 2) * 1_000,
    settleMs: line.number("settle", 0) * 1_000,
    print,
  };
  // A wrong flag is refused before the soak is loaded, which takes longer.
  const { describeSoak } = await import("./report/report.ts");
  const { runSoak } = await import("./soak.ts");
  let violations = 0;
  for (const store of stores) {
    print(`soak of ${line.values.minutes} minutes on ${store}, seed ${common.seed}`);
    const result = await runSoak({ store, ...common });
    print(describeSoak(result));
    violations += result.violations.length;
  }
  print(`soak: ${violations} violations`);
  return violations === 0 ? 0 : 1;
}

// Not by itself: after so many killed children Node 24 has waited for ever, without a pause, for handles to close.
process.exit(await main());
