/** The request of a client to a store when it only wants to know what runs. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { expect, it, vi } from "vitest";

const waiting = orchestration("waiting", async (ctx) => {
  await ctx.waitForEvent("never");
});

it("what runs and what is blocked is counted without the whole metrics", async () => {
  const provider = new MemoryProvider();
  const all = vi.spyOn(provider.admin, "getSystemMetrics");
  const client = new Client(provider);
  const runtime = await Runtime.start({
    provider,
    orchestrations: [waiting],
    activities: [],
    logger: silentLogger,
  });
  const handle = await client.start(waiting);
  await vi.waitFor(async () => expect((await handle.status()).status).toBe("Running"));
  await runtime.shutdown();
  expect(await client.admin.runningMetrics()).toEqual({ runningInstances: 1, blockedWork: 0 });
  expect(all).not.toHaveBeenCalled();
});
