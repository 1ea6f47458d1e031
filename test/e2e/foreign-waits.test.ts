/** Code that waits for something that is not durable fails with a clear message instead of hanging or diverging. */
import { setTimeout as realSleep } from "node:timers/promises";
import { type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../support/environment.ts";
import { engineScenario, type Start } from "../support/scenario.ts";

/** The determinism guard would refuse the global functions already when they are called. */
const unguarded = { determinismGuard: "off" } as const;

/**
 * Runs the scenario with instances that fail, so that their message can be seen; by default they are blocked
 * (blocked.test.ts).
 */
function failingScenario(statement: string, body: (start: Start) => Promise<void>): void {
  engineScenario(statement, (start) =>
    body((options) => start({ ...options, options: { onNondeterminism: "fail", ...options.options } })),
  );
}

async function outcomeOf(env: Environment, name: string): Promise<string> {
  return (await env.failureOf(name, { instanceId: name })).message;
}

describe("code that waits for", () => {
  failingScenario("a promise that is never settled fails at the end of its turn", async (start) => {
    const hangs = orchestration("hangs", async () => new Promise<void>(() => {}));
    const env = await start({ orchestrations: [hangs] });

    expect(await outcomeOf(env, "hangs")).toMatch(
      /^nondeterministic: .*waiting for something that is not durable/,
    );
  });

  failingScenario("a real timer fails at the end of its turn", async (start) => {
    const sleeps = orchestration("sleeps", async () => {
      await realSleep(5);
    });
    const env = await start({ orchestrations: [sleeps], options: unguarded });

    expect(await outcomeOf(env, "sleeps")).toContain("ctx.scheduleTimer");
  });

  failingScenario("the network fails at the end of its turn", async (start) => {
    const fetches = orchestration("fetches", async () => {
      await fetch("http://127.0.0.1:59999/").catch(() => {});
    });
    const env = await start({ orchestrations: [fetches], options: unguarded });

    expect(await outcomeOf(env, "fetches")).toContain("Do that in an activity");
  });

  failingScenario(
    "something foreign while a durable call is open, but not awaited, fails, too",
    async (start) => {
      const mixes = orchestration("mixes", async (ctx) => {
        void ctx.scheduleTimer(1_000);
        await new Promise<void>(() => {});
      });
      const env = await start({ orchestrations: [mixes] });

      expect(await outcomeOf(env, "mixes")).toContain("not durable");
    },
  );

  failingScenario("something foreign after a branch has lost its race fails, too", async (start) => {
    const mixes = orchestration("mixes", async (ctx) => {
      await ctx.race([async (branch) => branch.waitForEvent("never"), ctx.scheduleTimer(1_000)]);
      await new Promise<void>(() => {});
    });
    const env = await start({ orchestrations: [mixes] });

    expect(await outcomeOf(env, "mixes")).toContain("not durable");
  });
});

describe("code that goes on outside its turn", () => {
  const bodies: Readonly<Record<string, readonly [what: string, body: Strays]>> = {
    "a durable call": [
      "scheduleTimer",
      async (ctx, foreign) => {
        await Promise.race([ctx.waitForEvent("e"), foreign]);
        await ctx.scheduleTimer(1);
      },
    ],
    "the end of the function": [
      "the end of the orchestration function",
      async (ctx, foreign) => {
        await Promise.race([ctx.waitForEvent("e"), foreign]);
      },
    ],
    "a call in a helper that no code awaits": [
      "setCustomStatus",
      async (ctx, foreign) => {
        void foreign.then(() => ctx.setCustomStatus("stray"));
        await ctx.waitForEvent("e");
      },
    ],
  };
  const cases = Object.entries(bodies).flatMap(([name, [what, body]]) =>
    [1_000, 0].map((liveExecutions) => ({ name, what, body, liveExecutions })),
  );

  it.each(cases)("is logged at once: $name, with $liveExecutions in memory", async (each) => {
    const foreign = Promise.withResolvers<void>();
    await using env = await startEnvironment({
      orchestrations: [orchestration("strays", async (ctx) => each.body(ctx, foreign.promise))],
      options: { liveExecutions: each.liveExecutions },
    });
    await env.begin("strays");
    expect(env.log.messages("error")).toEqual([]);
    foreign.resolve();
    await env.settle();

    const told = env.log.entries.filter(({ level }) => level === "error");
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain(`${each.what} came while no turn was running`);
    expect(told[0]?.fields).toMatchObject({
      event: "code_outside_turn",
      instance_id: "i",
      execution_id: 1,
    });
    if (each.name !== "the end of the function")
      expect(told[0]?.message).toMatch(/\(test\/e2e\/foreign-waits\.test\.ts:\d+:\d+\)$/);
  });

  it.each(cases)(
    "ends the instance without any message: $name, with $liveExecutions in memory",
    async (each) => {
      const foreign = Promise.withResolvers<void>();
      await using env = await startEnvironment({
        orchestrations: [orchestration("strays", async (ctx) => each.body(ctx, foreign.promise))],
        options: { liveExecutions: each.liveExecutions, onNondeterminism: "fail" },
      });
      const handle = await env.begin("strays");
      foreign.resolve();
      await env.settle();

      expect(await handle.status()).toMatchObject({
        status: "Failed",
        message: expect.stringMatching(
          each.name === "the end of the function"
            ? /^nondeterministic: the end of the orchestration function came while no turn was running/
            : new RegExp(
                `: ${each.what} came while no turn was running.*foreign-waits\\.test\\.ts:\\d+:\\d+\\)$`,
              ),
        ),
      });
      expect(await env.client.admin.queueDepths()).toMatchObject({ orchestratorQueue: 0 });
    },
  );

  it("is not told of a finished instance, nor of a branch that has lost its race", async () => {
    const foreign = Promise.withResolvers<void>();
    const late = async (ctx: OrchestrationContext): Promise<void> => {
      await foreign.promise;
      ctx.setCustomStatus("late");
    };
    const ends = orchestration("ends", async (ctx) => {
      void late(ctx);
      await ctx.scheduleTimer(1);
    });
    const races = orchestration("races", async (ctx) => {
      await ctx.race([late, ctx.scheduleTimer(1)]);
      await ctx.waitForEvent("never");
    });
    await using env = await startEnvironment({ orchestrations: [ends, races] });
    await env.client.start("ends", { instanceId: "e" });
    await env.client.start("races", { instanceId: "r" });
    await env.advance(10);
    foreign.resolve();
    await env.settle();
    expect(env.log.messages("error")).toEqual([]);
  });
});

type Strays = (ctx: OrchestrationContext, foreign: Promise<void>) => Promise<unknown>;

describe("outside its turn", () => {
  /** Runs until the foreign promise has settled and the next event has come. */
  async function afterForeign(body: (ctx: OrchestrationContext, foreign: Promise<void>) => Promise<unknown>) {
    const foreign = Promise.withResolvers<void>();
    await using env = await startEnvironment({
      orchestrations: [orchestration("strays", async (ctx) => body(ctx, foreign.promise))],
      options: { onNondeterminism: "fail" },
    });
    const handle = await env.begin("strays");
    foreign.resolve();
    await env.settle();
    await handle.raise("e", undefined, { ifMissing: "keep" });
    return (await env.failure(handle)).message;
  }

  // context.X2
  it("a durable call is refused, and fails the instance at its next turn", async () => {
    const codes: unknown[] = [];
    const message = await afterForeign(async (ctx, foreign) => {
      const event = ctx.waitForEvent("e");
      await Promise.race([event, foreign]);
      try {
        await ctx.scheduleTimer(1);
      } catch (error) {
        codes.push((error as { readonly code: unknown }).code);
      }
      await event;
    });

    expect(codes).toEqual(["outside-turn"]);
    expect(message).toMatch(/^nondeterministic: scheduleTimer came while no turn was running/);
  });

  it("the end of the function fails the instance at its next turn", async () => {
    const message = await afterForeign(async (ctx, foreign) => {
      await Promise.race([ctx.waitForEvent("e"), foreign]);
      return "by chance";
    });

    expect(message).toMatch(/^nondeterministic: the end of the orchestration function came while/);
  });

  it("a status or an entry cannot be set either", async () => {
    const message = await afterForeign(async (ctx, foreign) => {
      const event = ctx.waitForEvent("e");
      await Promise.race([event, foreign]);
      ctx.setCustomStatus("stray");
      await event;
    });

    expect(message).toMatch(/^nondeterministic: setCustomStatus came while/);
  });
});
