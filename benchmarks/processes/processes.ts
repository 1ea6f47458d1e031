/**
 * Measures 1, 2 and 4 processes with runtimes on one SQLite file, which this process starts orchestrations in and waits
 * for: W1 and W2, the shares of the processes, and the time of one hello from its start here to its result.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "../database.ts";
import { latencyFigures, round } from "../figures.ts";
import { runBlock } from "../pairs.ts";
import { WORKLOADS, type Workload } from "../workloads.ts";

const PROCESSES = [1, 2, 4];
const ALONE = 50;
/** Orchestrations whose processes are counted. */
const LOOKED_AT = 400;
const WORKER = join(import.meta.dirname, "worker.ts");

export async function measureProcesses(): Promise<readonly object[]> {
  const lines: object[] = [];
  for (const count of PROCESSES) lines.push(await withFile((path) => measure(path, count)));
  return lines;
}

async function measure(path: string, count: number): Promise<object> {
  await using provider = await SqliteProvider.open(path);
  const client = new Client(provider);
  const workers = await Promise.all(Array.from({ length: count }, () => start(path)));
  try {
    await runBlock(client, "warm-up", { orchestration: "hello", n: 500, concurrency: 100 });
    const w1 = await rate(client, "W1");
    const w2 = await rate(client, "W2");
    const shares = await sharesOf(client, count);
    return {
      measure: "processes",
      processes: count,
      w1_per_second: w1,
      w2_per_second: w2,
      ...shares,
      ...(await alone(client)),
    };
  } finally {
    await Promise.all(workers.map(stop));
  }
}

async function start(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...process.execArgv, WORKER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("the worker has no output");
  await once(child.stdout, "data");
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.stdin?.end();
  await exit;
}

async function rate(client: Client, name: string): Promise<number> {
  const workload: Workload | undefined = WORKLOADS[name];
  if (workload === undefined) throw new Error(`there is no workload ${name}`);
  const sinceMs = performance.now();
  await runBlock(client, name, workload);
  return round((workload.n * workload.per * 1_000) / (performance.now() - sinceMs));
}

/** Shares of the processes in the activities of W1: the smallest and the largest, 1 for an equal one. */
async function sharesOf(client: Client, count: number): Promise<object> {
  const ran = new Map<string, number>();
  for (let n = 0; n < LOOKED_AT; n++) {
    const { steps } = await client.admin.timeline(`W1-${n}`);
    for (const step of steps) {
      const worker = step.kind === "activity" ? runtimeOf(step.attempts.at(-1)?.ran?.workerId) : undefined;
      if (worker !== undefined) ran.set(worker, (ran.get(worker) ?? 0) + 1);
    }
  }
  const shares = [...ran.values()].map((each) => round((each * count) / LOOKED_AT));
  const none = ran.size < count ? [0] : [];
  return { least_share: Math.min(...shares, ...none), largest_share: Math.max(...shares) };
}

/** A worker is named by its number and its runtime. */
function runtimeOf(workerId: string | undefined): string | undefined {
  return workerId?.replace(/^work-\d+-/, "");
}

/** Hellos one by one: started here, run in another process. */
async function alone(client: Client): Promise<object> {
  const latencies: number[] = [];
  for (let n = 0; n < ALONE; n++) {
    const sinceMs = performance.now();
    const handle = await client.start("hello", { instanceId: `alone-${n}`, input: "Ada" });
    await handle.result({ timeout: { minutes: 1 } });
    latencies.push(performance.now() - sinceMs);
  }
  return latencyFigures(latencies);
}
