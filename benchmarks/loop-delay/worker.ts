/** A process with W1 on SQLite: prints the delays of its event loop, ms. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Client, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "../database.ts";
import { round } from "../figures.ts";
import { runBlock } from "../pairs.ts";
import { activities, orchestrations, WORKLOADS } from "../workloads.ts";

/** Orchestrations before the measurement: the process has learnt by then how slow the disk is. */
const WARM_UP = 2_000;

const [count = "2000"] = process.argv.slice(2);

await withFile(async (path) => {
  await using provider = await SqliteProvider.open(path);
  await using _runtime = await Runtime.start({ provider, activities, orchestrations });
  const client = new Client(provider);
  const { W1 } = WORKLOADS;
  if (W1 === undefined) throw new Error("there is no W1");
  await runBlock(client, "warm-up", { ...W1, n: WARM_UP });
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const startedAt = performance.now();
  await runBlock(client, "block", { ...W1, n: Number(count) });
  const perSecond = (Number(count) * 1_000) / (performance.now() - startedAt);
  delays.disable();
  const ms = (percent: number): number => round(delays.percentile(percent) / 1e6);
  const figures = { per_second: round(perSecond), p50_ms: ms(50), p99_ms: ms(99), max_ms: ms(100) };
  console.log(JSON.stringify(figures));
});
