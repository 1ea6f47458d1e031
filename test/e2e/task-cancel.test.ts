/** Giving up single calls: `task.cancel()`, `{ signal }`, and a scope of several calls under one signal. */
import { getEventListeners } from "node:events";
import { activity, CancelledError, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, text: string) => text);
const forever = activity("forever", async (ctx) => {
  await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
  return "never stored";
});

describe("task.cancel", () => {
  scenario("rejects the task with CancelledError and tells the activity to stop", async (start) => {
    const gives = orchestration("gives", async (ctx) => {
      const task = ctx.scheduleActivity(forever);
      await ctx.scheduleTimer(1_000);
      task.cancel("changed my mind");
      const error = await task.catch((thrown: unknown) => thrown);
      await ctx.scheduleTimer(1_000);
      return error instanceof CancelledError ? `${error.code}: ${error.message}` : "?";
    });
    const env = await start({ orchestrations: [gives], activities: [forever] });

    expect(await env.run(gives)).toBe("cancelled: changed my mind");
    expect(await env.history("i")).not.toContain("ActivityCompleted");
  });

  scenario("in the turn of the call means that the activity never runs", async (start) => {
    const ran: string[] = [];
    const record = echo.mock(async (_ctx, text) => {
      ran.push(text);
      return text;
    });
    const atOnce = orchestration("at-once", async (ctx) => {
      const task = ctx.scheduleActivity(echo, "cancelled");
      task.cancel();
      await task.catch(() => {});
      return ctx.scheduleActivity(echo, "kept");
    });
    const { env, handle } = await started(start, atOnce, { activities: [record] });

    expect(await env.finish(handle)).toBe("kept");
    expect(ran).toEqual(["kept"]);
    expect((await env.history("i")).slice(1, 4)).toEqual([
      '2 ActivityScheduled: echo "cancelled"',
      '3 ActivityScheduled: echo "kept"',
      "4 ActivityCancelRequested of 2: dropped_future",
    ]);
  });

  scenario("of a settled task does nothing", async (start) => {
    const tooLate = orchestration("too-late", async (ctx) => {
      const task = ctx.scheduleActivity(echo, "done");
      await task;
      task.cancel();
      await ctx.scheduleTimer(1);
      return task;
    });
    const env = await start({ orchestrations: [tooLate], activities: [echo] });

    expect(await env.run(tooLate)).toBe("done");
    expect(await env.history("i")).toHaveLength(6);
  });

  scenario("that no code awaits is no unhandled rejection", async (start) => {
    const quiet = orchestration("quiet", async (ctx) => {
      ctx.waitForEvent("never").cancel();
      await ctx.scheduleTimer(1);
    });

    expect(await outputOf(start, quiet)).toBeNull();
  });

  scenario("of a child cancels the child", async (start) => {
    const child = orchestration("child", async (ctx) => ctx.waitForEvent<string>("never"));
    const parent = orchestration("parent", async (ctx) => {
      const task = ctx.scheduleSubOrchestration(child, undefined, { instanceId: "the-child" });
      await ctx.scheduleTimer(1_000);
      task.cancel();
      await ctx.scheduleTimer(1_000);
    });
    const env = await start({ orchestrations: [parent, child] });

    await env.run(parent);

    expect(await env.client.handle(child, "the-child").status()).toMatchObject({
      status: "Cancelled",
      message: "canceled: parent dropped sub-orchestration future",
    });
  });

  scenario("of a child that was never started leaves no orphan behind", async (start) => {
    const child = orchestration("child", async (ctx) => ctx.waitForEvent<string>("never"));
    const parent = orchestration("parent", async (ctx) => {
      void ctx.scheduleSubOrchestration(child);
      return "done";
    });
    const env = await start({ orchestrations: [parent, child] });

    await env.run(parent);
    await env.advance(60_000);

    expect(await env.client.handle(child, "i::sub::2").status()).toEqual({ status: "NotFound" });
    expect(await env.client.admin.queueDepths()).toMatchObject({ orchestratorQueue: 0 });
  });
});

describe("a signal", () => {
  scenario("cancels every call of its scope", async (start) => {
    const scoped = orchestration("scoped", async (ctx) => {
      const scope = new AbortController();
      const { signal } = scope;
      const calls = [
        ctx.scheduleActivity(forever, undefined, { signal }),
        ctx.waitForEvent("never", { signal }),
        ctx.dequeue("never", { signal }),
        ctx.scheduleTimer(3_600_000, { signal }),
      ];
      await ctx.scheduleTimer(1_000);
      scope.abort(new Error("scope closed"));
      const outcomes = await ctx.allSettled(calls);
      await ctx.scheduleTimer(1);
      return outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "?"));
    });
    const { env, handle } = await started(start, scoped, { activities: [forever] });

    expect(await env.finish(handle)).toEqual(Array(4).fill("CancelledError: scope closed"));
    expect((await env.history("i")).slice(7, 12)).toEqual([
      "8 TimerCreated",
      "9 ActivityCancelRequested of 2: dropped_future",
      "10 ExternalSubscribedCancelled of 3: dropped_future",
      "11 ExternalSubscribedPersistentCancelled of 4: dropped_future",
      "12 TimerFired of 8",
    ]);
  });

  scenario(
    "has no listener of a call that has settled: one signal may serve thousands of them",
    async (start) => {
      const many = orchestration("many", async (ctx) => {
        const { signal } = new AbortController();
        for (let n = 0; n < 3; n++) await ctx.scheduleActivity(echo, "x", { signal });
        await ctx.scheduleTimer(1, { signal });
        const dropped = ctx.waitForEvent("never", { signal });
        dropped.cancel();
        await dropped.catch(() => {});
        return getEventListeners(signal, "abort").length;
      });

      expect(await outputOf(start, many, { activities: [echo] })).toBe(0);
    },
  );

  scenario("that is aborted already cancels the call at once", async (start) => {
    const early = orchestration("early", async (ctx) => {
      const signal = AbortSignal.abort("from the start");
      return ctx.scheduleActivity(echo, "x", { signal }).catch((error: Error) => error.message);
    });

    expect(await outputOf(start, early, { activities: [echo] })).toBe("from the start");
  });

  // retry.Y2
  scenario("stops retries in the middle", async (start) => {
    let attempts = 0;
    const flaky = activity("flaky", async (): Promise<string> => {
      attempts++;
      throw new Error("again");
    });
    const stops = orchestration("stops", async (ctx) => {
      const scope = new AbortController();
      const retry = { maxAttempts: 100, backoff: { kind: "fixed", delay: 1_000 } } as const;
      const task = ctx.scheduleActivity(flaky, undefined, { retry, signal: scope.signal });
      await ctx.scheduleTimer(2_500);
      scope.abort("enough");
      const message = await task.catch((error: Error) => error.message);
      await ctx.scheduleTimer(5_000);
      return message;
    });

    expect(await outputOf(start, stops, { activities: [flaky] })).toBe("enough");
    expect(attempts).toBe(3);
    attempts = 0;
  });
});
