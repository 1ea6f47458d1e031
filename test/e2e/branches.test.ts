/** Branches of several steps that are waited for together: functions given to all and allSettled. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { engineScenario } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, value: string) => value);
const fails = activity("fails", async (_ctx, why: string): Promise<string> => {
  throw new Error(why);
});

describe("a function given to", () => {
  engineScenario("all is a branch of several steps", async (start) => {
    const job = orchestration("job", async (ctx) => {
      const [first, second, third] = await ctx.all([
        async (branch) => {
          const one = await branch.scheduleActivity(echo, "1");
          return `${one}${await branch.scheduleActivity(echo, "2")}`;
        },
        ctx.scheduleActivity(echo, "3"),
        async (branch) => {
          await branch.scheduleTimer(10);
          return 4;
        },
      ]);
      return { first, second, third };
    });
    const { env, handle } = await started(start, job, { activities: [echo] });
    expect(await env.finish(handle)).toEqual({ first: "12", second: "3", third: 4 });
  });

  engineScenario(
    "all rejects it with the first error in argument order, when all have ended",
    async (start) => {
      const ended: string[] = [];
      const job = orchestration("job", async (ctx) => {
        await ctx.all([
          async (branch) => {
            await branch.scheduleTimer(10);
            ended.push("first");
            await branch.scheduleActivity(fails, "late");
          },
          (branch) => branch.scheduleActivity(fails, "early"),
          () => {
            throw new Error("at once");
          },
        ]);
      });
      const { env, handle } = await started(start, job, { activities: [fails] });
      expect((await env.failure(handle)).message).toBe("late");
      expect(ended).toContain("first");
    },
  );

  engineScenario("allSettled is reported like a task", async (start) => {
    const job = orchestration("job", async (ctx) => {
      const settled = await ctx.allSettled([
        (branch) => branch.scheduleActivity(echo, "fine"),
        (branch) => branch.scheduleActivity(fails, "not fine"),
      ]);
      return settled.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)));
    });
    const { env, handle } = await started(start, job, { activities: [echo, fails] });
    expect(await env.finish(handle)).toEqual(["fine", "ActivityFailedError: not fine"]);
  });

  engineScenario("all goes no further when the whole is cancelled", async (start) => {
    const job = orchestration("job", async (ctx) => {
      const steps: string[] = [];
      const both = ctx.all([
        async (branch) => {
          await branch.waitForEvent("go");
          steps.push("went on");
        },
      ]);
      both.cancel("enough");
      await both.catch((error: Error) => steps.push(error.name));
      await ctx.waitForEvent("go");
      return steps;
    });
    const { env, handle } = await begun(start, job);
    await handle.raise("go");
    await env.settle();
    expect(await env.finish(handle)).toEqual(["CancelledError"]);
  });
});
