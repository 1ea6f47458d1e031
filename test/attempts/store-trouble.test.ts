/** A store that refuses everything: what an idle process asks of it, and what becomes of work that waits for it. */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { FaultProxy } from "../support/fault-proxy/fault-proxy.ts";
import { RecordingLogger } from "../support/recording-logger.ts";

const hello = orchestration("hello", async (_ctx, name: string) => `hello ${name}`);
const none = activity("none", async () => {});

describe("an idle process on Cosmos DB", () => {
  it.each([401, 403, 404, 400])(
    "asks seldom and says little while every request is answered with %d, and goes on afterwards",
    { timeout: 900_000 },
    async (status) => {
      await using emulator = await CosmosEmulator.start({ port: 0 });
      await using proxy = await FaultProxy.start(emulator.endpoint);
      const connectionString = proxy.connectionString(emulator.key);
      await using provider = await CosmosProvider.connect({
        connectionString,
        database: "d",
        container: "c",
      });
      const logger = new RecordingLogger();
      const troubles: boolean[] = [];
      await using _runtime = await Runtime.start({
        provider,
        orchestrations: [hello],
        activities: [none],
        logger,
        onStoreTrouble: ({ permanent }) => troubles.push(permanent),
      });
      {
        using rule = proxy.answerAll(status);
        // What was under way when the trouble began, and the first, short pauses.
        await rule.untilHit(5);
        const mark = proxy.counts.mark();
        const before = logger.entries.length;
        await sleep(5_000);

        expect(proxy.counts.since(mark).perSecond).toBeLessThanOrEqual(5);
        expect(logger.entries.length - before).toBeLessThanOrEqual(10);
        expect(troubles).toContain(true);
      }

      const handle = await new Client(provider).start(hello, { instanceId: "i", input: "again" });
      expect(await handle.result({ timeout: { minutes: 14 } })).toBe("hello again");
    },
  );
});

describe("a full SQLite store", () => {
  it("ends nothing: each activity runs once, and everything goes on when there is room", {
    timeout: 900_000,
  }, async () => {
    const runs = new Map<string, number>();
    const large = activity("large", async (ctx) => {
      const key = ctx.idempotencyKey;
      runs.set(key, (runs.get(key) ?? 0) + 1);
      return "x".repeat(50_000);
    });
    const collects = orchestration("collects", async (ctx, steps: number) => {
      let length = 0;
      for (let step = 0; step < steps; step++) length += (await ctx.scheduleActivity(large)).length;
      return length;
    });
    await using provider = await SqliteProvider.open(":memory:", { maxSizeBytes: 1_500_000 });
    const client = new Client(provider);
    const logger = new RecordingLogger();
    await using _runtime = await Runtime.start({
      provider,
      orchestrations: [collects],
      activities: [large],
      maxAttempts: 2,
      logger,
    });
    // It has ended, and fills half of the store.
    await (await client.start(collects, { instanceId: "old", input: 14 })).result();
    const handles = [];
    for (const instanceId of ["a", "b"]) handles.push(await client.start(collects, { instanceId, input: 8 }));
    await expect
      .poll(() => logger.entries.some(({ fields }) => fields["event"] === "store_trouble"), {
        timeout: 900_000,
      })
      .toBe(true);
    // Longer than many attempts took: each took a tenth of a second.
    await sleep(3_000);

    for (const handle of handles) expect(await handle.status()).not.toMatchObject({ status: "Failed" });
    const deleted = (): Promise<boolean> =>
      client.admin.delete("old").then(
        () => true,
        () => false,
      );
    await expect.poll(deleted, { timeout: 900_000 }).toBe(true);
    for (const handle of handles) expect(await handle.result({ timeout: { minutes: 14 } })).toBe(400_000);
    for (const [key, count] of runs) expect([key, count]).toEqual([key, 1]);
  });
});
