/** A runtime that works until nothing is due, or until its time is over, and stops. */
import { activity, type Drained, type DrainOptions, orchestration, schedule } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import type { Environment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";
import { onEveryStore } from "../support/scenario.ts";

const double = activity("double", async (_ctx, n: number) => n * 2);
const child = orchestration("child", async (ctx, n: number) => ctx.scheduleActivity(double, n));
const chain = orchestration("chain", async (ctx, n: number) => {
  let sum = await ctx.scheduleSubOrchestration(child, n);
  for (let step = 0; step < 3; step++) sum = await ctx.scheduleActivity(double, sum);
  return sum;
});
const sleeps = orchestration("sleeps", async (ctx) => {
  await ctx.scheduleTimer({ hours: 1 });
  return "slept";
});
const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity("work"));
const parts = { orchestrations: [chain, child, sleeps, calls], activities: [double] };

const HOUR_MS = 3_600_000;

function drain(env: Environment, options: Partial<DrainOptions> = {}): Promise<Drained> {
  return env.until(env.runtime.drain({ until: { minutes: 10 }, ...options }));
}

describe("a drain", () => {
  onEveryStore("works until nothing is due, and stops soon", async (start) => {
    const env = await start(parts);
    const handles = await Promise.all(
      [1, 2, 3].map((n) => env.client.start(chain, { instanceId: `i-${n}`, input: n })),
    );
    const startMs = env.clock.now();

    expect(await drain(env)).toEqual({ reason: "idle" });
    expect(await Promise.all(handles.map((handle) => handle.result()))).toEqual([16, 32, 48]);
    expect(env.clock.now() - startMs).toBeLessThan(10_000);
  });

  onEveryStore("with nothing to do ends at once", async (start) => {
    const env = await start(parts);
    const startMs = env.clock.now();

    expect(await drain(env)).toEqual({ reason: "idle" });
    expect(env.clock.now() - startMs).toBeLessThanOrEqual(200);
  });

  onEveryStore("is not kept by what is due later, and says when that is", async (start) => {
    const env = await start(parts);
    const handle = await env.client.start(sleeps, { instanceId: "i" });
    const startMs = env.clock.now();

    const { reason, nextDueMs = 0 } = await drain(env);
    expect(reason).toBe("idle");
    expect(nextDueMs - startMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(nextDueMs - startMs).toBeLessThan(HOUR_MS + 10_000);
    await env.advance(nextDueMs - env.clock.now());
    await env.start();
    expect(await drain(env)).toEqual({ reason: "idle" });
    expect(await handle.result()).toBe("slept");
  });

  onEveryStore("fires the schedules that are due, and catches up", async (start) => {
    const hourly = schedule("hourly", {
      every: { hours: 1 },
      orchestration: child,
      input: 1,
      catchUp: "all",
    });
    const env = await start({ ...parts, options: { schedules: [hourly] } });
    expect((await drain(env)).reason).toBe("idle");
    await env.advance(2 * HOUR_MS + 60_000);
    await env.start();

    expect((await drain(env)).reason).toBe("idle");
    const { instances } = await env.client.schedules.runs("hourly");
    expect(instances.map(({ status }) => status)).toEqual(["Completed", "Completed"]);
  });

  onEveryStore("lets what is in flight at its end finish within the grace", async (start) => {
    const gate = Promise.withResolvers<string>();
    const env = await start({ ...parts, activities: [activity("work", async () => gate.promise)] });
    const handle = await env.begin(calls);
    const drained = env.runtime.drain({ until: 1_000, graceMs: 60_000 });
    await env.advance(2_000);
    gate.resolve("in time");

    expect(await env.until(drained)).toEqual({ reason: "time" });
    await env.start();
    expect(await env.finish(handle)).toBe("in time");
  });

  onEveryStore(
    "ends when its grace is over, whatever a handler does, and that counts as no attempt",
    async (start) => {
      const attempts: number[] = [];
      const work = activity("work", async (ctx) => {
        attempts.push(ctx.attempt);
        return attempts.length === 1 ? new Promise<string>(() => {}) : "again";
      });
      const env = await start({ ...parts, activities: [work] });
      const handle = await env.client.start(calls, { instanceId: "i" });
      const startMs = env.clock.now();

      expect(await drain(env, { until: new Date(startMs + 5_000), graceMs: 2_000 })).toEqual({
        reason: "time",
      });
      expect(env.clock.now() - startMs).toBeLessThan(20_000);
      await env.start();
      expect(await env.finish(handle)).toBe("again");
      expect(attempts).toEqual([1, 1]);
    },
  );

  onEveryStore("is not kept by work whose code it does not have", async (start) => {
    const env = await start({ ...parts, activities: [] });
    await env.client.start(calls, { instanceId: "no-activity" });
    await env.client.start("unknown", { instanceId: "no-orchestration" });

    expect((await drain(env)).reason).toBe("idle");
  });

  onEveryStore("shares the work with another one, and nothing runs twice", async (start) => {
    const seen: number[] = [];
    const counted = double.mock(async (_ctx, n) => {
      seen.push(n);
      return n;
    });
    const env = await start({ ...parts, activities: [counted], file: true });
    const other = await env.startElsewhere({ ...parts, activities: [counted] });
    for (let n = 0; n < 20; n++) await env.client.start(child, { instanceId: `i-${n}`, input: n });

    const both = [env.runtime, other].map((runtime) => runtime.drain({ until: { minutes: 10 } }));
    expect((await env.until(Promise.all(both))).map(({ reason }) => reason)).toEqual(["idle", "idle"]);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  onEveryStore("goes on with what comes meanwhile", async (start) => {
    const gate = Promise.withResolvers<void>();
    const work = activity("work", async () => gate.promise);
    const env = await start({ ...parts, activities: [double, work] });
    await env.client.start(calls, { instanceId: "first" });
    const drained = env.runtime.drain({ until: { minutes: 10 } });
    await env.advance(1_000);
    const second = await env.client.start(child, { instanceId: "second", input: 4 });
    gate.resolve();

    expect(await env.until(drained)).toEqual({ reason: "idle" });
    expect(await second.result()).toBe(8);
  });

  onEveryStore("does not take a store that fails for one without work", async (start) => {
    const faults = new Faults();
    const env = await start({ ...parts, wrap: faults.wrap });
    faults.on("fetchWorkItem", () => {
      throw fault("fetchWorkItem", "unavailable");
    });

    expect(await drain(env, { until: { seconds: 30 } })).toEqual({ reason: "time" });
  });

  onEveryStore("ends with a shutdown, and a runtime that was shut down refuses another", async (start) => {
    const env = await start({ ...parts, activities: [activity("work", () => new Promise(() => {}))] });
    await env.client.start(calls, { instanceId: "i" });
    const drained = env.runtime.drain({ until: { minutes: 10 } });
    await env.advance(1_000);
    await env.until(env.runtime.shutdown({ graceMs: 10 }));

    expect(await env.until(drained)).toEqual({ reason: "shutdown" });
    await expect(env.runtime.drain({ until: 1 })).rejects.toMatchObject({ code: "invalid-input" });
  });

  onEveryStore("is awaited by the end of the block of its runtime", async (start) => {
    const env = await start(parts);
    await env.client.start(chain, { instanceId: "i", input: 1 });
    const drained = env.runtime.drain({ until: { minutes: 10 } });
    await env.until(env.runtime[Symbol.asyncDispose]());

    expect(await drained).toEqual({ reason: "idle" });
  });

  onEveryStore("does not end by an answer from before something was begun", async (start) => {
    const faults = new Faults();
    const work = activity("work", () => new Promise<void>((resolve) => env.clock.schedule(500, resolve)));
    const env = await start({ ...parts, activities: [work], wrap: faults.wrap });
    let asked = 0;
    faults.on("fetchWorkItem", async (_call, [options]) => {
      if ((options as { readonly pollTimeoutMs: number }).pollTimeoutMs !== 0 || asked++ > 0) return;
      await env.client.start(calls, { instanceId: "late" });
    });

    expect(await drain(env)).toEqual({ reason: "idle" });
    expect(await env.client.handle(calls, "late").status()).toMatchObject({ status: "Completed" });
  });

  onEveryStore("refuses a time that is none", async (start) => {
    const env = await start(parts);
    for (const options of [
      { until: -1 },
      { until: new Date(Number.NaN) },
      { until: 1, grace: 2 },
      {},
      undefined,
    ])
      await expect(env.runtime.drain(options as DrainOptions)).rejects.toMatchObject({
        code: "invalid-input",
      });
  });
});
