/** Work that waits for another process costs the ones that cannot take it next to nothing. */
import { activity, orchestration } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { forVersion } from "../../../../test/support/changed-provider.ts";
import { type Environment, startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));

/** Requests in each second, once a process has had a while to come to rest. */
async function requestsPerSecond(emulator: CosmosEmulator, env: Environment): Promise<number> {
  await env.advance(10_000);
  const before = emulator.requestLog.mark();
  await env.advance(10_000);
  return emulator.requestLog.since(before).total.requests / 10;
}

describe("a process", () => {
  it("asks twice a second, and once for the instance, while an instance waits that it does not support", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const store = cosmosOn(emulator);
    await using env = await startEnvironment({ store, orchestrations: [waits] });
    const handle = await env.client.start(waits, { instanceId: "i" });
    await env.settle();
    await env.restart({ options: { provider: forVersion(env.provider, "9.9.9") } });
    for (let n = 0; n < 5; n++) await handle.raise("go", n);

    expect(await requestsPerSecond(emulator, env)).toBeLessThanOrEqual(3.5);
  });

  // candidates.CA3
  it("asks as seldom while activities wait for a session that another process has", async () => {
    const calls = orchestration("calls", async (ctx) =>
      ctx.all([1, 2, 3, 4, 5].map((n) => ctx.scheduleActivity("busy", n, { session: "s" }))),
    );
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const busy = activity("busy", () => new Promise<void>(() => {}));
    await using owner = await startEnvironment({
      store: cosmosOn(emulator),
      orchestrations: [calls],
      activities: [busy],
      options: { workerNodeId: "owner", workerConcurrency: 1 },
    });
    await owner.client.start(calls, { instanceId: "i" });
    await owner.settle();
    await using env = await startEnvironment({ store: cosmosOn(emulator), activities: [busy] });

    expect(await requestsPerSecond(emulator, env)).toBeLessThanOrEqual(3.5);
  });
});
