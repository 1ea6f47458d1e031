/** Limits of keys, and priorities (docs/decisions/limits.md). */
import { activity, Client, orchestration, type Provider, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { engineScenario } from "../support/scenario.ts";

/** Counts how many run at the same time, and notes the order in which they begin. */
class Gauge {
  most = 0;
  readonly begun: unknown[] = [];
  #running = 0;

  readonly run = async (what: unknown): Promise<unknown> => {
    this.#running++;
    this.most = Math.max(this.most, this.#running);
    this.begun.push(what);
    await new Promise((resolve) => setImmediate(resolve));
    this.#running--;
    return what;
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe("a limit", () => {
  engineScenario("of an activity holds for all its calls", async (start) => {
    const gauge = new Gauge();
    const call = activity("call", { limit: "partner" }, async (_ctx, n: number) => gauge.run(n));
    const all = orchestration("all", async (ctx, count: number) =>
      ctx.all(numbers(count).map((n) => ctx.scheduleActivity(call, n))),
    );
    const env = await start({ orchestrations: [all], activities: [call] });
    await env.client.limits.set("partner", { concurrency: 3 });

    const handle = await env.client.start(all, { instanceId: "i", input: 20 });

    expect(await env.finish(handle)).toEqual(numbers(20));
    expect(gauge.most).toBe(3);
  });

  engineScenario(
    "of a call takes the place of that of its activity, and steps have one too",
    async (start) => {
      const call = activity("call", { limit: "partner" }, async () => "done");
      const three = orchestration("three", async (ctx) => {
        await ctx.scheduleActivity(call, undefined, { limit: "other/one", priority: 2 });
        await ctx.scheduleActivity(call);
        await ctx.scheduleActivity("call");
        await ctx.run("step", () => "done", { limit: "openai", priority: 5 });
        return ctx.scheduleActivity("call", undefined, { retry: { maxAttempts: 2 } });
      });
      const env = await start({ orchestrations: [three], activities: [call] });

      await env.finish(await env.client.start(three, { instanceId: "i" }));

      const events = await env.client.admin.history("i");
      const keys = events.flatMap((event) =>
        event.type === "ActivityScheduled" ? [[event.limit, event.priority]] : [],
      );
      expect(keys).toEqual([
        ["other/one", 2],
        ["partner", undefined],
        ["partner", undefined],
        ["openai", 5],
        ["partner", undefined],
      ]);
    },
  );

  engineScenario("may change in code: replay does not compare it", async (start) => {
    let key = "one";
    const call = activity("call", async () => "done");
    const waits = orchestration("waits", async (ctx) => {
      await ctx.scheduleActivity(call, undefined, { limit: key });
      return ctx.waitForEvent("go");
    });
    const env = await start({ orchestrations: [waits], activities: [call] });
    const handle = await env.client.start(waits, { instanceId: "i" });
    await env.settle();
    key = "two";
    await handle.raise("go", "went");
    expect(await env.finish(handle)).toBe("went");
  });

  engineScenario("that is none is refused where it is given", async (start) => {
    const call = activity("call", async () => "done");
    const tries = orchestration("tries", async (ctx) => {
      const given = [
        { limit: "" },
        { limit: "a/b/c" },
        { limit: "a/*" },
        { limit: 5 },
        { priority: 0 },
        { priority: 6 },
        { priority: 1.5 },
        { limit: "a", session: "s" },
      ];
      return given.map((options) => {
        try {
          ctx.scheduleActivity(call, undefined, options as object);
          return "accepted";
        } catch (error) {
          return (error as { code: string }).code;
        }
      });
    });
    const env = await start({ orchestrations: [tries], activities: [call] });
    const outcomes = await env.finish(await env.client.start(tries, { instanceId: "i" }));
    expect(outcomes).toEqual(Array.from({ length: 8 }, () => "invalid-input"));
    expect(() => activity("other", { limit: "a/*" }, async () => "done")).toThrow(/limit must not have a/);
  });

  engineScenario("of a rule that is none is refused before anything is stored", async (start) => {
    const env = await start({ orchestrations: [orchestration("none", async () => 1)] });
    const { limits } = env.client;
    const rate = { max: 1, per: { seconds: 1 } };
    const rules: unknown[] = [
      undefined,
      null,
      {},
      5,
      { concurrency: 0 },
      { concurrency: 1.5 },
      { concurrency: "5" },
      { concurrent: 5 },
      { rate: {} },
      { rate: { max: 1 } },
      { rate: { per: 1_000 } },
      { rate: { max: 0, per: 1_000 } },
      { rate: { ...rate, burst: 0 } },
      { rate: { ...rate, every: 1 } },
      { rate: { max: 1, per: 0 } },
      { rate: { max: 1, per: { weeks: 1 } } },
    ];
    for (const rule of rules) {
      await expect(limits.set("k", rule as object), JSON.stringify(rule)).rejects.toMatchObject({
        code: "invalid-input",
      });
    }
    for (const key of ["", "/a", "a/", "a/b/c", "*", "a/b*", "*/a"]) {
      await expect(limits.set(key, { rate }), key).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(await limits.list()).toEqual([]);
  });
});

describe("a waiting activity", () => {
  engineScenario("is shown with its limit, and begins when a permit ends", async (start) => {
    const gate = Promise.withResolvers<void>();
    const call = activity("call", { limit: "partner" }, async (_ctx, n: number) => {
      if (n === 0) await gate.promise;
      return n;
    });
    const all = orchestration("all", async (ctx) =>
      ctx.all([0, 1].map((n) => ctx.scheduleActivity(call, n))),
    );
    const env = await start({ orchestrations: [all], activities: [call] });
    await env.client.limits.set("partner", { concurrency: 1 });
    const handle = await env.client.start(all, { instanceId: "i" });
    await env.settle();

    expect(await env.client.limits.get("partner")).toMatchObject({ running: 1, waiting: 1 });
    const { work } = await env.client.admin.work({ kind: "worker" });
    expect(work.map(({ limit, reason }) => [limit, reason])).toEqual([
      [undefined, undefined],
      ["partner", 'waiting for limit "partner"'],
    ]);
    const { waits } = await env.client.admin.timeline("i");
    expect(waits.map(({ limit, reason }) => [limit, reason])).toEqual([
      [undefined, undefined],
      ["partner", 'waiting for limit "partner"'],
    ]);
    gate.resolve();
    expect(await env.finish(handle)).toEqual([0, 1]);
  });

  engineScenario("with a higher priority goes first", async (start) => {
    const gauge = new Gauge();
    const call = activity("call", { limit: "partner" }, async (_ctx, n: number) => gauge.run(n));
    const all = orchestration("all", async (ctx) =>
      ctx.all([3, 5, 1, 4, 2].map((n) => ctx.scheduleActivity(call, n, { priority: n as 1 }))),
    );
    const env = await start({ orchestrations: [all], activities: [call] });
    await env.client.limits.set("partner", { concurrency: 1 });
    await env.finish(await env.client.start(all, { instanceId: "i" }));
    expect(gauge.begun).toEqual([1, 2, 3, 4, 5]);
  });
});

/** A store without limits. */
function withoutLimits(provider: Provider): Provider {
  return new Proxy(provider, {
    get: (target, key) => {
      const value: unknown = key === "limits" ? undefined : Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

it("a limit of a store without limits is unsupported, and one of code ends the start", async () => {
  const provider = withoutLimits(new MemoryProvider());
  const client = new Client(provider);
  const unsupported = { code: "unsupported" };
  await expect(client.limits.set("k", { concurrency: 1 })).rejects.toMatchObject(unsupported);
  await expect(client.limits.list()).rejects.toMatchObject(unsupported);
  const orchestrations = [orchestration("o", async () => 1)];
  const limits = { k: { concurrency: 1 } };
  await expect(Runtime.start({ provider, orchestrations, limits })).rejects.toMatchObject(unsupported);
});

it("rules of code are stored at the start, and what was changed by hand stays until the code changes", async () => {
  const provider = new MemoryProvider();
  const client = new Client(provider, { logger: silentLogger });
  const orchestrations = [orchestration("o", async () => 1)];
  const start = async (concurrency: number): Promise<unknown> => {
    const options = { provider, orchestrations, logger: silentLogger };
    await using _runtime = await Runtime.start({ ...options, limits: { k: { concurrency } } });
    return (await client.limits.list())[0]?.limits;
  };
  expect(await start(5)).toEqual({ concurrency: 5 });
  await client.limits.set("k", { concurrency: 2 }, { by: "ada", reason: "a test" });
  expect(await start(5)).toEqual({ concurrency: 2 });
  expect(await client.limits.list()).toMatchObject([{ key: "k", by: "ada", reason: "a test" }]);
  expect(await start(6)).toEqual({ concurrency: 6 });
  await client.limits.delete("k", { by: "ada" });
  expect(await start(6)).toBeUndefined();
  const bad = { provider, orchestrations, limits: { k: { concurrency: 0 } } };
  await expect(Runtime.start(bad)).rejects.toMatchObject({ code: "invalid-input" });
});
