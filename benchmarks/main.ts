/**
 * `npm run dev -- bench [--provider sqlite|cosmos] [--guard off] [--durability process] [--against FOLDER] [W1,W2,…|pairs|peers|steps|processes|step-budget|streams|loop-delay|schedules|limits|growth|long-history|retention|memory|fanout|queries|dashboard|bulk-cancel|requests|idle|history|backlog|throttled|
 * latency|leases|fleet|endpoint|index-scale|startup]`: one JSON line for each measurement.
 */
import { CommandLine } from "../scripts/command-line.ts";
import { STORE_NAMES, type StoreName } from "./store-names.ts";
import { WORKLOADS } from "./workloads.ts";

type Measurement = (store: StoreName) => Promise<readonly object[]>;

/** Only `fanout`, `limits` and `streams` depend on the store. Each is loaded when it is wanted, because loading all takes most of a second. */
const OTHERS: Readonly<Record<string, () => Promise<Measurement>>> = {
  memory: async () => (await import("./memory.ts")).measureMemory,
  fanout: async () => (await import("./fan-out.ts")).measureFanOut,
  queries: async () => (await import("./queries.ts")).measureQueries,
  dashboard: async () => (await import("./dashboard.ts")).measureDashboard,
  "bulk-cancel": async () => (await import("./bulk-cancel.ts")).measureBulkCancel,
  endpoint: async () => (await import("./endpoint/measure-endpoint.ts")).measureEndpoint,
  "index-scale": async () => (await import("./endpoint/index-scale.ts")).measureIndexScale,
  startup: async () => (await import("./endpoint/startup.ts")).measureStartup,
  requests: async () => (await import("./cosmos/requests.ts")).measureRequests,
  idle: async () => (await import("./cosmos/idle.ts")).measureIdle,
  latency: async () => (await import("./cosmos/latency.ts")).measureLatency,
  leases: async () => (await import("./cosmos/leases.ts")).measureLeases,
  fleet: async () => (await import("./cosmos/fleet.ts")).measureFleets,
  history: async () => (await import("./cosmos/history.ts")).measureHistory,
  backlog: async () => (await import("./cosmos/backlog.ts")).measureBacklog,
  throttled: async () => (await import("./cosmos/throttled.ts")).measureThrottled,
  limits: async () => async (store) =>
    store === "cosmos"
      ? (await import("./cosmos/limits.ts")).measureLimits()
      : (await import("./limits.ts")).measureLimits(),
  growth: async () => async () => (await import("./growth.ts")).measureGrowth(line.number("instances", 200)),
  "long-history": async () => (await import("./growth.ts")).measureLongHistory,
  retention: async () => async () =>
    (await import("./growth.ts")).measureRetention(line.number("minutes", 1)),
  schedules: async () => (await import("./schedules.ts")).measureSchedules,
  processes: async () => (await import("./processes/processes.ts")).measureProcesses,
  "step-budget": async () => (await import("./step-budget.ts")).measureStepBudget,
  "loop-delay": async () => (await import("./loop-delay/loop-delay.ts")).measureLoopDelay,
  streams: async () => (await import("./streams.ts")).measureStreams,
  steps: async () => (await import("./steps.ts")).measureSteps,
  peers: async () => async () => (await import("./peers.ts")).measurePeers(line.number("times", 1)),
  pairs: async () => async () => {
    if (against === undefined) return line.refuse("pairs needs --against, the folder of another checkout");
    return (await import("./pairs.ts")).measurePairs(against);
  },
};
const NAMES = [...Object.keys(WORKLOADS), ...Object.keys(OTHERS)];

const line = CommandLine.read({
  call: "npm run dev -- bench",
  help: ` [names] [flags]

Prints one JSON line for each measurement (benchmarks/README.md). Without names: ${Object.keys(WORKLOADS).join(", ")}.
Others: ${Object.keys(OTHERS).join(", ")}.

  --provider NAME  the store of the workloads, of fanout, limits and streams: ${STORE_NAMES.join(" or ")} (sqlite)
  --guard NAME     "off" runs the workloads without the determinism guard, to see what it costs (error)
  --durability NAME "process" runs the workloads on SQLite without waiting for the disk (power)
  --instances N    the ended instances of "growth", a multiple of 200 (1000000); 10,000,000 are 20 GB
  --minutes N      how long "retention" runs (1)
  --times N        how many times as long "peers" runs (1)
  --against FOLDER the other checkout of "pairs", with its own node_modules
  --save NAME      writes the lines to benchmarks/results/NAME.json as well
`,
  flags: {
    provider: { type: "string", default: "sqlite" },
    guard: { type: "string", default: "error" },
    durability: { type: "string", default: "power" },
    instances: { type: "string", default: "1000000" },
    minutes: { type: "string", default: "1" },
    times: { type: "string", default: "1" },
    against: { type: "string" },
    save: { type: "string" },
  },
  takesWords: true,
});
const provider = line.choice("provider", STORE_NAMES);
const durability = line.choice("durability", ["power", "process"]);
const determinismGuard = line.choice("guard", ["error", "off"]);

const { save, against } = line.values;
if (save !== undefined && !/^[a-z0-9-]+$/.test(save))
  line.refuse(`--save is ${JSON.stringify(save)}, but must be a name of small letters, digits and hyphens`);

const wanted = line.words.flatMap((names) => names.split(","));
const unknown = wanted.find((name) => !NAMES.includes(name));
if (unknown !== undefined) line.refuse(`there is no measurement "${unknown}"`);

const names = wanted.length === 0 ? Object.keys(WORKLOADS) : wanted;
const lines: object[] = [];
for (const name of names) {
  const measureOther = await OTHERS[name]?.();
  const results = await (measureOther?.(provider) ?? measureWorkload(name));
  for (const result of results) console.log(JSON.stringify(result));
  lines.push(...results);
}
if (save !== undefined) {
  const flags = process.argv
    .slice(2)
    .filter((arg, at, all) => !arg.startsWith("--save") && all[at - 1] !== "--save");
  const { saveResults } = await import("./results.ts");
  saveResults(save, ["npm run dev -- bench", ...flags].join(" "), lines);
}

async function measureWorkload(name: string): Promise<readonly object[]> {
  const { measure } = await import("./throughput.ts");
  return [await measure(name, { determinismGuard }, provider, durability)];
}
