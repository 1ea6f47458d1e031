/** Code that waits for something that is not durable fails with a clear message instead of hanging or diverging. */
import { setTimeout as realSleep } from "node:timers/promises";
import { type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../support/environment.ts";
import { engineScenario } from "../support/scenario.ts";

/** The determinism guard would refuse the global functions already when they are called. */
const unguarded = { determinismGuard: "off" } as const;

async function outcomeOf(env: Environment, name: string): Promise<string> {
  return (await env.failure(await env.client.start(name, { instanceId: name }))).message;
}

describe("code that waits for", () => {
  engineScenario("a promise that nobody settles fails at the end of its turn", async (start) => {
    const hangs = orchestration("hangs", async () => new Promise<void>(() => {}));
    const env = await start({ orchestrations: [hangs] });

    expect(await outcomeOf(env, "hangs")).toMatch(
      /^nondeterministic: .*waiting for something that is not durable/,
    );
  });

  engineScenario("a real timer fails at the end of its turn", async (start) => {
    const sleeps = orchestration("sleeps", async () => {
      await realSleep(5);
    });
    const env = await start({ orchestrations: [sleeps], options: unguarded });

    expect(await outcomeOf(env, "sleeps")).toContain("ctx.scheduleTimer");
  });

  engineScenario("the network fails at the end of its turn", async (start) => {
    const fetches = orchestration("fetches", async () => {
      await fetch("http://127.0.0.1:59999/").catch(() => {});
    });
    const env = await start({ orchestrations: [fetches], options: unguarded });

    expect(await outcomeOf(env, "fetches")).toContain("Do that in an activity");
  });

  engineScenario(
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

  engineScenario("something foreign after a branch has lost its race fails, too", async (start) => {
    const mixes = orchestration("mixes", async (ctx) => {
      await ctx.race([async (branch) => branch.waitForEvent("never"), ctx.scheduleTimer(1_000)]);
      await new Promise<void>(() => {});
    });
    const env = await start({ orchestrations: [mixes] });

    expect(await outcomeOf(env, "mixes")).toContain("not durable");
  });
});

describe("outside its turn", () => {
  /** Runs until the foreign promise has settled and the next event has come. */
  async function afterForeign(body: (ctx: OrchestrationContext, foreign: Promise<void>) => Promise<unknown>) {
    const foreign = Promise.withResolvers<void>();
    await using env = await startEnvironment({
      orchestrations: [orchestration("strays", async (ctx) => body(ctx, foreign.promise))],
    });
    const handle = await env.client.start("strays", { instanceId: "i" });
    await env.settle();
    foreign.resolve();
    await env.settle();
    await handle.raise("e");
    return (await env.failure(handle)).message;
  }

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
