/** Starts a local endpoint and two processes on it, and places orders. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { checkout } from "./orders.ts";

export interface Outcome {
  readonly charged: string;
  readonly shipped: string;
}

/** Returns what became of the orders. `disturb` gets the processes when the first order has ended. */
export async function runFleet(
  orders: number,
  disturb: (workers: readonly ChildProcess[]) => void = () => {},
): Promise<[id: string, outcome: Outcome][]> {
  await using endpoint = await CosmosEmulator.start({ port: 0 });
  const env = { ...process.env, COSMOSDB_CONNECTION_STRING: endpoint.connectionString };
  // The first process creates the container.
  await using provider = await CosmosProvider.fromEnvironment(env);
  const workers = [startWorker(env), startWorker(env)];
  try {
    await Promise.all(workers.map((worker) => once(worker.stdout, "data")));
    const client = new Client(provider);
    const placed = await Promise.all(
      Array.from({ length: orders }, (_, index) => `order-${index + 1}`).map((id) =>
        client.start(checkout, { instanceId: id, input: { id, cents: 4_900 } }),
      ),
    );
    await Promise.race(placed.map((order) => order.result()));
    disturb(workers);
    return await Promise.all(
      placed.map(async (order) => [order.instanceId, await order.result()] as [string, Outcome]),
    );
  } finally {
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map((worker) => worker.exitCode ?? worker.signalCode ?? once(worker, "exit")));
  }
}

/** Tells how many activities each process has run. */
export function summary(outcomes: readonly [id: string, outcome: Outcome][]): string {
  const counts = new Map<string, number>();
  for (const [, { charged, shipped }] of outcomes) {
    for (const name of [charged, shipped]) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const lines = Array.from(counts, ([name, count]) => `${name}: ${count} activities`);
  return [`${outcomes.length} orders have ended`, ...lines].join("\n");
}

function startWorker(env: NodeJS.ProcessEnv) {
  return spawn(process.execPath, ["src/worker.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
}
