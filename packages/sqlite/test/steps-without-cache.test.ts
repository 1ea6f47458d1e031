/** Steps of a runtime that keeps no execution in memory (step-memory.SM3). */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";

it("a step runs where only a turn knows the entries with which its execution began", async () => {
  await using provider = await SqliteProvider.open(":memory:");
  let isUp = false;
  const job = orchestration("job", async (ctx) => {
    ctx.kv.set("a", 1);
    return ctx.run("step", () => {
      if (!isUp) throw new Error("down");
      return "done";
    });
  });
  const options = { provider, orchestrations: [job], liveExecutions: 0, logger: silentLogger };
  const client = new Client(provider);
  const first = await Runtime.start(options);
  const handle = await client.start(job, { instanceId: "i" });
  await expect(handle.result()).rejects.toThrow("down");
  await first.shutdown();
  isUp = true;
  await client.admin.rewind("i", { toEvent: 3 });
  await client.admin.prune("i", { keepLast: 1 });
  await using _second = await Runtime.start(options);
  expect(await handle.result()).toBe("done");
}, 120_000);
