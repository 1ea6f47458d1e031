/** A wait that ends in vain names what blocks the instance. */
import { expect, it, vi } from "vitest";
import { Client, orchestration, Runtime, silentLogger } from "../../src/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";

it("a wait for the result of blocked work says what blocks it", async () => {
  const provider = new MemoryProvider();
  const order = orchestration("order", async (ctx) => ctx.scheduleActivity("shipParcel"));
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: [order],
    activities: [],
    logger: silentLogger,
  });
  const handle = await new Client(provider).start(order, { instanceId: "i" });
  await vi.waitFor(async () => expect(await handle.status()).toHaveProperty("blocked"), { timeout: 600_000 });
  await expect(handle.result({ timeout: 0 })).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringMatching(
      /^instance "i": the wait timed out; it is blocked: .*shipParcel/,
    ) as string,
  });
});
