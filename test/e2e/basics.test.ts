/** Handlers, their inputs and results, and ordinary control flow around durable calls. */
import {
  ActivityFailedError,
  activity,
  type OrchestrationContext,
  OrchestrationFailedError,
  orchestration,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { withoutRunId } from "../support/call-key.ts";
import { failureOf, outputOf, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}!`);
const fail = activity("fail", async (_ctx, why: string): Promise<string> => {
  throw new Error(why);
});

describe("an orchestration", () => {
  scenario("returns what its handler returns", async (start) => {
    const instant = orchestration("instant", async (_ctx, input: { readonly n: number }) => input.n + 1);
    const { env, handle } = await started(start, instant, { input: { n: 41 } });

    expect(await env.finish(handle)).toBe(42);
    expect(await env.history("i")).toEqual([
      '1 OrchestrationStarted: instant@1.0.0 {"n":41}',
      "2 OrchestrationCompleted: 42",
    ]);
  });

  scenario("calls one activity after the other", async (start) => {
    const twice = orchestration("twice", async (ctx) => {
      const first = await ctx.scheduleActivity(greet, "Ada");
      const second = await ctx.scheduleActivity(greet, "Alan");
      return `${first} ${second}`;
    });
    const { env, handle } = await started(start, twice, { activities: [greet] });

    expect(await env.finish(handle)).toBe("Hello, Ada! Hello, Alan!");
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: twice@1.0.0 null",
      '2 ActivityScheduled: greet "Ada"',
      '3 ActivityCompleted of 2: "Hello, Ada!"',
      '4 ActivityScheduled: greet "Alan"',
      '5 ActivityCompleted of 4: "Hello, Alan!"',
      '6 OrchestrationCompleted: "Hello, Ada! Hello, Alan!"',
    ]);
  });

  scenario("loops over activities", async (start) => {
    const append = activity("append", async (_ctx, text: string) => `${text}x`);
    const grow = orchestration("grow", async (ctx, times: number) => {
      let text = "";
      for (let round = 0; round < times; round++) {
        text = await ctx.scheduleActivity(append, text);
        ctx.log.info(`round ${round}: ${text}`);
      }
      return text;
    });
    const env = await start({ orchestrations: [grow], activities: [append] });

    expect(await env.run(grow, { instanceId: "i", input: 3 })).toBe("xxx");
    // A turn whose commit is refused is run again, and logs again.
    const lines = new Set(env.log.messages("info").filter((line) => line.startsWith("round")));
    expect([...lines]).toEqual(["round 0: x", "round 1: xx", "round 2: xxx"]);
  });

  scenario("catches an activity's failure and compensates", async (start) => {
    const careful = orchestration("careful", async (ctx) => {
      try {
        return await ctx.scheduleActivity(fail, "out of stock");
      } catch (error) {
        expect(error).toBeInstanceOf(ActivityFailedError);
        return ctx.scheduleActivity(greet, (error as Error).message);
      }
    });
    const { env, handle } = await started(start, careful, { activities: [fail, greet] });

    expect(await env.finish(handle)).toBe("Hello, out of stock!");
    expect(await env.history("i")).toContain("3 ActivityFailed of 2: out of stock");
  });

  scenario("fails with what its handler does not catch, also from a helper function", async (start) => {
    const helper = async (ctx: OrchestrationContext) => `got ${await ctx.scheduleActivity(fail, "no luck")}`;
    const careless = orchestration("careless", async (ctx) => helper(ctx));
    const env = await start({ orchestrations: [careless], activities: [fail] });

    const error = await env.failureOf(careless);

    expect(error).toBeInstanceOf(OrchestrationFailedError);
    expect(error).toMatchObject({ code: "orchestration-failed", instanceId: "i", message: "no luck" });
    expect((await env.history("i")).at(-1)).toBe("4 OrchestrationFailed: no luck");
  });

  scenario("fails when it throws before its first call", async (start) => {
    const broken = orchestration("broken", { onDefect: "fail" }, () => {
      throw new RangeError("not today");
    });
    const error = await failureOf(start, broken);

    expect(error).toMatchObject({ message: "not today", cause: { name: "RangeError" } });
  });

  scenario("starts a call when it is made, not when it is awaited", async (start) => {
    const eager = orchestration("eager", async (ctx) => {
      const first = ctx.scheduleActivity(greet, "first");
      const second = ctx.scheduleActivity(greet, "second");
      return [await second, await first];
    });
    const { env, handle } = await started(start, eager, { activities: [greet] });

    expect(await env.finish(handle)).toEqual(["Hello, second!", "Hello, first!"]);
    expect((await env.history("i")).slice(1, 3)).toEqual([
      '2 ActivityScheduled: greet "first"',
      '3 ActivityScheduled: greet "second"',
    ]);
  });

  scenario("is not held up by an activity that no code awaits, which is cancelled", async (start) => {
    const hasty = orchestration("hasty", async (ctx) => {
      void ctx.scheduleActivity(greet, "nobody");
      await ctx.scheduleTimer(1_000);
      void ctx.scheduleActivity(greet, "nobody either");
      return "done";
    });
    const calls: string[] = [];
    const record = greet.mock(async (_ctx, name) => {
      calls.push(name);
      return new Promise<string>(() => {});
    });
    const env = await start({ orchestrations: [hasty], activities: [record] });

    expect(await env.run(hasty)).toBe("done");
    expect(calls).toEqual(["nobody"]);
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: hasty@1.0.0 null",
      '2 ActivityScheduled: greet "nobody"',
      "3 TimerCreated",
      "4 TimerFired of 3",
      '5 ActivityScheduled: greet "nobody either"',
      "6 ActivityCancelRequested of 2: dropped_future",
      "7 ActivityCancelRequested of 5: dropped_future",
      '8 OrchestrationCompleted: "done"',
    ]);
  });

  scenario("knows its instance, execution, name and version", async (start) => {
    const who = orchestration("who", { version: "3.1.0" }, async (ctx) => ({
      instanceId: ctx.instanceId,
      executionId: ctx.executionId,
      name: ctx.orchestrationName,
      version: ctx.orchestrationVersion,
      replaying: ctx.isReplaying,
    }));

    expect(await outputOf(start, who, { instanceId: "me" })).toEqual({
      instanceId: "me",
      executionId: 1,
      name: "who",
      version: "3.1.0",
      replaying: false,
    });
  });

  scenario("may name activities that live elsewhere by plain strings", async (start) => {
    const loose = orchestration("loose", async (ctx) => ctx.scheduleActivity("greet", "string"));
    const env = await start({ orchestrations: [loose], activities: [greet] });

    expect(await env.run("loose")).toBe("Hello, string!");
  });
});

describe("an activity", () => {
  scenario("knows the instance and the orchestration that it works for", async (start) => {
    const whoAsks = activity("who-asks", async (ctx) => ({
      instanceId: ctx.instanceId,
      executionId: ctx.executionId,
      orchestration: await ctx.orchestration(),
      activityName: ctx.activityName,
      sessionId: ctx.sessionId,
      tag: ctx.tag,
      attempt: ctx.attempt,
      idempotencyKey: withoutRunId(ctx.idempotencyKey),
    }));
    const asks = orchestration("asks", { version: "2.0.0" }, async (ctx) => ctx.scheduleActivity(whoAsks));

    expect(await outputOf(start, asks, { activities: [whoAsks] })).toEqual({
      instanceId: "i",
      executionId: 1,
      orchestration: { name: "asks", version: "2.0.0" },
      activityName: "who-asks",
      attempt: 1,
      idempotencyKey: "i:1:2",
    });
  });

  engineScenario(
    "has the name and version of its orchestration where the store hands them out",
    async (start) => {
      const whoAsks = activity("who-asks", async (ctx) => [ctx.orchestrationName, ctx.orchestrationVersion]);
      const asks = orchestration("asks", { version: "2.0.0" }, async (ctx) => ctx.scheduleActivity(whoAsks));

      expect(await outputOf(start, asks, { activities: [whoAsks] })).toEqual(["asks", "2.0.0"]);
    },
  );

  scenario("may throw anything", async (start) => {
    const thrown: readonly unknown[] = ["a text", { code: 7 }, undefined, 42];
    const thrower = activity("thrower", async (_ctx, index: number): Promise<string> => {
      throw thrown[index];
    });
    const collect = orchestration("collect", async (ctx) => {
      const messages: string[] = [];
      for (const index of thrown.keys()) {
        await ctx.scheduleActivity(thrower, index).catch((error: Error) => messages.push(error.message));
      }
      return messages;
    });
    const env = await start({ orchestrations: [collect], activities: [thrower] });

    expect(await env.run(collect)).toEqual(["a text", '{"code":7}', "undefined", "42"]);
  });
});
