/** Starts that are held back for further ones of their id (docs/decisions/limits.md). */
import { event, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { scenario } from "../support/scenario.ts";

describe("a debounced start", () => {
  const debounce = { wait: { seconds: 30 }, max: { minutes: 1 } };

  scenario("becomes one start with the last input, when no further one has come", async (start) => {
    const inputs: number[] = [];
    const index = orchestration("index", async (ctx, n: number) => {
      if (!ctx.isReplaying) inputs.push(n);
      return n;
    });
    const env = await start({ orchestrations: [index] });
    const begin = (input: number) => env.client.start(index, { instanceId: "i", input, debounce });

    const first = await begin(1);
    await env.advance(20_000);
    const second = await begin(2);
    await env.advance(20_000);

    expect([first.created, second.created]).toEqual([true, false]);
    expect((await second.status()).status).toBe("Scheduled");
    await env.advance(11_000);
    expect(await env.finish(second)).toBe(2);
    expect(inputs).toEqual([2]);
  });

  scenario("begins at the latest when its longest time is over", async (start) => {
    const index = orchestration("index", async (_ctx, n: number) => n);
    const env = await start({ orchestrations: [index] });
    for (let n = 0; n < 4; n++) {
      await env.client.start(index, { instanceId: "i", input: n, debounce });
      await env.advance(20_000);
    }
    const handle = env.client.handle(index, "i");
    expect(await env.finish(handle)).toBe(2);
  });

  scenario("decides at the end of the wait about an instance that exists", async (start) => {
    const go = event<void>("go", { keep: true });
    const index = orchestration("index", async (ctx, n: number) => {
      if (n === 1) await ctx.waitForEvent(go);
      return n;
    });
    const env = await start({ orchestrations: [index] });
    const { client } = env;
    const running = await client.start(index, { instanceId: "i", input: 1 });
    await env.settle();
    await client.start(index, { instanceId: "i", input: 2, debounce, ifExists: "restart" });
    await env.advance(31_000);
    expect((await running.status()).status).toBe("Running");
    const dropped = () =>
      env.log.entries.filter(({ fields }) => fields["event"] === "debounced_start_dropped");
    expect(dropped()).toMatchObject([{ level: "warn", fields: { instance_id: "i" } }]);
    await client.start(index, { instanceId: "i", input: 3, debounce, ifExists: "restart" });
    await running.raise(go);
    expect(await env.finish(running)).toBe(1);
    await env.advance(31_000);
    expect(await env.finish(client.handle(index, "i"))).toBe(3);
    await client.start(index, { instanceId: "i", input: 4, debounce });
    await env.advance(31_000);
    expect(await env.finish(client.handle(index, "i"))).toBe(3);
    expect(dropped()).toHaveLength(1);
  });

  scenario("needs an id, and nothing that a single start has", async (start) => {
    const index = orchestration("index", async () => 1);
    const env = await start({ orchestrations: [index] });
    const given: object[] = [
      { debounce },
      { instanceId: "i", debounce: {} },
      { instanceId: "i", debounce: { wait: "soon" } },
      { instanceId: "i", debounce: { wait: 5, most: 6 } },
      { instanceId: "i", debounce, timeout: 5 },
      { instanceId: "i", debounce, after: 5 },
    ];
    for (const options of given) {
      await expect(env.client.start(index, options), JSON.stringify(options)).rejects.toMatchObject({
        code: "invalid-input",
      });
    }
  });
});
