/**
 * Compares two checkouts on SQLite in one process: rounds of this one, the other, the other, this one, each on a fresh
 * file. What the machine does meanwhile meets both, so that 20 rounds tell 2 %, where runs after each other differ by 10.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "@duroxide-ts/core";
import { withFile } from "./database.ts";
import { percentile, round } from "./figures.ts";
import { WORKLOADS, type Workload } from "./workloads.ts";

const ROUNDS = 20;
/** Rounds that are left out, while the code is compiled. */
const WARM_UP = 5;
/** Orchestrations of a block, for about 0.1 s. */
const BLOCKS: Readonly<Record<string, number>> = { W1: 400, W2: 100, W3: 30, W4: 1, W5: 60 };

/** The packages of a checkout, and its programs. */
interface Checkout {
  readonly core: typeof import("@duroxide-ts/core");
  readonly sqlite: typeof import("@duroxide-ts/sqlite");
  readonly workloads: typeof import("./workloads.ts");
}

/** One line for each workload. `ratio` is the median of the speeds of this checkout to those of the other. */
export async function measurePairs(otherPath: string): Promise<readonly object[]> {
  const own = await load(resolve(import.meta.dirname, ".."));
  const other = await load(resolve(otherPath));
  const lines: object[] = [];
  for (const name of Object.keys(WORKLOADS)) {
    const ratios: number[] = [];
    const tookMs: number[] = [];
    for (let n = 0; n < WARM_UP + ROUNDS; n++) {
      const order = n % 2 === 0 ? [own, other, other, own] : [other, own, own, other];
      const sums = new Map<Checkout, number>();
      for (const checkout of order)
        sums.set(checkout, (sums.get(checkout) ?? 0) + (await timeOf(checkout, name)));
      if (n < WARM_UP) continue;
      const ownMs = sums.get(own) ?? Number.NaN;
      ratios.push((sums.get(other) ?? Number.NaN) / ownMs);
      tookMs.push(ownMs / 2);
    }
    const [ratio, p50_ms] = [percentile(ratios, 50), percentile(tookMs, 50)];
    lines.push({ workload: name, rounds: ROUNDS, ratio: round(ratio), block_p50_ms: round(p50_ms) });
  }
  return lines;
}

async function load(path: string): Promise<Checkout> {
  const entry = (file: string): Promise<unknown> => import(pathToFileURL(resolve(path, file)).href);
  return {
    core: (await entry("packages/core/src/index.ts")) as Checkout["core"],
    sqlite: (await entry("packages/sqlite/src/index.ts")) as Checkout["sqlite"],
    workloads: (await entry("benchmarks/workloads.ts")) as Checkout["workloads"],
  };
}

/** Milliseconds of a block, after one that warms the file up. */
function timeOf({ core, sqlite, workloads }: Checkout, name: string): Promise<number> {
  const workload = workloads.WORKLOADS[name];
  if (workload === undefined) throw new Error(`the other checkout has no workload ${name}`);
  return withFile(async (path) => {
    await using provider = await sqlite.SqliteProvider.open(path);
    const { activities, orchestrations } = workloads;
    await using _runtime = await core.Runtime.start({ provider, activities, orchestrations });
    const client = new core.Client(provider);
    const block = { ...workload, n: BLOCKS[name] ?? 1 };
    await runBlock(client, "warm-up", block);
    const startedAt = performance.now();
    await runBlock(client, "block", block);
    return performance.now() - startedAt;
  });
}

export async function runBlock(
  client: Client,
  prefix: string,
  { orchestration, n: count, concurrency }: Pick<Workload, "orchestration" | "n" | "concurrency">,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const instanceId = `${prefix}-${next++}`;
      const instance = await client.start(orchestration, { instanceId, input: instanceId });
      await instance.result({ timeout: { minutes: 5 } });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
}
