/** `ctx.map`: one branch for each item, with a limit on how many run at a time. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { outputOf, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

describe("a map", () => {
  scenario("has values in the order of the items, and at most so many branches at a time", async (start) => {
    let running = 0;
    let most = 0;
    const work = activity("work", async (_ctx, n: number) => {
      running++;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return n * 10;
    });
    const maps = orchestration("maps", async (ctx) =>
      ctx.map(
        [5, 4, 3, 2, 1],
        async (branch, n, index) => {
          await branch.scheduleTimer({ ms: 100 * n });
          return [index, await branch.scheduleActivity(work, n)];
        },
        { concurrency: 2 },
      ),
    );
    const result = await outputOf(start, maps, { activities: [work] });

    expect(result).toEqual([
      [0, 50],
      [1, 40],
      [2, 30],
      [3, 20],
      [4, 10],
    ]);
    expect(most).toBeLessThanOrEqual(2);
  });

  scenario("rejects with the first failure by item order after all have settled", async (start) => {
    const done: number[] = [];
    const maps = orchestration("maps", async (ctx) =>
      ctx
        .map([3, 2, 1], async (branch, n) => {
          await branch.scheduleTimer({ seconds: n });
          if (n > 1) throw new Error(`no ${n}`);
          done.push(n);
        })
        .catch((error: Error) => error.message),
    );

    expect(await outputOf(start, maps)).toBe("no 3");
    expect(done).toContain(1);
  });

  scenario("ends early at enough successes, or at too many failures, and drops the rest", async (start) => {
    const maps = orchestration("maps", async (ctx) => {
      const items = [1, 2, 3, 4];
      const slow = async (branch: typeof ctx, n: number): Promise<number> => {
        await branch.scheduleTimer({ minutes: n });
        if (n % 2 === 0) throw new Error(`even ${n}`);
        return n;
      };
      const enough = await ctx.map(items, slow, { minSuccessful: 1 });
      const tolerated = await ctx.map(items, slow, { toleratedFailures: 2 });
      const refused = await ctx
        .map(items, slow, { toleratedFailures: 1 })
        .catch((error: Error) => error.message);
      const outOfReach = await ctx
        .map(items, slow, { minSuccessful: 3 })
        .catch((error: Error) => error.message);
      const settled = await ctx.map(items, slow, { settled: true, concurrency: 3 });
      const state = (outcome: PromiseSettledResult<number> | undefined): string =>
        outcome?.status ?? "dropped";
      return [enough.map(state), tolerated.map(state), refused, outOfReach, settled.map(state)];
    });
    const { env, handle } = await started(start, maps);
    await env.advance(60 * 60_000);

    expect(await env.finish(handle)).toEqual([
      ["fulfilled", "dropped", "dropped", "dropped"],
      ["fulfilled", "rejected", "fulfilled", "rejected"],
      "even 4",
      "even 4",
      ["fulfilled", "rejected", "fulfilled", "rejected"],
    ]);
  });

  engineScenario("of nothing has no values, and refuses what it cannot do", async (start) => {
    const maps = orchestration("maps", async (ctx) => {
      const none = async (): Promise<number> => 1;
      const refusal = (call: () => unknown): string => {
        try {
          call();
          return "accepted";
        } catch (error) {
          return (error as Error).message;
        }
      };
      return [
        await ctx.map([], none),
        await ctx.map([], none, { minSuccessful: 0 }),
        refusal(() => ctx.map([1], none, { minSuccessful: 2 })),
        refusal(() => ctx.map([1], none, { concurrency: 0 })),
        refusal(() => ctx.map("abc" as unknown as string[], none)),
      ];
    });

    expect(await outputOf(start, maps)).toEqual([
      [],
      [],
      "map: 1 items cannot have 2 successes",
      "map: concurrency must be a whole number of 1 or more; got 0",
      expect.stringContaining("map: the items must be an array"),
    ]);
  });

  engineScenario("of a thousand items has all their values", async (start) => {
    const maps = orchestration("maps", async (ctx) => {
      const items = Array.from({ length: 1_000 }, (_, n) => n);
      // Timers, because the order in which activities of a batch end may differ from run to run.
      const values = await ctx.map(
        items,
        async (branch, n) => {
          await branch.scheduleTimer({ ms: 1 });
          return n;
        },
        { concurrency: 50 },
      );
      return values.every((value, n) => value === n) && values.length;
    });
    const { env, handle } = await started(start, maps);
    await env.advance(60_000);

    expect(await env.finish(handle)).toBe(1_000);
  });
});
