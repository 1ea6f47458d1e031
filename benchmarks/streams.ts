/**
 * Streams: the time from a write that is flushed until a reader of the same process has the value, alone and beside a
 * thousand readers, and how many values a second one step writes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Client, orchestration, Runtime, silentLogger, stream } from "@duroxide-ts/core";
import { latencyFigures, round } from "./figures.ts";
import type { StoreName } from "./store-names.ts";
import { withStore } from "./stores.ts";

const WRITES = 300;
/** Pause after each write, in which everything comes to rest, ms. */
const PAUSE_MS = 5;
const COUNT = 200_000;

interface Load {
  readonly writes: number;
  readonly pauseMs: number;
}

const times = stream<number>("times", { maxItems: 1_000_000 });

const write = activity("write", async (ctx, { writes, pauseMs }: Load) => {
  const written = ctx.stream(times);
  for (let n = 0; n < writes; n++) {
    await written.write(performance.now());
    if (pauseMs === 0) continue;
    await written.flush();
    await sleep(pauseMs);
  }
});

const writes = orchestration("writes", async (ctx, load: Load) => ctx.scheduleActivity(write, load));

export async function measureStreams(store: StoreName): Promise<readonly object[]> {
  return withStore(store, "power", async (provider) => {
    await using _runtime = await Runtime.start({
      provider,
      orchestrations: [writes],
      activities: [write],
      logger: silentLogger,
    });
    const client = new Client(provider);
    const paused = { writes: WRITES, pauseMs: PAUSE_MS };
    return [
      { workload: "a flushed value until its reader has it", readers: 1, ...(await run(client, paused, 1)) },
      {
        workload: "a flushed value until its readers have it",
        readers: 1_000,
        ...(await run(client, paused, 1_000)),
      },
      {
        workload: "values of one step",
        readers: 1,
        ...(await run(client, { writes: COUNT, pauseMs: 0 }, 1)),
      },
    ];
  });
}

async function run(client: Client, load: Load, readers: number): Promise<object> {
  const beganMs = performance.now();
  const handle = await client.start(writes, { input: load });
  const latencies: number[] = [];
  const read = async (): Promise<void> => {
    for await (const { value } of handle.stream(times))
      if (value !== undefined) latencies.push(performance.now() - value);
  };
  await Promise.all(Array.from({ length: readers }, read));
  const seconds = (performance.now() - beganMs) / 1_000;
  return {
    n: load.writes,
    per_second: Math.round(load.writes / seconds),
    ...latencyFigures(latencies),
    seconds: round(seconds),
  };
}
