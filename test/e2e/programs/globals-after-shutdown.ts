/** Shuts down a runtime whose handlers never end, and says whether the globals are replaced before and after. */
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";

const real = { Date, setTimeout, random: Math.random };
const clock = new VirtualClock();
const provider = new MemoryProvider({ clock });
const hangs = activity("hangs", () => new Promise<void>(() => {}));
const one = orchestration("one", (ctx) => ctx.scheduleActivity(hangs));
const parts = { orchestrations: [one], activities: [hangs], logger: silentLogger };
const runtime = await Runtime.start({ provider, clock, ...parts });
await new Client(provider, { clock }).start(one, { instanceId: "one" });
await clock.advance(1_000);
const whileItRuns = { date: Date === real.Date };
const down = runtime.shutdown({ graceMs: 100 });
await clock.advance(2_100);
await down;
const afterwards = {
  date: Date === real.Date,
  setTimeout: setTimeout === real.setTimeout,
  random: Math.random === real.random,
};
await provider[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify({ whileItRuns, afterwards }));
