/** Steps in a test environment: their calls, what replaces them, and the time on which they wait. */
import { describe, expect, test } from "vitest";
import { sleep } from "../../src/contract/clock.ts";
import { activity, orchestration, silentLogger } from "../../src/index.ts";
import { StalledError, TestEnvironment } from "../../src/testing/index.ts";

const DAY_MS = 86_400_000;

const checkout = orchestration("checkout", async (ctx, id: string) => {
  const receipt = await ctx.run("charge", () => `receipt of ${id}`, { retry: { maxAttempts: 3 } });
  return ctx.run("ship", () => `label for ${receipt}`);
});
const options = { orchestrations: [checkout], logger: silentLogger };

describe("a step", () => {
  test("is listed among the calls, with its outcome", async () => {
    await using env = await TestEnvironment.create(options);
    const run = await env.start(checkout, { instanceId: "i", input: "42" });
    expect(await run.result()).toBe("label for receipt of 42");
    expect(env.calls("charge")).toEqual([
      {
        activityName: "charge",
        input: undefined,
        instanceId: "i",
        executionId: 1,
        attempt: 1,
        outcome: { kind: "returned", value: "receipt of 42" },
      },
    ]);
    expect(env.calls("ship")).toHaveLength(1);
  });

  test("is replaced by an activity of its name, which gets the context", async () => {
    const charge = activity("charge", async (ctx) => `mock at ${ctx.orchestrationName}, ${ctx.attempt}`);
    await using env = await TestEnvironment.create({ ...options, activities: [charge] });
    expect(await (await env.start(checkout, { input: "42" })).result()).toBe("label for mock at checkout, 1");
    expect(env.calls(charge)).toMatchObject([{ outcome: { value: "mock at checkout, 1" } }]);

    let failures = 2;
    const fails = charge.mock(async () => {
      if (failures-- > 0) throw new Error("the bank is asleep");
      return "late";
    });
    await env.restart({ activities: [fails] });
    expect(await (await env.start(checkout, { input: "42" })).runToEnd()).toBe("label for late");
  });

  test("is replaced also where the orchestration is repeated for its handler", async () => {
    const hangs = activity("ship", () => new Promise<never>(() => {}));
    await using env = await TestEnvironment.create({ ...options, activities: [hangs], patienceMs: 1 });
    const run = await env.start(checkout, { input: "42" });
    await env.restart({ activities: [activity("ship", async () => "after the crash")] });
    await env.advance({ minutes: 1 });
    expect(await run.result()).toBe("after the crash");
    expect(env.calls("charge")).toHaveLength(1);
    expect(env.calls("ship")).toHaveLength(2);
  });

  test("without a mock does not run with mockAll, and is not retried", async () => {
    await using env = await TestEnvironment.create({ ...options, mockAll: true });
    await expect((await env.start(checkout, { input: "42" })).result()).rejects.toThrow(
      'step "charge" is not mocked, and mockAll is set: add activity("charge", async (ctx) => …) to `activities`',
    );
    expect(env.calls("charge")).toMatchObject([{ outcome: { kind: "threw" } }]);

    await env.restart({
      activities: [activity("charge", async () => "r"), activity("ship", async () => "l")],
    });
    expect(await (await env.start(checkout, { input: "42" })).result()).toBe("l");
  });
});

describe("the time of the environment", () => {
  const sleeper = (env: () => TestEnvironment) =>
    orchestration("sleeper", async (ctx) => {
      await ctx.run("nap", () => sleep(env().clock, DAY_MS));
      return ctx.now();
    });

  test("passes for a step that sleeps on it, in runToEnd", async () => {
    const definition = sleeper(() => env);
    await using env: TestEnvironment = await TestEnvironment.create({
      orchestrations: [definition],
      startMs: 0,
      patienceMs: 1,
    });
    const run = await env.start(definition);
    expect(await run.waits()).toMatchObject([{ what: 'the step "nap"', dueMs: DAY_MS }]);
    await expect(run.result()).rejects.toThrow("env.advance({ days: 1 })");
    expect(await run.runToEnd()).toBe(DAY_MS);
  });

  test("passes for an activity that sleeps on it", async () => {
    const nap = activity("nap", () => sleep(env.clock, DAY_MS));
    const naps = orchestration("naps", async (ctx) => {
      await ctx.scheduleActivity(nap);
      return ctx.now();
    });
    await using env: TestEnvironment = await TestEnvironment.create({
      orchestrations: [naps],
      activities: [nap],
      startMs: 0,
      patienceMs: 1,
    });
    expect(await (await env.start(naps)).runToEnd()).toBe(DAY_MS);
  });

  test("does not pass for a step that waits for the test", async () => {
    const waits = orchestration("waits", async (ctx) => ctx.run("stuck", () => new Promise<never>(() => {})));
    await using env = await TestEnvironment.create({ orchestrations: [waits], startMs: 0, patienceMs: 1 });
    const run = await env.start(waits);
    await expect(run.runToEnd()).rejects.toThrow(StalledError);
    await expect(run.result()).rejects.toThrow("its handler is still running");
    expect(env.clock.now()).toBe(0);
  });
});
