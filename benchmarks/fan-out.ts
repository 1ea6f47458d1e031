/** Time for one completion as the fan-out grows. It must not grow with it. */
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import type { StoreName } from "./store-names.ts";
import { withStore } from "./stores.ts";

const FAN_OUTS = [100, 1_000, 5_000];

const echo = activity("echo", async (_ctx, n: number) => n);
const fanOut = orchestration("fan-out", async (ctx, width: number) => {
  const results = await ctx.all(Array.from({ length: width }, (_, n) => ctx.scheduleActivity(echo, n)));
  return results.length;
});

export async function measureFanOut(store: StoreName): Promise<object[]> {
  const measurements: object[] = [];
  for (const width of FAN_OUTS) measurements.push(await measureWidth(store, width));
  return measurements;
}

function measureWidth(store: StoreName, width: number): Promise<object> {
  return withStore(store, "power", async (provider) => {
    await using _runtime = await Runtime.start({ provider, activities: [echo], orchestrations: [fanOut] });
    const client = new Client(provider);
    await (await client.start(fanOut, { instanceId: "warm", input: 100 })).result();
    const startedAt = performance.now();
    await (await client.start(fanOut, { instanceId: "measured", input: width })).result();
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      workload: "fanout",
      store,
      activities: width,
      seconds: Math.round(seconds * 1000) / 1000,
      per_second: Math.round(width / seconds),
      // The curve that should be flat.
      us_per_activity: Math.round((seconds * 1e6) / width),
    };
  });
}
