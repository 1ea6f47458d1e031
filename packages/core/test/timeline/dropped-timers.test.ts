/** The turn in which the code drops a timer says so, so that a timeline does not show the timer as awaited. */
import { expect, test } from "vitest";
import { activity, orchestration } from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const fails = activity("fails", async () => {
  throw new Error("the bank is down");
});

const order = orchestration("order", async (ctx) => {
  await ctx.race([ctx.waitForEvent("approved"), ctx.scheduleTimer({ days: 2 })]);
  await ctx.waitForEvent("shipped");
});

const impatient = orchestration("impatient", async (ctx) => {
  await ctx.race([
    ctx.scheduleActivity(fails, undefined, {
      retry: { maxAttempts: 3, backoff: { kind: "fixed", delay: { hours: 1 } } },
    }),
    ctx.waitForEvent("enough"),
  ]);
  await ctx.waitForEvent("never");
});

async function environment(): Promise<TestEnvironment> {
  return TestEnvironment.create({ orchestrations: [order, impatient], activities: [fails] });
}

test("a timer that lost its race ended when it lost, and nothing waits for it", async () => {
  await using env = await environment();
  const handle = await env.start(order, { instanceId: "i" });
  await env.advance({ hours: 5 });
  const lostAtMs = env.clock.now();
  await handle.raise("approved");
  await env.advance({ hours: 5 });
  const { steps, waits } = await env.client.admin.timeline("i");
  expect(steps.find(({ kind }) => kind === "timer")).toMatchObject({
    outcome: "dropped",
    endedAtMs: lostAtMs,
  });
  expect(waits.map(({ kind, name }) => [kind, name])).toEqual([["event", "shipped"]]);
});

test("a call that lost its race in the pause before a retry is not tried again", async () => {
  await using env = await environment();
  const handle = await env.start(impatient, { instanceId: "i" });
  await env.advance({ minutes: 1 });
  const lostAtMs = env.clock.now();
  await handle.raise("enough");
  await env.advance({ minutes: 1 });
  const { steps, waits } = await env.client.admin.timeline("i");
  expect(steps.find(({ kind }) => kind === "activity")).toMatchObject({
    outcome: "dropped",
    endedAtMs: lostAtMs,
  });
  expect(waits.map(({ kind, name }) => [kind, name])).toEqual([["event", "never"]]);
});

test("a timer that is awaited, and one that has fired, are as they were", async () => {
  await using env = await environment();
  await env.start(order, { instanceId: "i" });
  await env.advance({ days: 1 });
  expect((await env.client.admin.timeline("i")).waits.map(({ kind }) => kind)).toEqual(["event", "timer"]);
  await env.advance({ days: 2 });
  const { steps } = await env.client.admin.timeline("i");
  expect(steps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ["event", "dropped"],
    ["timer", "completed"],
    ["event", "open"],
  ]);
});
