/** `npm run soak`: the exit code is 1 where a promise was broken, and 2 for a mistake on the command line. */
import { parseArgs } from "node:util";
import { numberFlag } from "../support/number-flag.ts";
import { describeSoak } from "./report/report.ts";
import { runSoak } from "./soak.ts";
import { STORE_NAMES, type StoreName } from "./stores/soak-store.ts";

const HELP = `npm run soak -- [options]

Hostile handlers beside innocent instances, in processes that are killed, frozen and started again.

  --minutes <n>       how long instances start and processes are interrupted, on each store (5)
  --provider <name>   sqlite, cosmos, or both one after the other (both)
  --seed <n>          decides what happens when (random; printed)
  --processes <n>     that serve (4)
  --instances <n>     innocent ones (500)
  --hostile <n>       hostile ones beside them (a fifth of the innocent ones); 0 leaves out killers too
  --lock <seconds>    lock time of turns and activities; interruptions are in proportion (10)
  --settle <seconds>  after the last fault, how long it may take until another instance has ended (120)
  --help              this text

Cosmos DB is a local endpoint in a process of its own, or the account that COSMOSDB_ENDPOINT and COSMOSDB_KEY name.
Processes reach either through a proxy that makes requests fail.
`;

/** Of the innocent instances. */
const HOSTILE_SHARE = 0.2;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function storesOf(provider: string): readonly StoreName[] {
  if (provider === "both") return STORE_NAMES;
  const store = STORE_NAMES.find((name) => name === provider);
  if (store !== undefined) return [store];
  throw new TypeError(`--provider is "${provider}"; give sqlite, cosmos or both`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "5" },
      provider: { type: "string", default: "both" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      processes: { type: "string", default: "4" },
      instances: { type: "string", default: "500" },
      hostile: { type: "string" },
      lock: { type: "string", default: "10" },
      settle: { type: "string", default: "120" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const stores = storesOf(values.provider);
  const instances = numberFlag("instances", values.instances, 1);
  const common = {
    seed: numberFlag("seed", values.seed, 0),
    durationMs: numberFlag("minutes", values.minutes, 0) * 60_000,
    processes: numberFlag("processes", values.processes, 1),
    instances,
    hostile:
      values.hostile === undefined ? instances * HOSTILE_SHARE : numberFlag("hostile", values.hostile, 0),
    lockMs: numberFlag("lock", values.lock, 2) * 1_000,
    settleMs: numberFlag("settle", values.settle, 0) * 1_000,
    print,
  };
  let violations = 0;
  for (const store of stores) {
    print(`soak of ${values.minutes} minutes on ${store}, seed ${common.seed}`);
    const result = await runSoak({ store, ...common });
    print(describeSoak(result));
    violations += result.violations.length;
  }
  print(`soak: ${violations} violations`);
  return violations === 0 ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
});
