/**
 * `npm run bench -- [--provider sqlite|cosmos] [--guard off] [W1,W2,…|memory|fanout|requests|idle|history|backlog|
 * leases|fleet|endpoint|index-scale|startup]`: one JSON line for each measurement.
 */
import { CommandLine } from "../scripts/command-line.ts";
import { measureBacklog } from "./cosmos/backlog.ts";
import { measureFleets } from "./cosmos/fleet.ts";
import { measureHistory } from "./cosmos/history.ts";
import { measureIdle } from "./cosmos/idle.ts";
import { measureLeases } from "./cosmos/leases.ts";
import { measureRequests } from "./cosmos/requests.ts";
import { measureIndexScale } from "./endpoint/index-scale.ts";
import { measureEndpoint } from "./endpoint/measure-endpoint.ts";
import { measureStartup } from "./endpoint/startup.ts";
import { measureFanOut } from "./fan-out.ts";
import { measureMemory } from "./memory.ts";
import { saveResults } from "./results.ts";
import { STORE_NAMES, type StoreName } from "./stores.ts";
import { measure } from "./throughput.ts";
import { WORKLOADS } from "./workloads.ts";

/** Only `fanout` depends on the store. */
const OTHERS: Readonly<Record<string, (store: StoreName) => Promise<readonly object[]>>> = {
  memory: measureMemory,
  fanout: measureFanOut,
  endpoint: measureEndpoint,
  "index-scale": measureIndexScale,
  startup: measureStartup,
  requests: measureRequests,
  idle: measureIdle,
  leases: measureLeases,
  fleet: measureFleets,
  history: measureHistory,
  backlog: measureBacklog,
};
const NAMES = [...Object.keys(WORKLOADS), ...Object.keys(OTHERS)];

const line = CommandLine.read({
  call: "npm run bench",
  help: ` [-- names] [flags]

Prints one JSON line for each measurement (benchmarks/README.md). Without names: ${Object.keys(WORKLOADS).join(", ")}.
Others: ${Object.keys(OTHERS).join(", ")}.

  --provider NAME  the store of the workloads and of fanout: ${STORE_NAMES.join(" or ")} (sqlite)
  --guard NAME     "off" runs the workloads without the determinism guard, to see what it costs (error)
  --save NAME      writes the lines to benchmarks/results/NAME.json as well
`,
  flags: {
    provider: { type: "string", default: "sqlite" },
    guard: { type: "string", default: "error" },
    save: { type: "string" },
  },
  takesWords: true,
});
const provider = line.choice("provider", STORE_NAMES);
const determinismGuard = line.choice("guard", ["error", "off"]);

const { save } = line.values;
if (save !== undefined && !/^[a-z0-9-]+$/.test(save))
  line.refuse(`--save is ${JSON.stringify(save)}, but must be a name of small letters, digits and hyphens`);

const wanted = line.words.flatMap((names) => names.split(","));
const unknown = wanted.find((name) => !NAMES.includes(name));
if (unknown !== undefined) line.refuse(`there is no measurement "${unknown}"`);

const names = wanted.length === 0 ? Object.keys(WORKLOADS) : wanted;
const lines: object[] = [];
for (const name of names) {
  const results = await (OTHERS[name]?.(provider) ?? measureWorkload(name));
  for (const result of results) console.log(JSON.stringify(result));
  lines.push(...results);
}
if (save !== undefined) {
  const flags = process.argv
    .slice(2)
    .filter((arg, at, all) => !arg.startsWith("--save") && all[at - 1] !== "--save");
  saveResults(save, ["npm run bench --", ...flags].join(" "), lines);
}

async function measureWorkload(name: string): Promise<readonly object[]> {
  return [await measure(name, { determinismGuard }, provider)];
}
