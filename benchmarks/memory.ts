/**
 * How much memory waiting costs: 10,000 instances that wait, and one history of 10,000 events.
 *
 * V8 gives a process a young generation by the memory of the machine, up to 128 MB, whatever the program needs. So the
 * measurement is made in two processes of their own: one with a heap of 1 GB at most, as in a container of that size,
 * and one with V8's choice for this machine.
 */
import { execFileSync } from "node:child_process";
import { flushCompileCache } from "node:module";
import { getHeapStatistics } from "node:v8";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { withDatabase } from "./database.ts";

const INSTANCES = 10_000;
const EVENTS = 10_000;
const EVENTS_PER_ACTIVITY = 2;

const echo = activity("echo", async (_ctx, n: number) => n);
const waiting = orchestration("waiting", async (ctx, _n: number) => ctx.waitForEvent("go"));
const long = orchestration("long", async (ctx, activities: number) => {
  for (let n = 0; n < activities; n++) await ctx.scheduleActivity(echo, n);
  return ctx.waitForEvent("go");
});

/** The processes load their modules from Node's compile cache, as if they were built, so the compiler is not measured. */
export async function measureMemory(): Promise<readonly object[]> {
  flushCompileCache();
  return [measureApart("--max-heap-size=1024"), measureApart()];
}

function measureApart(...flags: readonly string[]): object {
  const args = [...flags, ...process.execArgv, import.meta.filename];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

async function measureHere(): Promise<object> {
  return withDatabase(async (provider) => {
    await using _runtime = await Runtime.start({
      provider,
      activities: [echo],
      orchestrations: [waiting, long],
    });
    const client = new Client(provider);
    await client.start(long, { instanceId: "long", input: EVENTS / EVENTS_PER_ACTIVITY });
    for (let first = 0; first < INSTANCES; first += 100) {
      const starts = Array.from({ length: 100 }, (_, n) =>
        client.start(waiting, { instanceId: `waiting-${first + n}`, input: n }),
      );
      await Promise.all(starts);
    }
    const events = await untilQuiet(client);
    const { rss, heapUsed } = process.memoryUsage();
    return {
      workload: "memory",
      heap_limit_mb: megabytes(getHeapStatistics().heap_size_limit),
      waiting_instances: INSTANCES,
      history_events: events,
      // Of the whole process: client, runtime and database.
      rss_mb: megabytes(rss),
      peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 1024),
      heap_used_mb: megabytes(heapUsed),
    };
  });
}

/** Resolves with the long history's length once nothing is left to do. */
async function untilQuiet(client: Client): Promise<number> {
  const handle = client.handle(long, "long");
  for (;;) {
    const stats = await handle.stats();
    const { orchestratorQueue, workerQueue } = await client.admin.queueDepths();
    const events = stats?.historyEventCount ?? 0;
    if (events > EVENTS && orchestratorQueue === 0 && workerQueue === 0) return events;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

if (import.meta.main) console.log(JSON.stringify(await measureHere()));
