/**
 * A thousand schedules on a file: how long it takes to apply them, to apply them again without a change, to list them,
 * and to start their runs where all are due in the same second. Then a hundred for a year of virtual time, in memory.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { Client, orchestration, Runtime, schedule, silentLogger } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";

const SCHEDULES = 1_000;
const IN_A_YEAR = 100;
/** Time for the schedules to be applied before they are due, ms. */
const AHEAD_MS = 10_000;

const hello = orchestration("hello", async () => "hello");

export async function measureSchedules(): Promise<readonly object[]> {
  return [await withFile(dueAtOnce), await year()];
}

async function dueAtOnce(path: string): Promise<object> {
  await using provider = await SqliteProvider.open(path);
  await using _runtime = await Runtime.start({ provider, orchestrations: [hello], logger: silentLogger });
  const client = new Client(provider);
  const dueMs = Math.ceil(Date.now() / 1_000) * 1_000 + AHEAD_MS;
  const all = Array.from({ length: SCHEDULES }, (_, n) =>
    schedule(`s${n}`, { at: [dueMs], orchestration: hello }),
  );
  const applied = await msOf(() => client.schedules.apply(all));
  const again = await msOf(() => client.schedules.apply(all));
  const listed = await msOf(() => client.schedules.list());
  await sleep(dueMs - Date.now());
  while ((await client.admin.runningMetrics()).runningInstances > 0 || (await begun(client)) < SCHEDULES)
    await sleep(20);
  const { instances } = await client.admin.query({ limit: SCHEDULES });
  const last = Math.max(...instances.map(({ createdAtMs }) => createdAtMs));
  return {
    workload: `${SCHEDULES} schedules due at once`,
    apply_ms: applied,
    apply_again_ms: again,
    list_ms: listed,
    last_start_ms: last - dueMs,
  };
}

async function begun(client: Client): Promise<number> {
  return (await client.admin.metrics()).totalInstances;
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await run();
  return Math.round(performance.now() - before);
}

async function year(): Promise<object> {
  const before = process.cpuUsage();
  const schedules = Array.from({ length: IN_A_YEAR }, (_, n) =>
    schedule(`s${n}`, { cron: `${n % 60} ${n % 24} * * ${n % 7}`, orchestration: hello }),
  );
  await using env = await TestEnvironment.create({
    orchestrations: [hello],
    schedules,
    logger: silentLogger,
  });
  await env.advance({ days: 365 });
  const { totalInstances: runs } = await env.client.admin.metrics();
  const { user, system } = process.cpuUsage(before);
  return {
    workload: `${IN_A_YEAR} weekly schedules for a year`,
    runs,
    cpu_ms: Math.round((user + system) / 1_000),
  };
}
