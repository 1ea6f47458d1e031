/** Changes of code that running executions do not see: `ctx.patched` (docs/decisions/orchestration-code.md). */
import { activity, event, InvalidInputError, orchestration } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import { begun, outputOf, started } from "../support/one-program.ts";
import { type Start, scenario } from "../support/scenario.ts";

const go = event<string>("go", { keep: true });
const consent = activity("consent", async () => "agreed");
const charge = activity("charge", async () => "charged");
const activities = [consent, charge];

const before = orchestration("pay", async (ctx) => {
  const first = await ctx.scheduleActivity(charge);
  await ctx.waitForEvent(go);
  await ctx.waitForEvent(go);
  return [first];
});

/** Asks for consent before the charge, and again at the end. */
const after = orchestration("pay", async (ctx) => {
  const patched = [ctx.patched("consent")];
  const first = ctx.patched("consent") ? [await ctx.scheduleActivity(consent)] : [];
  first.push(await ctx.scheduleActivity(charge));
  await ctx.waitForEvent(go);
  await ctx.waitForEvent(go);
  return [...first, ...patched, ctx.patched("consent"), ctx.patched("farewell")];
});

async function finished(start: Start, restarts: readonly (typeof before | typeof after)[]) {
  const [first, ...others] = restarts;
  const env = await start({ orchestrations: first === undefined ? [] : [first], activities, file: true });
  await env.begin("pay");
  for (const code of others) {
    await env.restart({ orchestrations: [code], activities });
    await env.client.handle("pay", "i").raise(go, "on");
    await env.settle();
  }
  return { env, result: await env.finish(env.client.handle("pay", "i")) };
}

describe("a patch", () => {
  scenario("is in force in an execution that comes to it first, in replays too", async (start) => {
    const { env, result } = await finished(start, [after, after, after]);

    expect(result).toEqual(["agreed", "charged", true, true, true]);
    const events = await env.events("i");
    expect(events.flatMap(({ type, patches = [] }) => patches.map((id) => `${type} ${id}`))).toEqual([
      "OrchestrationStarted consent",
      "ExternalEventPersistent farewell",
    ]);
    await replay(events, { orchestrations: [after] });
  });

  scenario("is not in force where an execution has passed its first call without it", async (start) => {
    const { env, result } = await finished(start, [before, after, after]);

    expect(result).toEqual(["charged", false, false, true]);
    await replay(await env.events("i"), { orchestrations: [after] });
  });

  scenario("may leave the code again, in executions with it and in new ones", async (start) => {
    const always = orchestration("pay", async (ctx) => {
      const first = await ctx.scheduleActivity(consent);
      const second = await ctx.scheduleActivity(charge);
      await ctx.waitForEvent(go);
      await ctx.waitForEvent(go);
      return [first, second];
    });
    expect((await finished(start, [after, always, always])).result).toEqual(["agreed", "charged"]);
  });

  scenario("is decided in branches, and anew by the next execution", async (start) => {
    const rounds = orchestration("rounds", async (ctx, round: number): Promise<unknown> => {
      if (round === 0) {
        await ctx.waitForEvent(go);
        return ctx.continueAsNew("rounds", 1);
      }
      const answers = await ctx.all([
        async (branch) => branch.patched("a"),
        async (branch) => {
          await branch.scheduleActivity(charge);
          return branch.patched("a") && branch.patched("b");
        },
      ]);
      await ctx.waitForEvent(go);
      return [...answers, ctx.executionId];
    });
    const { env } = await begun(start, rounds, { activities, file: true, input: 0 });
    for (const _ of [1, 2]) {
      await env.restart();
      await env.client.handle(rounds, "i").raise(go, "on");
      await env.settle();
    }
    expect(await env.finish(env.client.handle(rounds, "i"))).toEqual([true, true, 2]);
  });

  for (const verb of ["restart", "rewind"] as const) {
    scenario(
      `is decided anew where an operator begins an instance from its start (${verb})`,
      async (start) => {
        const { env } = await finished(start, [before, before, before]);
        await env.restart({ orchestrations: [after], activities });
        if (verb === "restart") {
          await env.client.admin.restart("i");
          for (const _ of [1, 2]) {
            await env.settle();
            await env.restart({ orchestrations: [after], activities });
            await env.client.handle("pay", "i").raise(go, "on");
          }
        } else await env.client.admin.rewind("i", { toEvent: 1 });

        expect(await env.finish(env.client.handle("pay", "i"))).toEqual([
          "agreed",
          "charged",
          true,
          true,
          true,
        ]);
        await replay(await env.events("i"), { orchestrations: [after] });
      },
    );
  }

  scenario("is decided anew by a restart whose only turn calls nothing", async (start) => {
    const only = orchestration("only", async (ctx) => ctx.patched("x"));
    const { env, handle } = await started(start, only);
    expect(await env.finish(handle)).toBe(true);
    await env.client.admin.restart("i");

    expect(await env.finish(handle)).toBe(true);
    await replay(await env.events("i"), { orchestrations: [only] });
  });

  scenario("needs an id, and a place outside a step", async (start) => {
    const wrong = orchestration("wrong", async (ctx) => {
      const refused = (call: () => unknown): string => {
        try {
          return String(call());
        } catch (error) {
          return InvalidInputError.is(error) ? error.message : "another error";
        }
      };
      return [
        refused(() => ctx.patched("")),
        refused(() => ctx.patched(5 as unknown as string)),
        await ctx.run("step", () => refused(() => ctx.patched("x"))),
      ];
    });

    expect(await outputOf(start, wrong)).toEqual([
      "patched: the id must not be empty",
      expect.stringContaining("patched: the id must be a text"),
      expect.stringContaining('ctx.patched inside the step "step"'),
    ]);
  });

  scenario("stays with a retried execution, as its events do", async (start) => {
    let down = true;
    const flaky = activity("flaky", async () => {
      if (down) throw new Error("down");
      return "up";
    });
    const retried = orchestration("retried", async (ctx) => {
      const is = ctx.patched("early");
      await ctx.scheduleActivity(charge);
      return [is, await ctx.scheduleActivity(flaky)];
    });
    const { env, handle } = await started(start, retried, { activities: [...activities, flaky] });
    await env.failure(handle);
    down = false;
    await env.client.admin.retry("i");

    expect(await env.finish(handle)).toEqual([true, "up"]);
  });
});
