/** Durable timers: when they fire, in which order, and across restarts. Virtual time only. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const nap = orchestration("nap", async (ctx, ms: number) => {
  await ctx.scheduleTimer(ms);
  return "awake";
});

describe("a timer", () => {
  scenario("fires when its time has come, not before", async (start) => {
    const { env, handle } = await started(start, nap, { input: 60_000 });

    await env.advance(59_999);
    expect(await handle.status()).toMatchObject({ status: "Running" });
    await env.advance(1);
    expect(await handle.status()).toMatchObject({ status: "Completed", output: "awake" });
  });

  scenario("records when it is to fire, from the present", async (start) => {
    const twoNaps = orchestration("two-naps", async (ctx) => {
      await ctx.scheduleTimer(1_000);
      await ctx.scheduleTimer({ minutes: 1, seconds: 1 });
    });
    const env = await start({ orchestrations: [twoNaps] });
    const startMs = env.clock.now();

    await env.client.start(twoNaps, { instanceId: "i" });
    await env.advance(1_500);

    const created = (await env.events("i")).filter((event) => event.type === "TimerCreated");
    expect(created.map(({ fire_at_ms }) => Number(fire_at_ms) - startMs)).toEqual([1_000, 62_000]);
  });

  scenario("may have a date, and fires then, or at once for a date that has passed", async (start) => {
    const dated = orchestration("dated", async (ctx) => {
      await ctx.scheduleTimer(new Date(0));
      const before = ctx.now();
      await ctx.scheduleTimer(new Date(before + 3_600_000));
      return ctx.now() - before;
    });
    const wrong = orchestration("wrong", async (ctx) => ctx.scheduleTimer(new Date(Number.NaN)));
    const env = await start({ orchestrations: [dated, wrong] });
    env.needsVirtualTime("an hour passes");

    expect(await env.run(dated)).toBe(3_600_000);
    expect((await env.failureOf(wrong, { instanceId: "wrong" })).message).toMatch(/invalid Date/);
  });

  scenario("may name an instant, and fires then, or at once for one that has passed", async (start) => {
    const instants = orchestration("instants", async (ctx) => {
      await ctx.scheduleTimer({ until: -1 });
      const before = ctx.now();
      await ctx.scheduleTimer({ until: before - 1 });
      await ctx.scheduleTimer({ until: before + 3_600_000 });
      return ctx.now() - before;
    });
    const env = await start({ orchestrations: [instants] });
    env.needsVirtualTime("an hour passes");

    expect(await env.run(instants)).toBe(3_600_000);
  });

  engineScenario("may be a cron expression, whose time is decided once", async (start) => {
    let clock = "5 * * * *";
    const nightly = orchestration("nightly", async (ctx) => {
      for (let night = 0; night < 2; night++)
        await ctx.scheduleTimer({ cron: clock, timezone: "Asia/Kathmandu" }, { label: "nightly" });
    });
    const env = await start({ orchestrations: [nightly], file: true });
    env.needsVirtualTime("an hour passes");
    await env.begin(nightly);
    clock = "35 * * * *"; // read from history by the replay that follows
    await env.restart();
    await env.advance(3_600_000);

    await env.finish(env.client.handle(nightly, "i"));
    const due = (await env.events("i")).flatMap((event) =>
      event.type === "TimerFired" ? [new Date(Number(event.fire_at_ms)).toISOString().slice(14)] : [],
    );
    expect(due).toEqual(["20:00.000Z", "50:00.000Z"]);
  });

  scenario("of no time fires all the same", async (start) => {
    const env = await start({ orchestrations: [nap] });

    expect(await env.run(nap, { instanceId: "i", input: 0 })).toBe("awake");
    expect(await env.history("i")).toHaveLength(4);
  });

  scenario("of a negative time is refused", async (start) => {
    const { env, handle } = await started(start, nap, { input: -1 });

    expect((await env.failure(handle)).message).toContain("zero or more");
  });

  scenario("of a month is waited for", async (start) => {
    const { env, handle } = await begun(start, nap, { input: 30 * 86_400_000 });
    const [, created] = await env.events("i");

    expect(created).toMatchObject({ fire_at_ms: env.clock.now() + 30 * 86_400_000 });
    expect(await handle.status()).toMatchObject({ status: "Running" });
  });
});

describe("a restart", () => {
  scenario("before timers fire loses none", async (start) => {
    const three = orchestration("three", async (ctx) => {
      await ctx.all([1_000, 2_000, 3_000].map((ms) => ctx.scheduleTimer(ms)));
      return "all fired";
    });
    const { env } = await started(start, three, { file: true });
    await env.advance(1_500);
    await env.restart();

    expect(await env.finish(env.client.handle(three, "i"))).toBe("all fired");
    expect((await env.history("i")).filter((line) => line.includes("TimerFired"))).toHaveLength(3);
  });

  scenario("after a timer has fired does not fire it again", async (start) => {
    const once = orchestration("once", async (ctx) => {
      await ctx.scheduleTimer(1_000);
      return ctx.waitForEvent<string>("go");
    });
    const { env } = await started(start, once, { file: true });
    await env.advance(1_000);
    await env.restart();
    await env.advance(60_000);
    await env.client.handle(once, "i").raise("go", "on");

    expect(await env.finish(env.client.handle(once, "i"))).toBe("on");
    expect((await env.history("i")).filter((line) => line.includes("TimerFired"))).toHaveLength(1);
  });

  scenario("in the middle of an activity hands it out again", async (start) => {
    let runs = 0;
    const slow = activity("slow", async (ctx) => {
      runs++;
      return runs === 1 ? new Promise<number>(() => {}) : ctx.attempt;
    });
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(slow));
    const { env } = await begun(start, calls, { activities: [slow], file: true });
    await env.kill();
    await env.start();

    expect(await env.finish(env.client.handle(calls, "i"))).toBe(2);
    runs = 0;
  });
});
