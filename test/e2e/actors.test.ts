/** Long chains of executions side by side: instances that live like actors. */

import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { runs } from "../support/effort.ts";
import { eventTypes } from "../support/history-lines.ts";
import { onEveryStore } from "../support/scenario.ts";

describe("several instances that continue as new again and again", () => {
  onEveryStore("come to their ends; every execution has its history", async (start) => {
    const chain = orchestration(
      "chain",
      async (ctx, round: number): Promise<unknown> =>
        round < 9 ? ctx.continueAsNew("chain", round + 1) : `completed at ${round}`,
    );
    const env = await start({ orchestrations: [chain] });
    const ids = Array.from({ length: 5 }, (_, n) => `chain-${n}`);
    const handles = await Promise.all(
      ids.map((instanceId) => env.client.start(chain, { instanceId, input: 0 })),
    );

    for (const handle of handles) expect(await env.finish(handle)).toBe("completed at 9");
    for (const id of ids) {
      expect(await env.client.admin.executions(id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      for (let execution = 1; execution <= 10; execution++) {
        expect(await env.events(id, execution)).toHaveLength(2);
      }
    }
  });

  onEveryStore("do all their work in each of many executions", async (start) => {
    const ROUNDS = runs(50);
    let ran = 0;
    const work = activity("work", async (_ctx, step: string) => {
      ran++;
      return step;
    });
    const actor = orchestration("actor", async (ctx, round: number): Promise<unknown> => {
      if (round === ROUNDS) return "retired";
      await ctx.scheduleTimer(10);
      for (const step of ["wake", "look", "act", "note"]) await ctx.scheduleActivity(work, step);
      return ctx.continueAsNew("actor", round + 1);
    });
    const env = await start({ orchestrations: [actor], activities: [work] });
    const ids = ["a", "b", "c"];
    const handles = await Promise.all(
      ids.map((instanceId) => env.client.start(actor, { instanceId, input: 1 })),
    );

    for (const handle of handles) expect(await env.finish(handle)).toBe("retired");
    expect(ran).toBe(3 * (ROUNDS - 1) * 4);
    for (const id of ids) {
      for (let execution = 1; execution < ROUNDS; execution++) {
        const types = eventTypes(await env.events(id, execution));
        expect(types.filter((type) => type === "ActivityCompleted")).toHaveLength(4);
        expect(types.filter((type) => type === "TimerFired")).toHaveLength(1);
      }
      expect(await env.events(id, ROUNDS)).toHaveLength(2);
    }
  });
});
