/** Requests per second of the local Cosmos DB endpoint: 16 keep-alive clients in another process, signatures verified. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { latencyFigures, round } from "../figures.ts";
import type { ClientsResult, ClientsTask } from "./clients.ts";
import { prepare, type WorkloadName } from "./workload.ts";

const CLIENTS = 16;
const WARM_UP_MS = 2000;
const MEASURE_MS = 8000;

/** The endpoint runs in this process, in memory; each workload gets a fresh one. */
export async function measureEndpoint(): Promise<readonly object[]> {
  return [await measure("point-reads", "point reads"), await measure("batches", "batches of 5 operations")];
}

async function measure(workload: WorkloadName, unit: string): Promise<object> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  await prepare(emulator, CLIENTS);
  const { right, wrong, seconds, latenciesMs } = await runClients({
    workload,
    endpoint: emulator.endpoint,
    key: emulator.key,
    clients: CLIENTS,
    warmUpMs: WARM_UP_MS,
    measureMs: MEASURE_MS,
  });
  return {
    system: "cosmos-emulator",
    workload,
    n: right,
    concurrency: CLIENTS,
    seconds,
    per_second: round(right / seconds),
    ...latencyFigures(latenciesMs),
    unit,
    // Answers with another status than 200; they are not in `n`.
    wrong,
  };
}

async function runClients(task: ClientsTask): Promise<ClientsResult> {
  const child = fork(new URL("./clients.ts", import.meta.url), { execArgv: process.execArgv });
  child.send(task);
  const [result] = (await once(child, "message")) as [ClientsResult];
  await once(child, "exit");
  return result;
}
