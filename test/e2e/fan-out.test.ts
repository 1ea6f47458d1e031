/** Many calls at once: `Promise.all`, `ctx.all` and `ctx.allSettled`. */

import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { runs } from "../support/effort.ts";
import { begun, failureOf, outputOf, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const double = activity("double", async (_ctx, n: number) => n * 2);
const refuse = activity("refuse", async (_ctx, why: string): Promise<number> => {
  throw new Error(why);
});

const WIDTH = runs(1_000);

describe("a fan-out", () => {
  scenario("schedules everything in one turn and joins in argument order", async (start) => {
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const slow = activity("slow", async (_ctx, index: number) => gates[index]?.promise ?? "none");
    const fan = orchestration("fan", async (ctx) =>
      Promise.all([ctx.scheduleActivity(slow, 0), ctx.scheduleActivity(slow, 1)]),
    );
    const { env, handle } = await begun(start, fan, { activities: [slow] });
    gates[1]?.resolve("second argument, first to finish");
    await env.settle();
    gates[0]?.resolve("first argument");

    expect(await env.finish(handle)).toEqual(["first argument", "second argument, first to finish"]);
    expect((await env.history("i")).slice(1, 5)).toEqual([
      "2 ActivityScheduled: slow 0",
      "3 ActivityScheduled: slow 1",
      '4 ActivityCompleted of 3: "second argument, first to finish"',
      '5 ActivityCompleted of 2: "first argument"',
    ]);
  });

  scenario("tells identical calls apart", async (start) => {
    let calls = 0;
    const count = activity("count", async () => ++calls);
    const twins = orchestration("twins", async (ctx) => {
      const results = await Promise.all([ctx.scheduleActivity(count), ctx.scheduleActivity(count)]);
      await ctx.scheduleTimer(1);
      return results;
    });

    expect(await outputOf(start, twins, { activities: [count] })).toEqual([1, 2]);
  });

  const child = orchestration("child", async (_ctx, n: number) => n);
  const parent = orchestration("parent", async (ctx, children: number) => {
    const tasks = Array.from({ length: children }, (_, n) => ctx.scheduleSubOrchestration(child, n));
    const values = await ctx.all(tasks);
    return values.reduce((sum, value) => sum + value, 0);
  });

  engineScenario("of hundreds of children is joined", async (start) => {
    const env = await start({ orchestrations: [parent, child] });

    expect(await env.run(parent, { instanceId: "i", input: WIDTH })).toBe((WIDTH * (WIDTH - 1)) / 2);
  });

  scenario("of more children than a commit has room for is joined", async (start) => {
    expect(await outputOf(start, parent, { orchestrations: [parent, child], input: 120 })).toBe(7_140);
  });

  scenario("of hundreds of activities is joined", async (start) => {
    const fan = orchestration("fan", async (ctx) => {
      const tasks = Array.from({ length: WIDTH }, (_, n) => ctx.scheduleActivity(double, n));
      const values = await ctx.all(tasks);
      return values.reduce((sum, value) => sum + value, 0);
    });

    expect(await outputOf(start, fan, { activities: [double] })).toBe(WIDTH * (WIDTH - 1));
  });

  scenario("of none is joined at once", async (start) => {
    const empty = orchestration("empty", async (ctx) => [await ctx.all([]), await ctx.allSettled([])]);

    expect(await outputOf(start, empty)).toEqual([[], []]);
  });
});

describe("ctx.all", () => {
  scenario("waits for every entry and rejects with the first error in argument order", async (start) => {
    const gate = Promise.withResolvers<number>();
    const late = activity("late", async () => gate.promise);
    const join = orchestration("join", async (ctx) => {
      const first = ctx.scheduleActivity(late);
      const second = ctx.scheduleActivity(refuse, "second");
      const third = ctx.scheduleActivity(double, 3);
      return ctx.all([first, second, third]);
    });
    const { env, handle } = await begun(start, join, { activities: [late, refuse, double] });
    expect(await handle.status()).toMatchObject({ status: "Running" });
    gate.reject(new Error("first"));

    expect(await env.failure(handle)).toMatchObject({ message: "first" });
  });

  scenario("is unlike Promise.all, which rejects with the first error in time", async (start) => {
    const gate = Promise.withResolvers<number>();
    const late = activity("late", async () => gate.promise);
    const join = orchestration("join", async (ctx) =>
      Promise.all([ctx.scheduleActivity(late), ctx.scheduleActivity(refuse, "second")]),
    );

    expect(await failureOf(start, join, { activities: [late, refuse] })).toMatchObject({
      message: "second",
    });
  });

  scenario("cancels its members when it is cancelled", async (start) => {
    const hang = activity("hang", async () => new Promise<number>(() => {}));
    const cancels = orchestration("cancels", async (ctx) => {
      const join = ctx.all([ctx.scheduleActivity(hang), ctx.waitForEvent("never")]);
      await ctx.scheduleTimer(1_000);
      join.cancel("enough");
      return join.catch((error: Error) => `${error.name}: ${error.message}`);
    });
    const { env, handle } = await started(start, cancels, { activities: [hang] });

    expect(await env.finish(handle)).toBe("CancelledError: enough");
    expect(await env.history("i")).toEqual(
      expect.arrayContaining([
        "6 ActivityCancelRequested of 2: dropped_future",
        "7 ExternalSubscribedCancelled of 3: dropped_future",
      ]),
    );
  });
});

describe("ctx.allSettled", () => {
  scenario("gives every outcome in argument order", async (start) => {
    const settle = orchestration("settle", async (ctx) => {
      const [good, bad] = await ctx.allSettled([
        ctx.scheduleActivity(double, 4),
        ctx.scheduleActivity(refuse, "bad"),
      ]);
      return [good, bad.status === "rejected" ? (bad.reason as Error).message : "?"];
    });
    const env = await start({ orchestrations: [settle], activities: [double, refuse] });

    expect(await env.run(settle)).toEqual([{ status: "fulfilled", value: 8 }, "bad"]);
  });
});
