/** `npm run bench -- [--provider sqlite] [W1,W2,…|memory]`: one JSON line for each workload. */
import { parseArgs } from "node:util";
import { measureMemory } from "./memory.ts";
import { measure } from "./throughput.ts";
import { WORKLOADS } from "./workloads.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provider: { type: "string", default: "sqlite" } },
});
if (values.provider !== "sqlite") {
  console.error(`unknown provider "${values.provider}"; this version measures "sqlite"`);
  process.exit(2);
}

const wanted = positionals.flatMap((names) => names.split(","));
const names = wanted.length === 0 ? Object.keys(WORKLOADS) : wanted;
for (const name of names) {
  const result = name === "memory" ? await measureMemory() : await measure(name);
  console.log(JSON.stringify(result));
}
