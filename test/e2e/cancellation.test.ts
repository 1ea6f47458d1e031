/** Cancelling an instance: from the client, through parents, down to running activities. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { onEveryStore, scenario } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));

describe("cancelling an instance", () => {
  scenario("fails it with the reason; its code has no say", async (start) => {
    const seen: string[] = [];
    const stubborn = orchestration("stubborn", async (ctx) => {
      try {
        await ctx.waitForEvent("never");
      } catch {
        seen.push("catch");
      } finally {
        seen.push("finally");
      }
      return "not cancelled";
    });
    const { env, handle } = await begun(start, stubborn);

    await handle.cancel("changed our mind");

    expect(await env.failure(handle)).toMatchObject({
      message: "canceled: changed our mind",
      details: { Application: { kind: { Cancelled: { reason: "changed our mind" } } } },
    });
    expect(seen).toEqual([]);
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: stubborn@1.0.0 null",
      "2 ExternalSubscribed: never",
      "3 OrchestrationCancelRequested: changed our mind",
      "4 ExternalSubscribedCancelled of 2: orchestration_terminal",
      "5 OrchestrationFailed: canceled: changed our mind",
    ]);
  });

  scenario("works before its start is processed", async (start) => {
    const env = await start({ orchestrations: [waits] });
    await env.stop();
    const handle = await env.client.start(waits, { instanceId: "i" });
    await handle.cancel("never mind");
    await env.start();

    expect((await env.failure(handle)).message).toBe("canceled: never mind");
  });

  scenario("is idempotent: one request is recorded", async (start) => {
    const { env, handle } = await begun(start, waits);
    await Promise.all([handle.cancel("one"), handle.cancel("two"), handle.cancel("three")]);

    expect((await env.failure(handle)).message).toBe("canceled: one");
    const requests = (await env.history("i")).filter((line) => line.includes("OrchestrationCancelRequested"));
    expect(requests).toHaveLength(1);
  });

  scenario("after its end, or of an unknown instance, changes nothing", async (start) => {
    const instant = orchestration("instant", async () => "done");
    const { env, handle } = await started(start, instant);
    await env.finish(handle);
    await handle.cancel("too late");
    await env.client.handle(instant, "nobody").cancel();
    await env.advance(1_000);

    expect(await handle.result()).toBe("done");
    expect(await env.client.handle(instant, "nobody").status()).toEqual({ status: "NotFound" });
  });

  scenario("beats a completion and a continue-as-new of the same turn", async (start) => {
    const ends = orchestration("ends", async (ctx, how: string): Promise<unknown> => {
      await ctx.waitForEvent("go");
      return how === "return" ? "done" : ctx.continueAsNew("ends", "return");
    });
    const env = await start({ orchestrations: [ends] });
    for (const how of ["return", "continue"]) {
      const handle = await env.begin(ends, { instanceId: how, input: how });
      await Promise.all([handle.raise("go"), handle.cancel("first things first")]);

      expect((await env.failure(handle)).message).toBe("canceled: first things first");
    }
  });

  scenario("hits the execution that is running after a continue-as-new", async (start) => {
    const moves = orchestration(
      "moves",
      async (ctx, round: number): Promise<unknown> =>
        round === 0 ? ctx.continueAsNew("moves", 1) : ctx.waitForEvent("never"),
    );
    const { env, handle } = await begun(start, moves, { input: 0 });
    await handle.cancel("stop");

    await env.failure(handle);
    expect((await env.history("i", 2)).at(-1)).toBe("5 OrchestrationFailed: canceled: stop");
  });

  scenario("cancels all its children, down the line", async (start) => {
    const middle = orchestration("middle", async (ctx) =>
      ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "leaf" }),
    );
    const root = orchestration("root", async (ctx) =>
      ctx.all([
        ctx.scheduleSubOrchestration(middle, undefined, { instanceId: "middle" }),
        ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "other" }),
      ]),
    );
    const env = await start({ orchestrations: [root, middle, waits] });
    const handle = await env.begin(root, { instanceId: "r" });

    await handle.cancel("all of it");
    await env.failure(handle);
    await env.settle();

    for (const child of ["middle", "other", "leaf"]) {
      expect(await env.client.handle(waits, child).status()).toMatchObject({
        status: "Cancelled",
        message: "canceled: parent canceled",
      });
      expect(await env.history(child)).toContainEqual(
        expect.stringContaining("OrchestrationCancelRequested: parent canceled"),
      );
    }
  });

  scenario("drops the result that an activity brings later", async (start) => {
    const gate = Promise.withResolvers<string>();
    const slow = activity("slow", async () => gate.promise);
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(slow));
    const { env, handle } = await begun(start, calls, { activities: [slow] });
    await handle.cancel("enough");
    await env.failure(handle);
    const before = await env.history("i");

    gate.resolve("late");
    await env.advance(60_000);

    expect(await env.history("i")).toEqual(before);
    expect(before.at(-1)).toBe("5 ActivityCancelRequested of 2: orchestration_terminal_failed");
    expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0 });
  });
});

describe("an activity that is not wanted any more", () => {
  scenario("does not run if it has not begun", async (start) => {
    const ran: number[] = [];
    const one = activity("one", async (_ctx, n: number) => {
      ran.push(n);
      await new Promise(() => {});
    });
    const many = orchestration("many", async (ctx) =>
      ctx.all([1, 2, 3].map((n) => ctx.scheduleActivity(one, n))),
    );
    const env = await start({
      orchestrations: [many],
      activities: [one],
      options: { workerConcurrency: 1 },
    });
    const handle = await env.begin(many);
    await handle.cancel("enough");
    await env.advance(11_000);

    expect(ran).toEqual([1]);
  });

  scenario("learns of it at once in the process of the orchestration", async (start) => {
    const told: number[] = [];
    const env = await start({
      orchestrations: [orchestration("calls", async (ctx) => ctx.scheduleActivity("listens"))],
      activities: [
        activity("listens", async (ctx) => {
          await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
          told.push(env.clock.now());
        }),
      ],
    });
    const handle = await env.begin("calls");
    const cancelledAtMs = env.clock.now();
    await handle.cancel("enough");
    await env.settle();

    expect(told).toEqual([cancelledAtMs]);
  });

  scenario("learns of it in another process when its lock cannot be renewed", async (start) => {
    const told: number[] = [];
    const env = await start({
      orchestrations: [orchestration("calls", async (ctx) => ctx.scheduleActivity("listens"))],
      options: { workerTagFilter: { kind: "none" } },
    });
    await env.startAnother({
      activities: [
        activity("listens", async (ctx) => {
          await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
          told.push(env.clock.now());
        }),
      ],
      workerLockTimeoutMs: 10_000,
    });
    const startMs = env.clock.now();
    const handle = await env.client.start("calls", { instanceId: "i" });
    await env.advance(1_000);
    await handle.cancel("enough");
    await env.advance(10_000);

    expect(told).toEqual([startMs + 5_000]);
  });

  scenario("loses its slot after the grace period if it does not listen", async (start) => {
    const env = await start({
      orchestrations: [orchestration("calls", async (ctx, name: string) => ctx.scheduleActivity(name))],
      activities: [
        activity("deaf", async () => new Promise<string>(() => {})),
        activity("quick", async () => "had its turn"),
      ],
      options: { workerConcurrency: 1 },
    });
    const deaf = await env.begin("calls", { instanceId: "deaf", input: "deaf" });
    const quick = await env.client.start("calls", { instanceId: "quick", input: "quick" });
    await deaf.cancel("enough");
    await env.advance(9_999);
    expect(await quick.status()).toMatchObject({ status: "Running" });
    await env.advance(1);

    expect(await quick.status()).toMatchObject({ status: "Completed", output: "had its turn" });
    expect(env.log.messages("warn")).toContainEqual(expect.stringContaining("within its grace period"));
  });

  onEveryStore("is not told by a shutdown of the runtime, which waits for it", async (start) => {
    const gate = Promise.withResolvers<string>();
    const signals: AbortSignal[] = [];
    const env = await start({
      orchestrations: [orchestration("calls", async (ctx) => ctx.scheduleActivity("slow"))],
      activities: [
        activity("slow", async (ctx) => {
          signals.push(ctx.signal);
          return gate.promise;
        }),
      ],
    });
    await env.begin("calls");
    const stopped = env.runtime.shutdown({ graceMs: 10_000 });
    await env.advance(5_000);
    gate.resolve("finished in peace");
    await stopped;

    expect(signals[0]?.aborted).toBe(false);
    expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0 });
  });
});
