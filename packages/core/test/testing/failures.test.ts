/**
 * The reports of a test environment on failures that the test did not read (failure-watch.FW1 to failure-watch.FW4).
 */
import { describe, expect, test } from "vitest";
import {
  activity,
  InvalidInputError,
  OrchestrationFailedError,
  orchestration,
  silentLogger,
} from "../../src/index.ts";
import {
  TestEnvironment,
  type TestEnvironmentOptions,
  UnseenFailuresError,
} from "../../src/testing/index.ts";

const charge = activity("charge", async (_ctx, order: string): Promise<string> => {
  throw new RangeError(`no money for ${order}`);
});
const order = orchestration("order", async (ctx, id: string) => {
  await ctx.scheduleTimer({ hours: 1 });
  return ctx.scheduleActivity(charge, id);
});
const atOnce = orchestration("at-once", async () => {
  throw new TypeError("broken");
});
const parent = orchestration("parent", async (ctx) =>
  ctx.scheduleSubOrchestration(atOnce).catch((error: Error) => `compensated: ${error.message}`),
);
const detaching = orchestration("detaching", async (ctx) => {
  ctx.startOrchestration(atOnce, { instanceId: "on-its-own" });
});
const orchestrations = [order, atOnce, parent, detaching];

const create = (options: Partial<TestEnvironmentOptions> = {}): Promise<TestEnvironment> =>
  TestEnvironment.create({ orchestrations, activities: [charge], logger: silentLogger, ...options });

const close = (env: TestEnvironment): Promise<void> => env[Symbol.asyncDispose]();

async function unseen(promise: Promise<unknown>): Promise<UnseenFailuresError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UnseenFailuresError);
  return error as UnseenFailuresError;
}

describe("a failure that the test did not read", () => {
  test("is reported when time moves on, with instance, orchestration, message and stack (failure-watch.FW1)", async () => {
    await using env = await create();
    await env.start(order, { input: "42", instanceId: "order-42" });
    await env.advance({ hours: 2 });
    const error = await unseen(env.advance({ hours: 1 }));
    expect(error.message).toMatch(
      /^1 instance failed, and the test did not read the failure:\n {2}- order "order-42": no money for 42\n/,
    );
    expect(error.message).toMatch(/RangeError: no money for 42\n +at .*failures\.test\.ts:\d+/);
    expect(error.message).toContain("env.ignoreFailures(");
    expect(error.errors).toHaveLength(1);
    expect(error.errors[0]).toBeInstanceOf(OrchestrationFailedError);
    expect(error.errors[0]).toMatchObject({ instanceId: "order-42" });
  });

  test("is reported by settle", async () => {
    await using env = await create();
    await env.start(atOnce);
    await unseen(env.settle());
  });

  test("is reported at the end, after everything is closed", async () => {
    const env = await create();
    await env.start(atOnce, { instanceId: "a" });
    await env.start(atOnce, { instanceId: "b" });
    const error = await unseen(close(env));
    expect(error.message).toContain("2 instances failed, and the test did not read the failure:");
    expect(error.errors.map(({ instanceId }) => instanceId)).toEqual(["a", "b"]);
    await expect(env.client.handle(atOnce, "a").status()).rejects.toThrow("closed");
  });

  test("is reported once (failure-watch.FW4)", async () => {
    const env = await create();
    await env.start(atOnce);
    await unseen(env.settle());
    await env.settle();
    await close(env);
  });

  test("is reported of an instance that was started detached", async () => {
    const env = await create();
    await env.start(detaching);
    expect((await unseen(close(env))).errors).toMatchObject([{ instanceId: "on-its-own" }]);
  });

  test("is reported with the name of the orchestration in a store that was there before", async () => {
    const env = await create();
    await env.start(order, { input: "42", instanceId: "order-42" });
    await env.restart();
    await env.advance({ hours: 1 });
    expect((await unseen(close(env))).message).toContain('order "order-42"');
  });
});

describe("a failure is looked at by", () => {
  const looks: Readonly<Record<string, (env: TestEnvironment) => Promise<unknown>>> = {
    "run.status()": (env) => env.run(atOnce, "i").status(),
    "run.result()": (env) => env.run(atOnce, "i").result().catch(String),
    "run.runToEnd()": (env) => env.run(atOnce, "i").runToEnd().catch(String),
    "run.history()": (env) => env.run(atOnce, "i").history(),
    "the client's status": (env) => env.client.handle(atOnce, "i").status(),
    "the client's result": (env) => env.client.handle(atOnce, "i").result().catch(String),
    "the client's wait for an entry": (env) =>
      env.client
        .handle(atOnce, "i")
        .waitFor("k", { timeout: 0 })
        .catch(String)
        .then(() => env.run(atOnce, "i").status()),
    "the client's administration": (env) => env.client.admin.info("i"),
    "the client's history": (env) => env.client.admin.history("i"),
    "a list of what has failed": async (env) => {
      for await (const id of env.client.admin.instances({ status: "Failed" })) expect(id).toBe("i");
    },
  };

  test.each(Object.entries(looks))("%s", async (_how, look) => {
    await using env = await create();
    await env.start(atOnce, { instanceId: "i" });
    await look(env);
    await env.advance(1);
  });

  test("a result that was asked for before (failure-watch.FW2)", async () => {
    await using env = await create();
    const result = (await env.start(order, { input: "42" })).result();
    await env.advance({ hours: 2 });
    await env.advance({ hours: 2 });
    await expect(result).rejects.toThrow("no money for 42");
  });

  test("not by a status before it failed (failure-watch.FW1)", async () => {
    const env = await create();
    const run = await env.start(order, { input: "42" });
    expect((await run.status()).status).toBe("Running");
    await env.advance({ hours: 2 });
    await unseen(close(env));
  });
});

describe("no report is made of", () => {
  test("a child whose parent got the failure (failure-watch.FW3)", async () => {
    await using env = await create();
    expect(await (await env.start(parent)).result()).toBe("compensated: broken");
  });

  test("an instance that was cancelled (failure-watch.FW3)", async () => {
    await using env = await create();
    const run = await env.start(order, { input: "42" });
    await run.cancel("enough");
    await env.advance({ hours: 2 });
  });

  test("what the test ignores: one instance, or all", async () => {
    const env = await create();
    const run = await env.start(atOnce, { instanceId: "a" });
    await env.start(atOnce, { instanceId: "b" });
    env.ignoreFailures(run);
    expect((await unseen(env.settle())).errors).toMatchObject([{ instanceId: "b" }]);
    env.ignoreFailures("c");
    await env.start(atOnce, { instanceId: "c" });
    await env.settle();
    env.ignoreFailures();
    await env.start(atOnce, { instanceId: "d" });
    await close(env);
  });
});

describe("with mockAll", () => {
  const greet = activity("greet", async (_ctx, name: string) => `hello ${name}`);
  const greeter = orchestration("greeter", async (ctx, name: string) =>
    ctx.scheduleActivity(greet, name, { retry: { maxAttempts: 5 } }),
  );
  const options = { orchestrations: [greeter], logger: silentLogger, mockAll: true };

  test("an activity that is not mocked fails its caller, once, and says what to do", async () => {
    let calls = 0;
    const counted = activity("greet", async (_ctx, name: string) => `${name} ${++calls}`);
    await using env = await TestEnvironment.create({ ...options, activities: [counted] });
    await expect((await env.start(greeter, { input: "Ada" })).result()).rejects.toThrow(
      'activity "greet" is not mocked, and mockAll is set: add greet.mock(async (ctx, input) => …) to `activities`',
    );
    expect(calls).toBe(0);
    expect(env.calls(counted)).toHaveLength(1);
  });

  test("a mock runs, and so does one that comes with a restart", async () => {
    await using env = await TestEnvironment.create({
      ...options,
      activities: [greet, greet.mock(async () => "mocked")],
    });
    expect(await (await env.start(greeter, { input: "Ada" })).result()).toBe("mocked");
    await env.restart({ activities: [greet] });
    await expect((await env.start(greeter, { input: "Ada" })).result()).rejects.toThrow("is not mocked");
    await env.restart({ activities: [greet], mockAll: false });
    expect(await (await env.start(greeter, { input: "Ada" })).result()).toBe("hello Ada");
  });

  test("a mock of a mock is one", () => {
    expect(greet.isMock).toBe(false);
    expect(greet.mock(async () => "a").mock(async () => "b").isMock).toBe(true);
    expect(() => activity("", async () => {})).toThrow(InvalidInputError);
  });
});

describe("a mistake of the code", () => {
  const broken = (onDefect?: "block") =>
    orchestration("broken", { ...(onDefect && { onDefect }) }, async (ctx) => {
      await ctx.scheduleTimer({ hours: 1 });
      throw new TypeError("order is undefined");
    });

  test("rejects what the test waits for", async () => {
    const env = await create({ orchestrations: [broken()] });
    const run = await env.start("broken");
    await expect(run.runToEnd()).rejects.toMatchObject({
      message: "order is undefined",
      cause: { name: "TypeError" },
    });
    await close(env);
  });

  test("blocks the instance where its orchestration asks for that, which a wait says at once", async () => {
    const env = await create({ orchestrations: [broken("block")] });
    const run = await env.start("broken");
    await expect(run.runToEnd()).rejects.toThrow(/TypeError: order is undefined/);
    expect(await run.status()).toMatchObject({ status: "Running", blocked: [{ reason: "defect" }] });
    await close(env);
  });
});
