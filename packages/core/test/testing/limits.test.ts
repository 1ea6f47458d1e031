/** Limits in the test environment: virtual time, and rules of the options. */
import { activity, orchestration } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";

it("a rate passes in virtual time", async () => {
  const times: number[] = [];
  const call = activity("call", { limit: "partner" }, async () => {
    times.push(env.clock.now());
  });
  const calls = orchestration("calls", async (ctx) => {
    await ctx.all([1, 2, 3].map(() => ctx.scheduleActivity(call)));
    return "done";
  });
  const limits = { partner: { rate: { max: 1, per: { minutes: 1 } } } };
  await using env = await TestEnvironment.create({ orchestrations: [calls], activities: [call], limits });
  const run = await env.start(calls);
  await env.advance({ minutes: 1 });
  await env.advance({ minutes: 1 });
  expect(await run.result()).toBe("done");
  const [first = 0] = times;
  expect(times.map((atMs) => atMs - first)).toEqual([0, 60_000, 120_000]);
});
