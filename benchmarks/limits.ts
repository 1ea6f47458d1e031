/**
 * Limits on one file: how much of a limit eight processes use while there is work, and what ten thousand rows that wait
 * for a full key cost work without a limit.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { entriesOf, Fleet, usage } from "../test/support/limited-fleet.ts";
import { withFile } from "./database.ts";

const PROCESSES = 8;
const SIZE = { callMs: 300, lockMs: 30_000, slots: 100 };
const KEYS = 100;
const CALLS_OF_A_KEY = 100;
const OF_A_KEY = 3;
const OF_ALL = 250;

const WAITING = 10_000;
const STEPS = 1_000;
const ROUNDS = 5;

export async function measureLimits(): Promise<readonly object[]> {
  return [await withFile(useOfLimits), await withFile(costOfWaiting)];
}

async function useOfLimits(path: string): Promise<object> {
  const log = join(dirname(path), "log");
  writeFileSync(log, "");
  await using provider = await SqliteProvider.open(path);
  const client = new Client(provider);
  await client.limits.set("k/*", { concurrency: OF_A_KEY });
  await client.limits.set("k", { concurrency: OF_ALL });
  const fleet = new Fleet({ name: `sqlite:${path}` }, log, SIZE);
  await Promise.all(Array.from({ length: PROCESSES }, () => fleet.start()));
  try {
    const handles = await Promise.all(
      Array.from({ length: KEYS }, (_, n) =>
        client.start("spread", { input: { key: `k/${n}`, calls: CALLS_OF_A_KEY } }),
      ),
    );
    await Promise.all(handles.map((handle) => handle.result()));
  } finally {
    await fleet.end();
  }
  const begins = entriesOf(log).filter(({ what }) => what === "begin");
  // While there is work: until the last ones of all cannot use the limit any more.
  const lastMs = begins.toSorted((a, b) => a.atMs - b.atMs)[begins.length - OF_ALL]?.atMs ?? 0;
  const entries = entriesOf(log).map((entry) => ({ ...entry, atMs: Math.min(entry.atMs, lastMs) }));
  const { most, usedMs } = usage(entries, [], SIZE, () => true);
  const firstMs = Math.min(...begins.map(({ atMs }) => atMs));
  return {
    workload: `${begins.length} calls of ${SIZE.callMs} ms, ${PROCESSES} processes, ${KEYS} keys, ${OF_ALL} at a time`,
    seconds: (lastMs - firstMs) / 1_000,
    most,
    used: Math.round((100 * usedMs) / (OF_ALL * (lastMs - firstMs))) / 100,
  };
}

const step = activity("step", async () => 1);
const sleeper = activity("sleeper", { limit: "full" }, async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
});
const steps = orchestration("steps", async (ctx) => {
  for (let n = 0; n < STEPS; n++) await ctx.scheduleActivity(step);
});
const crowd = orchestration("crowd", async (ctx, calls: number) => {
  await ctx.all(Array.from({ length: calls }, () => ctx.scheduleActivity(sleeper)));
});

/** The same steps without and with rows that wait, by turns. */
async function costOfWaiting(path: string): Promise<object> {
  await using provider = await SqliteProvider.open(path);
  await using _runtime = await Runtime.start({
    provider,
    activities: [step, sleeper],
    orchestrations: [steps, crowd],
    logger: silentLogger,
  });
  const client = new Client(provider);
  await client.limits.set("full", { concurrency: 1 });
  const alone: number[] = [await msOfSteps(client)];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const waiting = await client.start(crowd, { input: WAITING });
    while ((await client.limits.get("full")).waiting < WAITING - 1) await new Promise(setImmediate);
    beside.push(await msOfSteps(client));
    await waiting.cancel("measured");
    await waiting.result().catch(() => {});
    alone.push(await msOfSteps(client));
  }
  // Each is compared with those before and after it, because what else the machine does changes.
  const ratios = beside.map((ms, n) => (2 * ms) / ((alone[n] ?? 0) + (alone[n + 1] ?? 0)));
  const median = ratios.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  return {
    workload: `${STEPS} steps beside ${WAITING} that wait`,
    times_alone: Math.round(100 * median) / 100,
  };
}

/** Processor time. The first run writes what the change before it has left to write. */
async function msOfSteps(client: Client): Promise<number> {
  await (await client.start(steps)).result();
  const before = process.cpuUsage();
  await (await client.start(steps)).result();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
