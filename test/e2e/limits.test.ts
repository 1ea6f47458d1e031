/** Limits of keys, and priorities (docs/decisions/limits.md). */
import {
  activity,
  Client,
  event,
  type InstanceHandle,
  orchestration,
  type Provider,
  Runtime,
  silentLogger,
} from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { begun, outputOf } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

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
  scenario("of an activity holds for all its calls", async (start) => {
    const gauge = new Gauge();
    const call = activity("call", { limit: "partner" }, async (_ctx, n: number) => gauge.run(n));
    const all = orchestration("all", async (ctx, count: number) =>
      ctx.all(numbers(count).map((n) => ctx.scheduleActivity(call, n))),
    );
    const env = await start({ orchestrations: [all], activities: [call] });
    await env.client.limits.set("partner", { concurrency: 3 });

    expect(await env.run(all, { input: 20 })).toEqual(numbers(20));
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

      await env.run(three);

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
    const { env, handle } = await begun(start, waits, { activities: [call] });
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
    const outcomes = await outputOf(start, tries, { activities: [call] });
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
  scenario("is shown with its limit, and begins when a permit ends", async (start) => {
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
    const handle = await env.begin(all);

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

  scenario("is shown with its limit in a later attempt too", async (start) => {
    const gate = Promise.withResolvers<void>();
    let attempts = 0;
    const fails = activity("fails", { limit: "partner" }, async () => {
      if (++attempts === 1) throw new Error("once");
    });
    const holds = activity("holds", { limit: "partner" }, () => gate.promise);
    const both = orchestration("both", async (ctx) => {
      await ctx.all([
        ctx.scheduleActivity(fails, undefined, { retry: { maxAttempts: 2 } }),
        ctx.scheduleActivity(holds),
      ]);
    });
    const env = await start({ orchestrations: [both], activities: [fails, holds] });
    await env.client.limits.set("partner", { concurrency: 1 });
    const handle = await env.begin(both);
    await env.advance(60_000);

    const { waits } = await env.client.admin.timeline("i");
    expect(waits.map(({ reason }) => reason)).toContain('waiting for limit "partner"');
    gate.resolve();
    await env.finish(handle);
  });

  scenario("with a higher priority goes first", async (start) => {
    const gauge = new Gauge();
    const call = activity("call", { limit: "partner" }, async (_ctx, n: number) => gauge.run(n));
    const all = orchestration("all", async (ctx) =>
      ctx.all([3, 5, 1, 4, 2].map((n) => ctx.scheduleActivity(call, n, { priority: n as 1 }))),
    );
    const env = await start({ orchestrations: [all], activities: [call] });
    await env.client.limits.set("partner", { concurrency: 1 });
    await env.run(all);
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

describe("a limit of instances", () => {
  scenario("holds their code back until others have ended, and shows them as waiting", async (start) => {
    const begun: number[] = [];
    const go = event<void>("go", { keep: true });
    const work = orchestration("work", async (ctx, n: number) => {
      if (!ctx.isReplaying) begun.push(n);
      await ctx.waitForEvent(go);
      return n;
    });
    const env = await start({ orchestrations: [work] });
    const { client } = env;
    await client.limits.set("imports/*", { concurrency: 1 });
    const handles: InstanceHandle<number>[] = [];
    for (const n of [1, 2, 3]) {
      handles.push(await client.start(work, { instanceId: `i${n}`, input: n, limit: "imports/acme" }));
      await env.settle();
    }
    const statuses = async (): Promise<unknown> =>
      Promise.all(handles.map(async (handle) => (await handle.status()).status));

    expect(await statuses()).toEqual(["Running", "Waiting", "Waiting"]);
    expect(await handles[1]?.status()).toMatchObject({ status: "Waiting", limit: "imports/acme" });
    expect(begun).toEqual([1]);
    expect(await client.limits.get("imports/acme")).toMatchObject({ running: 1, waiting: 2 });
    const { instances } = await client.admin.query({ filter: { status: ["Waiting"] } });
    expect(instances.map(({ instanceId, status, limit }) => [instanceId, status, limit])).toEqual([
      ["i3", "Waiting", "imports/acme"],
      ["i2", "Waiting", "imports/acme"],
    ]);
    expect((await client.admin.query({ filter: { status: ["Running"] } })).instances).toHaveLength(1);
    for (const [status, count] of [
      [["Running", "Scheduled"], 1],
      [["Waiting", "Scheduled"], 2],
      [["Waiting", "Running"], 3],
    ] as const) {
      expect((await client.admin.query({ filter: { status } })).instances).toHaveLength(count);
      expect(await client.admin.count({ status })).toMatchObject({ counts: [{ count }] });
    }
    const { work: rows } = await client.admin.work({ kind: "worker" });
    expect(rows.map(({ instanceId, reason }) => [instanceId, reason])).toEqual([
      ["i2", 'waiting for limit "imports/acme"'],
      ["i3", 'waiting for limit "imports/acme"'],
    ]);
    expect((await client.admin.timeline("i2")).waits).toMatchObject([
      { limit: "imports/acme", reason: 'waiting for limit "imports/acme"' },
    ]);

    await client.admin.suspend("i3", { reason: "later" });
    await client.admin.resume("i3");
    await handles[0]?.raise(go);
    await env.settle();
    expect(await statuses()).toEqual(["Completed", "Running", "Waiting"]);
    await handles[1]?.raise(go);
    await handles[2]?.raise(go);
    for (const handle of handles) await env.finish(handle);
    expect(begun).toEqual([1, 2, 3]);
    expect(await client.limits.get("imports/acme")).toMatchObject({ running: 0, waiting: 0 });
  });

  scenario("is kept over waits and continue-as-new, and ends with a failure", async (start) => {
    const work = orchestration("work", async (ctx, n: number): Promise<void> => {
      await ctx.scheduleTimer({ minutes: 1 });
      if (n === 2) throw new Error("no");
      return ctx.continueAsNew("work", n + 1);
    });
    const other = orchestration("other", async () => "ran");
    const env = await start({ orchestrations: [work, other] });
    const { client } = env;
    await client.limits.set("one", { concurrency: 1 });
    await client.start(work, { instanceId: "a", input: 0, limit: "one" });
    await env.settle();
    const handle = await client.start(other, { instanceId: "b", limit: "one", priority: 1 });
    await env.settle();
    for (const _ of [1, 2]) {
      await env.advance(61_000);
      expect((await handle.status()).status).toBe("Waiting");
    }
    await env.advance(61_000);
    expect(await env.finish(handle)).toBe("ran");
    expect((await client.handle(work, "a").status()).status).toBe("Failed");
    expect(await client.limits.get("one")).toMatchObject({ running: 0, waiting: 0 });
  });

  scenario("is waited for again by an instance that is restarted", async (start) => {
    const work = orchestration("work", async (ctx, n: number): Promise<number> => {
      if (n === 0) return ctx.continueAsNew("work", 1);
      await ctx.waitForEvent("go");
      return n;
    });
    const env = await start({ orchestrations: [work] });
    const { client } = env;
    await client.limits.set("one", { concurrency: 1 });
    const first = await client.start(work, { instanceId: "a", input: 0, limit: "one" });
    await env.settle();
    await first.raise("go");
    expect(await env.finish(first)).toBe(1);
    await client.start(work, { instanceId: "b", input: 1, limit: "one" });
    await env.settle();
    await client.admin.restart("a", { reason: "a test" });
    await env.settle();
    expect((await first.status()).status).toBe("Waiting");
    await client.handle(work, "b").raise("go");
    await env.settle();
    expect((await first.status()).status).toBe("Running");
    expect(await client.limits.get("one")).toMatchObject({ running: 1, waiting: 0 });
  });

  scenario("lets one that is cancelled while it waits never run", async (start) => {
    const begun: string[] = [];
    const work = orchestration("work", async (ctx) => {
      if (!ctx.isReplaying) begun.push(ctx.instanceId);
      await ctx.waitForEvent("go");
    });
    const env = await start({ orchestrations: [work] });
    const { client } = env;
    await client.limits.set("one", { concurrency: 1 });
    const first = await client.start(work, { instanceId: "a", limit: "one" });
    await env.settle();
    const second = await client.start(work, { instanceId: "b", limit: "one" });
    await env.settle();
    await second.cancel("not needed");
    await env.settle();
    expect(await second.status()).toMatchObject({ status: "Cancelled", reason: "not needed" });
    await client.admin.terminate("a", { reason: "a test" });
    await env.settle();
    expect((await first.status()).status).toBe("Cancelled");
    expect(begun).toEqual(["a"]);
    expect(await client.limits.get("one")).toMatchObject({ running: 0, waiting: 0 });
  });
});
