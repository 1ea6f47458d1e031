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
  systemRandom,
} from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { round } from "../figures.ts";
import { advanceUntil } from "./virtual-time.ts";

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
  // From the present on, because requests carry the true time.
  const clock = new VirtualClock(Date.now());
  const traffic = new Set<Promise<unknown>>();
  await using emulator = await CosmosEmulator.start({ port: 0, now: () => clock.now() });
  await using provider = await advanceUntil(
    clock,
    traffic,
    CosmosProvider.connectThrough(
      { connectionString: emulator.connectionString, clock, reconcilerIntervalMs: 3_600_000 },
      async (request, next) => {
        const answering = next(request);
        traffic.add(answering);
        const answer = await answering.finally(() => traffic.delete(answering));
        await sleep(clock, networkMs);
        return answer;
      },
    ),
  );
  const runtime = await advanceUntil(
    clock,
    traffic,
    Runtime.start({ provider, clock, activities: [greet], orchestrations }),
  );
  const client = new Client(provider, { clock });
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const sinceMs = clock.now();
    await advanceUntil(clock, traffic, act());
    return clock.now() - sinceMs;
  };
  const start = (kind: AnyOrchestration, times: number): Promise<InstanceHandle<unknown>> =>
    client.start(kind.name, { instanceId: systemRandom.uuid(), input: times });
  const run = async (kind: AnyOrchestration, times: number): Promise<void> => {
    await (await start(kind, times)).result();
  };
  const settled = (): Promise<unknown> => advanceUntil(clock, traffic, sleep(clock, SETTLE_MS));
  const warm = async (kind: AnyOrchestration, times: number): Promise<number> => {
    for (let n = 0; n < WARM_UP_RUNS; n++) await advanceUntil(clock, traffic, run(kind, times));
    await settled();
    return timed(() => run(kind, times));
  };
  const one = async (kind: AnyOrchestration): Promise<number> =>
    ((await warm(kind, 6)) - (await warm(kind, 1))) / 5;
  const signal = async (): Promise<number> => {
    const instance = await advanceUntil(clock, traffic, start(listener, 1));
    await settled();
    return timed(async () => {
      await instance.raise(go, 1);
      await instance.result();
    });
  };
  const line = (workload: string, least: number, ms: number): LatencyMeasurement => ({
    system: "duroxide-ts/cosmos",
    workload,
    network_ms: networkMs,
    ms: round(ms),
    round_trips: round(ms / networkMs),
    least,
  });
  const measurements = [
    line("start", 1, await timed(() => start(listener, 1))),
    line("hello", 2, await warm(steps, 1)),
    line("a further step", 1, await one(steps)),
    line("a further child with a step", 3, await one(children)),
    line("a signal, until the end", 2, await signal()),
  ];
  await advanceUntil(clock, traffic, runtime.shutdown());
  return measurements;
}
