/** What one completion costs as the fan-out grows: it should not. */
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { withDatabase } from "./database.ts";

const FAN_OUTS = [100, 1_000, 5_000];

const echo = activity("echo", async (_ctx, n: number) => n);
const fanOut = orchestration("fan-out", async (ctx, width: number) => {
  const results = await ctx.all(Array.from({ length: width }, (_, n) => ctx.scheduleActivity(echo, n)));
  return results.length;
});

export interface FanOutMeasurement {
  readonly workload: "fanout";
  readonly activities: number;
  readonly seconds: number;
  readonly per_second: number;
  /** Microseconds for each activity: the curve that should be flat. */
  readonly us_per_activity: number;
}

export async function measureFanOut(): Promise<FanOutMeasurement[]> {
  const measurements: FanOutMeasurement[] = [];
  for (const width of FAN_OUTS) measurements.push(await measureWidth(width));
  return measurements;
}

function measureWidth(width: number): Promise<FanOutMeasurement> {
  return withDatabase(async (provider) => {
    await using _runtime = await Runtime.start({ provider, activities: [echo], orchestrations: [fanOut] });
    const client = new Client(provider);
    await (await client.start(fanOut, { instanceId: "warm", input: 100 })).result();
    const startedAt = performance.now();
    await (await client.start(fanOut, { instanceId: "measured", input: width })).result();
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      workload: "fanout",
      activities: width,
      seconds: Math.round(seconds * 1000) / 1000,
      per_second: Math.round(width / seconds),
      us_per_activity: Math.round((seconds * 1e6) / width),
    };
  });
}
