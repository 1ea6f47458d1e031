/** Retries of activities: every attempt and every pause is a durable call of its own. */
import { activity, orchestration, type RetryPolicy } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { eventTypes } from "../support/history-lines.ts";
import { type Start, scenario } from "../support/scenario.ts";

/** Fails until its `succeedsAt`-th run. */
function flaky(succeedsAt: number) {
  let runs = 0;
  return activity("flaky", async () => {
    runs++;
    if (runs < succeedsAt) throw new Error(`failure ${runs}`);
    return `success ${runs}`;
  });
}

function retries(retry: RetryPolicy) {
  return orchestration("retries", async (ctx) => ctx.scheduleActivity("flaky", null, { retry }));
}

async function run(start: Start, succeedsAt: number, retry: RetryPolicy) {
  const orchestrations = [retries(retry)];
  const env = await start({ orchestrations, activities: [flaky(succeedsAt)] });
  const handle = await env.client.start("retries", { instanceId: "i" });
  const outcome = await env.finish(handle).catch((error: Error) => error.message);
  return { outcome, types: eventTypes(await env.events("i")) };
}

describe("a retried activity", () => {
  scenario("that succeeds at once costs nothing", async (start) => {
    const { outcome, types } = await run(start, 1, {});

    expect(outcome).toBe("success 1");
    expect(types).toHaveLength(4);
  });

  scenario("has a row for each attempt and each pause", async (start) => {
    const { outcome, types } = await run(start, 3, { backoff: { kind: "fixed", delay: 1_000 } });

    expect(outcome).toBe("success 3");
    expect(types).toEqual([
      "OrchestrationStarted",
      "ActivityScheduled",
      "ActivityFailed",
      "TimerCreated",
      "TimerFired",
      "ActivityScheduled",
      "ActivityFailed",
      "TimerCreated",
      "TimerFired",
      "ActivityScheduled",
      "ActivityCompleted",
      "OrchestrationCompleted",
    ]);
  });

  scenario("has no timers where there is no pause", async (start) => {
    const { outcome, types } = await run(start, 3, { backoff: { kind: "none" } });

    expect(outcome).toBe("success 3");
    expect(types).not.toContain("TimerCreated");
  });

  scenario("gives up after the last attempt, with its error", async (start) => {
    const { outcome, types } = await run(start, 100, { maxAttempts: 4 });

    expect(outcome).toBe("failure 4");
    expect(types.filter((type) => type === "ActivityScheduled")).toHaveLength(4);
    expect(types.filter((type) => type === "TimerCreated")).toHaveLength(3);
  });

  scenario("is attempted three times by default", async (start) => {
    expect((await run(start, 100, {})).outcome).toBe("failure 3");
  });

  scenario("may be limited to one attempt", async (start) => {
    expect((await run(start, 2, { maxAttempts: 1 })).outcome).toBe("failure 1");
  });

  scenario("refuses to be attempted less than once", async (start) => {
    for (const maxAttempts of [0, -1, 1.5, Number.NaN]) {
      expect((await run(start, 1, { maxAttempts })).outcome).toContain("retry.maxAttempts");
    }
  });

  scenario("pauses as the backoff says", async (start) => {
    const env = await start({
      orchestrations: [
        retries({ maxAttempts: 5, backoff: { kind: "exponential", base: 100, multiplier: 3, max: 1_000 } }),
      ],
      activities: [flaky(100)],
    });
    await env.failure(await env.client.start("retries", { instanceId: "i" }));

    const pauses = (await env.events("i")).flatMap((event) =>
      event.type === "TimerCreated" ? [Number(event.fire_at_ms) - Number(event.timestamp_ms)] : [],
    );
    expect(pauses).toEqual([100, 300, 900, 1_000]);
  });

  scenario("warns of each failure once", async (start) => {
    const env = await start({ orchestrations: [retries({ maxAttempts: 3 })], activities: [flaky(3)] });
    await env.finish(await env.client.start("retries", { instanceId: "i" }));

    expect(env.log.messages("warn").filter((line) => line === "activity failed, trying again")).toHaveLength(
      2,
    );
  });

  scenario("uses one session for all attempts", async (start) => {
    const sticky = orchestration("sticky", async (ctx) =>
      ctx.scheduleActivity("flaky", null, { session: "s", retry: { backoff: { kind: "none" } } }),
    );
    const env = await start({ orchestrations: [sticky], activities: [flaky(3)] });

    expect(await env.finish(await env.client.start(sticky, { instanceId: "i" }))).toBe("success 3");
    const sessions = (await env.events("i")).flatMap((event) =>
      event.type === "ActivityScheduled" ? [event.session_id] : [],
    );
    expect(sessions).toEqual(["s", "s", "s"]);
  });

  scenario("of one instance does not disturb that of another", async (start) => {
    const runs = new Map<string, number>();
    const perInstance = activity("flaky", async (ctx) => {
      const run = (runs.get(ctx.instanceId) ?? 0) + 1;
      runs.set(ctx.instanceId, run);
      if (run < 3) throw new Error("again");
      return ctx.instanceId;
    });
    const env = await start({ orchestrations: [retries({})], activities: [perInstance] });
    const ids = ["a", "b", "c"];
    const handles = await Promise.all(ids.map((instanceId) => env.client.start("retries", { instanceId })));

    expect(await Promise.all(handles.map((handle) => env.finish(handle)))).toEqual(ids);
  });
});

describe("a timeout", () => {
  const slow = (ms: number) =>
    activity("flaky", async (ctx) => {
      await new Promise<void>((resolve) => {
        ctx.signal.addEventListener("abort", () => resolve());
        if (ms === 0) resolve();
      });
      return "done";
    });

  scenario("ends the retries at once, and cancels the attempt", async (start) => {
    const env = await start({
      orchestrations: [retries({ maxAttempts: 5, timeout: 2_000 })],
      activities: [slow(60_000)],
    });
    const handle = await env.client.start("retries", { instanceId: "i" });

    expect((await env.failure(handle)).message).toBe("timeout: activity timed out");
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: retries@1.0.0 null",
      "2 ActivityScheduled: flaky null",
      "3 TimerCreated",
      "4 TimerFired of 3",
      "5 ActivityCancelRequested of 2: dropped_future",
      "6 OrchestrationFailed: timeout: activity timed out",
    ]);
  });

  scenario("that is not reached changes nothing", async (start) => {
    const env = await start({ orchestrations: [retries({ timeout: 2_000 })], activities: [slow(0)] });

    expect(await env.finish(await env.client.start("retries", { instanceId: "i" }))).toBe("done");
  });

  scenario("comes after failures that were retried", async (start) => {
    let runs = 0;
    const failsThenHangs = activity("flaky", async () => {
      if (runs++ % 2 === 0) throw new Error("first");
      return new Promise<string>(() => {});
    });
    const env = await start({
      orchestrations: [retries({ maxAttempts: 5, timeout: 2_000, backoff: { kind: "none" } })],
      activities: [failsThenHangs],
    });

    const error = await env.failure(await env.client.start("retries", { instanceId: "i" }));

    expect(error.message).toBe("timeout: activity timed out");
    expect((await env.history("i")).filter((line) => line.includes("ActivityScheduled"))).toHaveLength(2);
  });

  scenario("late events of a losing attempt replay", async (start) => {
    const gate = Promise.withResolvers<string>();
    const late = activity("late", async () => gate.promise);
    const goesOn = orchestration("goes-on", async (ctx) => {
      await ctx
        .scheduleActivity(late, undefined, { retry: { timeout: 1_000, maxAttempts: 1 } })
        .catch(() => {});
      await ctx.waitForEvent("one");
      await ctx.waitForEvent("two");
      return "done";
    });
    const env = await start({ orchestrations: [goesOn], activities: [late] });
    const handle = await env.client.start(goesOn, { instanceId: "i" });
    await env.advance(1_000);
    gate.resolve("too late");
    await env.settle();
    await handle.raise("one");
    await env.settle();
    await handle.raise("two");

    expect(await env.finish(handle)).toBe("done");
  });
});
