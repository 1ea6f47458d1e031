/**
 * How much longer orchestrations take while another physical partition refuses every request with 429: the ten
 * activities of W2, in three partitions of four, served by the process that starts them. The fourth one has work too.
 * Only the local endpoint can throttle one partition for ever.
 */
import { CosmosClient } from "@azure/cosmos";
import { Client, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { percentile, round } from "../figures.ts";
import { activities, orchestrations } from "../workloads.ts";

const ROUNDS = 4;
const ORCHESTRATIONS = 60;
const OUTSTANDING = 10;
const THROTTLED = 10;

/** Delay of each request, as from another machine of the region, ms. */
const DELAY_MS = 5;

const PLACE = { database: "duroxide", container: "throttled" } as const;
const THROTTLED_RANGE = "0";

export async function measureThrottled(): Promise<readonly object[]> {
  await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 4 });
  const { connectionString } = emulator;
  await using provider = await CosmosProvider.connect({ connectionString, ...PLACE });
  const client = new Client(provider);
  const runtime = await Runtime.start({ provider, activities, orchestrations });
  const ids = new Ids(connectionString);
  await runAll(client, await ids.take("healthy", ORCHESTRATIONS));
  const rounds: { readonly healthy: Run; readonly beside: Run }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = [
      await ids.take("healthy", ORCHESTRATIONS),
      await ids.take("healthy", ORCHESTRATIONS),
    ];
    const throttled = await ids.take("throttled", THROTTLED);
    emulator.faults.add({ effect: { kind: "delay", delayMs: DELAY_MS } });
    const healthy = await runAll(client, first);
    for (const id of throttled) await client.start("sequence", { instanceId: id, input: id });
    emulator.faults.add({
      match: { range: THROTTLED_RANGE },
      effect: { kind: "error", status: 429, retryAfterMs: 100 },
    });
    const beside = await runAll(client, second);
    emulator.faults.clear();
    rounds.push({ healthy, beside });
  }
  await runtime.shutdown();
  ids.close();
  const median = (values: readonly number[]): number => round(percentile(values, 50));
  return [
    {
      system: "duroxide-ts/cosmos",
      workload: "throttled",
      delay_ms: DELAY_MS,
      // Of an orchestration in a healthy partition, from its start to its result; medians over the rounds.
      p50_ms: median(rounds.map(({ healthy }) => healthy.p50Ms)),
      p50_throttled_ms: median(rounds.map(({ beside }) => beside.p50Ms)),
      ratio: median(rounds.map(({ healthy, beside }) => beside.p50Ms / healthy.p50Ms)),
      seconds_ratio: median(rounds.map(({ healthy, beside }) => beside.totalMs / healthy.totalMs)),
    },
  ];
}

interface Run {
  readonly p50Ms: number;
  readonly totalMs: number;
}

async function runAll(client: Client, ids: readonly string[]): Promise<Run> {
  const queue = [...ids];
  const latencies: number[] = [];
  const beganMs = performance.now();
  const lane = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const startedMs = performance.now();
      const instance = await client.start("sequence", { instanceId: id, input: id });
      await instance.result({ timeout: { minutes: 5 } });
      latencies.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: OUTSTANDING }, lane));
  return { p50Ms: percentile(latencies, 50), totalMs: performance.now() - beganMs };
}

/** Instance ids of the partition that is throttled, and of the others. */
class Ids {
  readonly #client: CosmosClient;
  #next = 0;

  constructor(connectionString: string) {
    this.#client = new CosmosClient(connectionString);
  }

  async take(where: "healthy" | "throttled", count: number): Promise<readonly string[]> {
    const container = this.#client.database(PLACE.database).container(PLACE.container);
    const ids: string[] = [];
    while (ids.length < count) {
      const id = `run-${this.#next++}`;
      const { headers } = await container.item("nothing", id).read();
      const isThrottled = headers["x-ms-documentdb-partitionkeyrangeid"] === THROTTLED_RANGE;
      if (isThrottled === (where === "throttled")) ids.push(id);
    }
    return ids;
  }

  close(): void {
    this.#client.dispose();
  }
}
