/**
 * `npm run bench -- [--provider sqlite|cosmos] [--guard off] [W1,W2,…|memory|fanout|requests|idle|history|backlog|
 * leases|fleet|endpoint|index-scale|startup]`: one JSON line for each measurement.
 */
import { parseArgs } from "node:util";
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
import { isStoreName, STORE_NAMES, type StoreName } from "./stores.ts";
import { measure } from "./throughput.ts";
import { WORKLOADS } from "./workloads.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    provider: { type: "string", default: "sqlite" },
    /** "off" switches the determinism guard off, to see what it costs. */
    guard: { type: "string", default: "error" },
  },
});
const { provider } = values;
if (!isStoreName(provider)) {
  console.error(`unknown provider "${provider}"; there are ${STORE_NAMES.join(", ")}`);
  process.exit(2);
}

const wanted = positionals.flatMap((names) => names.split(","));
const names = wanted.length === 0 ? Object.keys(WORKLOADS) : wanted;
for (const name of names) {
  for (const result of await run(name)) console.log(JSON.stringify(result));
}

async function run(name: string): Promise<readonly object[]> {
  if (name === "memory") return [await measureMemory()];
  if (name === "fanout") return measureFanOut();
  if (name === "endpoint") return measureEndpoint();
  if (name === "index-scale") return measureIndexScale();
  if (name === "startup") return measureStartup();
  if (name === "requests") return measureRequests();
  if (name === "idle") return measureIdle();
  if (name === "leases") return measureLeases();
  if (name === "fleet") return measureFleets();
  if (name === "history") return measureHistory();
  if (name === "backlog") return measureBacklog();
  const determinismGuard = values.guard === "off" ? "off" : "error";
  return [await measure(name, { determinismGuard }, provider as StoreName)];
}
