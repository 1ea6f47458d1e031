/**
 * Measures how long hello, a step, a child and a signal take with 5, 20 and 50 ms of network between the process and
 * Cosmos DB, in virtual time: nothing but the network takes any. So the figures are round trips that follow each other.
 */
import {
  type AnyOrchestration,
  activity,
  Client,
  event,
  type InstanceHandle,
  orchestration,
  Runtime,
  sleep,
} from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { round } from "../figures.ts";
import { VirtualTime } from "./virtual-time.ts";

const NETWORKS_MS: readonly number[] = [5, 20, 50];

/** After them the process knows its orchestrations, and fetches wait. */
const WARM_UP_RUNS = 5;
const SETTLE_MS = 3_000;

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
const go = event<number>("go");

const steps = orchestration("steps", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.scheduleActivity(greet, "you");
});
const child = orchestration("child", async (ctx) => ctx.scheduleActivity(greet, "you"));
const children = orchestration("children", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.scheduleSubOrchestration(child, undefined);
});
const listener = orchestration("listener", async (ctx, times: number) => {
  for (let n = 0; n < times; n++) await ctx.waitForEvent(go);
});
const orchestrations: readonly AnyOrchestration[] = [steps, child, children, listener];

export interface LatencyMeasurement {
  readonly system: "duroxide-ts/cosmos";
  readonly workload: string;
  /** Time of a round trip, ms. */
  readonly network_ms: number;
  readonly ms: number;
  readonly round_trips: number;
  /** Round trips that must follow each other. */
  readonly least: number;
}

export async function measureLatency(): Promise<readonly LatencyMeasurement[]> {
  const measurements: LatencyMeasurement[] = [];
  for (const networkMs of NETWORKS_MS) measurements.push(...(await measureAt(networkMs)));
  return measurements;
}

async function measureAt(networkMs: number): Promise<readonly LatencyMeasurement[]> {
  const time = new VirtualTime();
  const { clock } = time;
  await using emulator = await CosmosEmulator.start({ port: 0, now: () => clock.now() });
  const options = { connectionString: emulator.connectionString, clock, reconcilerIntervalMs: 3_600_000 };
  const connecting = CosmosProvider.connectThrough(options, async (request, next) => {
    const answer = await time.request(next(request));
    await sleep(clock, networkMs);
    return answer;
  });
  await using provider = await time.until(connecting);
  const runtime = await time.until(Runtime.start({ provider, clock, activities: [greet], orchestrations }));
  const stopwatch = new Stopwatch(time, new Client(provider, { clock }));
  const line = (workload: string, least: number, ms: number): LatencyMeasurement => ({
    system: "duroxide-ts/cosmos",
    workload,
    network_ms: networkMs,
    ms: round(ms),
    round_trips: round(ms / networkMs),
    least,
  });
  const measurements = [
    line("start", 1, await stopwatch.startMs(listener)),
    line("hello", 2, await stopwatch.warmRunMs(steps, 1)),
    line("a further step", 1, await stopwatch.furtherMs(steps)),
    line("a further child with a step", 3, await stopwatch.furtherMs(children)),
    line("a signal, until the end", 2, await stopwatch.signalMs()),
  ];
  await time.until(runtime.shutdown());
  return measurements;
}

/** Measures in virtual time, ms. */
class Stopwatch {
  readonly #time: VirtualTime;
  readonly #client: Client;

  constructor(time: VirtualTime, client: Client) {
    this.#time = time;
    this.#client = client;
  }

  startMs(kind: AnyOrchestration): Promise<number> {
    return this.#timed(() => this.#start(kind, 1));
  }

  /** A run in a process that knows the orchestration. `times`: its steps. */
  async warmRunMs(kind: AnyOrchestration, times: number): Promise<number> {
    for (let n = 0; n < WARM_UP_RUNS; n++) await this.#time.until(this.#run(kind, times));
    await this.#settled();
    return this.#timed(() => this.#run(kind, times));
  }

  /** One more step of a run. */
  async furtherMs(kind: AnyOrchestration): Promise<number> {
    return ((await this.warmRunMs(kind, 6)) - (await this.warmRunMs(kind, 1))) / 5;
  }

  /** The time from an event to the result that it causes. */
  async signalMs(): Promise<number> {
    const instance = await this.#time.until(this.#start(listener, 1));
    await this.#settled();
    return this.#timed(async () => {
      await instance.raise(go, 1);
      await instance.result();
    });
  }

  async #timed(act: () => Promise<unknown>): Promise<number> {
    const { clock } = this.#time;
    const sinceMs = clock.now();
    await this.#time.until(act());
    return clock.now() - sinceMs;
  }

  #start(kind: AnyOrchestration, times: number): Promise<InstanceHandle<unknown>> {
    return this.#client.start(kind.name, { input: times });
  }

  async #run(kind: AnyOrchestration, times: number): Promise<void> {
    await (await this.#start(kind, times)).result();
  }

  #settled(): Promise<void> {
    return this.#time.until(sleep(this.#time.clock, SETTLE_MS));
  }
}
