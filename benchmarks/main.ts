/**
 * `npm run bench -- [--provider sqlite] [--guard off] [W1,W2,…|memory|fanout|endpoint|index-scale|startup]`: one JSON line
 * for each measurement.
 */
import { parseArgs } from "node:util";
import { measureIndexScale } from "./endpoint/index-scale.ts";
import { measureEndpoint } from "./endpoint/measure-endpoint.ts";
import { measureStartup } from "./endpoint/startup.ts";
import { measureFanOut } from "./fan-out.ts";
import { measureMemory } from "./memory.ts";
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
if (values.provider !== "sqlite") {
  console.error(`unknown provider "${values.provider}"; this version measures "sqlite"`);
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
  return [await measure(name, { determinismGuard: values.guard === "off" ? "off" : "error" })];
}
