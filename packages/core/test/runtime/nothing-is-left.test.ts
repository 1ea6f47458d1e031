/** After a shutdown nothing of the runtime waits for time, whatever its handlers do. */
import { describe, expect, it } from "vitest";
import {
  activity,
  Client,
  orchestration,
  Runtime,
  type RuntimeOptions,
  silentLogger,
} from "../../src/index.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

const hangs = activity("hangs", () => new Promise<void>(() => {}));
const ignores = activity("ignores", (ctx) => {
  ctx.signal.addEventListener("abort", () => {});
  return new Promise<void>(() => {});
});
const one = orchestration("one", (ctx) => ctx.scheduleActivity(hangs));
const inSession = orchestration("in-session", (ctx) =>
  ctx.scheduleActivity(hangs, undefined, { session: "s" }),
);
const cancelled = orchestration("cancelled", async (ctx) => {
  await ctx.race([ctx.scheduleActivity(ignores), ctx.scheduleTimer(10)]);
  await ctx.scheduleTimer({ days: 1 });
});

async function setUp(options: Partial<RuntimeOptions> = {}) {
  const clock = new VirtualClock();
  const provider = new MemoryProvider({ clock });
  const orchestrations = [one, inSession, cancelled];
  const activities = [hangs, ignores];
  const common = { provider, clock, orchestrations, activities, logger: silentLogger, ...options };
  const runtime = await Runtime.start(common);
  const client = new Client(provider, { clock });
  for (const each of orchestrations) await client.start(each, { instanceId: each.name });
  await clock.advance(1_000);
  return { clock, provider, runtime };
}

async function shutDown(runtime: Runtime, clock: VirtualClock, graceMs: number): Promise<void> {
  const down = runtime.shutdown({ graceMs });
  await clock.advance(graceMs);
  await down;
}

describe("a runtime whose handlers never end", () => {
  it.each([0, 100])("leaves no timer after a shutdown with a grace of %i ms", async (graceMs) => {
    const { clock, provider, runtime } = await setUp();
    await shutDown(runtime, clock, graceMs);
    await provider[Symbol.asyncDispose]();
    expect(clock.nextDueMs).toBeUndefined();
    await clock.advance(3_600_000);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it("leaves none of a longer grace that a shorter one has replaced", async () => {
    const { clock, provider, runtime } = await setUp();
    const long = runtime.shutdown({ graceMs: 86_400_000 });
    await shutDown(runtime, clock, 10);
    await long;
    await provider[Symbol.asyncDispose]();
    expect(clock.nextDueMs).toBeUndefined();
  });
});
