/**
 * Compares W2 with steps in place with W2 on SQLite in one process: rounds of the one, the other, the other, the one,
 * each on a fresh file, by the time of the processor.
 */
import { Client, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";
import { percentile, round } from "./figures.ts";
import { runBlock } from "./pairs.ts";
import { activities, orchestrations } from "./workloads.ts";

const ROUNDS = 20;
/** Rounds that are left out, while the code is compiled. */
const WARM_UP = 5;
const BLOCK = { n: 100, concurrency: 100 };

const ACTIVITIES = "sequence";
const STEPS = "sequence-in-place";

/** `ratio` is the median of the times of steps to those of activities. */
export async function measureSteps(): Promise<readonly object[]> {
  const ratios: number[] = [];
  const stepsMs: number[] = [];
  for (let n = 0; n < WARM_UP + ROUNDS; n++) {
    const order =
      n % 2 === 0 ? [STEPS, ACTIVITIES, ACTIVITIES, STEPS] : [ACTIVITIES, STEPS, STEPS, ACTIVITIES];
    const sums = new Map<string, number>();
    for (const name of order) sums.set(name, (sums.get(name) ?? 0) + (await cpuMsOf(name)));
    if (n < WARM_UP) continue;
    const ownMs = sums.get(STEPS) ?? Number.NaN;
    ratios.push(ownMs / (sums.get(ACTIVITIES) ?? Number.NaN));
    stepsMs.push(ownMs / 2);
  }
  const [ratio, p50_ms] = [percentile(ratios, 50), percentile(stepsMs, 50)];
  return [{ workload: "W2 in place", rounds: ROUNDS, ratio: round(ratio), block_cpu_p50_ms: round(p50_ms) }];
}

/** Time of the processor for a block, ms, after one that warms the file up. */
function cpuMsOf(orchestration: string): Promise<number> {
  return withFile(async (path) => {
    await using provider = await SqliteProvider.open(path);
    await using _runtime = await Runtime.start({ provider, activities, orchestrations });
    const client = new Client(provider);
    await runBlock(client, "warm-up", { ...BLOCK, orchestration });
    const before = process.cpuUsage();
    await runBlock(client, "block", { ...BLOCK, orchestration });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
}
