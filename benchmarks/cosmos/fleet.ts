/**
 * W2 (ten activities in sequence) served by 1, 2, 4 and 8 processes: what is done in a second, and what an
 * orchestration costs. The endpoint and the client are in a process of their own.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { round } from "../figures.ts";
import { meanOf, type Tally } from "./tally.ts";

const FLEETS: readonly Fleet[] = [
  { processes: 1, shares: true },
  { processes: 2, shares: true },
  { processes: 4, shares: true },
  { processes: 8, shares: true },
  { processes: 4, shares: false },
  { processes: 8, shares: false },
];

interface Fleet {
  readonly processes: number;
  /** Whether the processes know of each other. */
  readonly shares: boolean;
}

const ORCHESTRATIONS = 100;

/** How many at a time, and how long each request takes beside what the endpoint needs for it, ms. */
interface Load {
  readonly outstanding: number;
  readonly delayMs: number;
}

/** Loads: one that keeps the processors busy, and one that mostly waits for answers, as from another machine. */
const LOADS: readonly Load[] = [
  { outstanding: ORCHESTRATIONS, delayMs: 0 },
  { outstanding: 10, delayMs: 50 },
];

const ACTIVITIES_EACH = 10;

/** Time until each process knows the others, ms. */
const SETTLE_MS = 25_000;

const WORKER = path.join(import.meta.dirname, "fleet-worker.ts");

export async function measureFleets(): Promise<readonly object[]> {
  const measurements: object[] = [];
  for (const fleet of FLEETS) measurements.push(...(await measureFleet(fleet)));
  return measurements;
}

async function measureFleet(fleet: Fleet): Promise<readonly object[]> {
  const { processes, shares } = fleet;
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  const place = { database: "duroxide", container: `fleet-${processes}` };
  await using provider = await CosmosProvider.connect({ connectionString, ...place });
  const args = [connectionString, place.database, place.container, shares ? "shares" : "alone"];
  const workers = Array.from({ length: processes }, () => fork(WORKER, args, { execArgv: process.execArgv }));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    const client = new Client(provider);
    await runAll(client, "warm", ORCHESTRATIONS);
    await sleep(SETTLE_MS);
    const measurements: object[] = [];
    for (const load of LOADS) {
      if (load.delayMs > 0) emulator.faults.add({ effect: { kind: "delay", delayMs: load.delayMs } });
      measurements.push({ ...(await measureLoad(client, workers, load)), membership: shares });
    }
    return measurements;
  } finally {
    for (const worker of workers) worker.disconnect();
  }
}

async function measureLoad(
  client: Client,
  workers: readonly ChildProcess[],
  { outstanding, delayMs }: Load,
): Promise<object> {
  await Promise.all(workers.map(requestedBy));
  const startedAt = performance.now();
  await runAll(client, `run-${outstanding}`, outstanding);
  const seconds = (performance.now() - startedAt) / 1000;
  const requested = await Promise.all(workers.map(requestedBy));
  return {
    system: "duroxide-ts/cosmos",
    workload: "fleet",
    processes: workers.length,
    outstanding,
    delay_ms: delayMs,
    activities_per_second: round((ORCHESTRATIONS * ACTIVITIES_EACH) / seconds),
    ...meanOf(requested, ORCHESTRATIONS),
  };
}

async function runAll(client: Client, prefix: string, outstanding: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < ORCHESTRATIONS; n = next++) {
      const name = `${prefix}-${n}`;
      const instance = await client.start("sequence", { instanceId: name, input: name });
      await instance.result({ timeout: { minutes: 5 } });
    }
  };
  await Promise.all(Array.from({ length: outstanding }, lane));
}

async function requestedBy(worker: ChildProcess): Promise<Tally> {
  const answer = once(worker, "message");
  worker.send("report");
  const [requested] = (await answer) as [Tally];
  return requested;
}
