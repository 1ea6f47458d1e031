/**
 * The three limits of a call: of a run of the handler, of the wait for a worker, and of the whole
 * (docs/decisions/activities.md).
 */
import { type ActivityOptions, activity, orchestration, TimeoutError } from "@duroxide-ts/core";
import { sleep } from "@duroxide-ts/core/stores";
import { describe, expect } from "vitest";
import { type Start, scenario } from "../support/scenario.ts";

const calls = (options: ActivityOptions) =>
  orchestration("calls", async (ctx) => ctx.scheduleActivity("work", undefined, options));

const never = activity("work", () => new Promise<string>(() => {}));

async function failureWith(start: Start, options: ActivityOptions) {
  const env = await start({ orchestrations: [calls(options)], activities: [never] });
  const error = await env.failureOf("calls");
  return { env, error };
}

describe("timeout", () => {
  scenario("does not count the time that a call waits for a worker", async (start) => {
    let clock: Parameters<typeof sleep>[0] | undefined;
    const slow = activity("work", async (_ctx, n: number) => {
      if (clock !== undefined) await sleep(clock, 1_000);
      return n;
    });
    const many = orchestration("many", (ctx) =>
      ctx.all([1, 2, 3, 4, 5, 6].map((n) => ctx.scheduleActivity(slow, n, { timeout: 2_000 }))),
    );
    const env = await start({
      orchestrations: [many],
      activities: [slow],
      options: { workerConcurrency: 1 },
    });
    clock = env.clock;

    expect(await env.run(many)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await env.events("i")).some(({ type }) => type === "TimerCreated")).toBe(false);
  });

  scenario(
    "aborts the signal of the handler with a TimeoutError, and ignores its late result",
    async (start) => {
      const reasons: unknown[] = [];
      const gate = Promise.withResolvers<string>();
      const late = activity("work", async (ctx) => {
        ctx.signal.addEventListener("abort", () => reasons.push(ctx.signal.reason));
        return gate.promise;
      });
      const env = await start({ orchestrations: [calls({ timeout: 1_000 })], activities: [late] });
      const handle = await env.client.start("calls", { instanceId: "i" });
      await env.advance(1_000);
      gate.resolve("too late");

      expect((await env.failure(handle)).message).toBe('timeout: activity "work" did not end within 1000 ms');
      expect(reasons).toHaveLength(1);
      expect(reasons[0]).toBeInstanceOf(TimeoutError);
      expect((await env.events("i")).map(({ type }) => type)).not.toContain("ActivityCompleted");
    },
  );

  scenario(
    "is caught as a TimeoutError, and an error of that name of the handler is a failure",
    async (start) => {
      const throws = activity("throws", async () => {
        throw Object.assign(new Error("upstream"), { name: "TimeoutError" });
      });
      const both = orchestration("both", async (ctx) => {
        const limit = await ctx.scheduleActivity("work", undefined, { timeout: 10 }).catch((e: Error) => e);
        const own = await ctx.scheduleActivity(throws, undefined, { timeout: 10 }).catch((e: Error) => e);
        return [limit, own].map((error) => (error as { code?: string }).code);
      });
      const env = await start({ orchestrations: [both], activities: [never, throws] });

      expect(await env.run(both)).toEqual(["timeout", "activity-failed"]);
    },
  );
});

describe("queueTimeout", () => {
  scenario("ends a call that no worker begins", async (start) => {
    const env = await start({
      orchestrations: [calls({ queueTimeout: 3_000, timeout: 60_000 })],
      activities: [never],
      options: { workerTagFilter: { kind: "none" } },
    });
    const handle = await env.client.start("calls", { instanceId: "i" });
    await env.advance(2_999);
    expect((await handle.status()).status).toBe("Running");
    await env.advance(1);

    expect((await env.failure(handle)).message).toBe(
      'timeout: no worker has begun activity "work" within 3000 ms',
    );
    expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0, timerQueue: 0 });
  });

  scenario("does not end a call that has begun, however long it runs", async (start) => {
    const gate = Promise.withResolvers<string>();
    const slow = activity("work", () => gate.promise);
    const env = await start({ orchestrations: [calls({ queueTimeout: 1_000 })], activities: [slow] });
    const handle = await env.client.start("calls", { instanceId: "i" });
    await env.advance(10_000);
    gate.resolve("done");

    expect(await env.finish(handle)).toBe("done");
    expect((await env.events("i")).map(({ type }) => type)).not.toContain("TimerFired");
  });

  scenario("leaves no timer where the call ends before", async (start) => {
    const quick = activity("work", async () => "quick");
    const env = await start({ orchestrations: [calls({ queueTimeout: 1_000 })], activities: [quick] });

    expect(await env.run("calls")).toBe("quick");
    expect((await env.client.admin.queueDepths()).timerQueue).toBe(0);
  });

  scenario("with timeout: the run has its own limit", async (start) => {
    const { error } = await failureWith(start, { queueTimeout: 1_000, timeout: 5_000 });

    expect(error.message).toBe('timeout: activity "work" did not end within 5000 ms');
  });
});
