/** Whether a failure is final is decided once. Replays read it from history (replay/code/decisions.ts). */
import { activity, event, orchestration, type RetryPolicy } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { engineScenario, type Start, scenario } from "../support/scenario.ts";

const go = event("go", { keep: true });

/** A class as a bundle has it, whose minifier chose the name. */
function classNamed(name: string): new (message: string) => Error {
  const made = class extends Error {};
  Object.defineProperty(made, "name", { value: name });
  return made;
}

const undo = activity("undo", async () => "undone");

/** Fails in its call, undoes it, and waits. */
function pays(retry: RetryPolicy, timeout?: number) {
  return orchestration("pays", async (ctx) => {
    const options = { retry: { backoff: { kind: "none" }, ...retry }, ...(timeout && { timeout }) } as const;
    const paid = await ctx.scheduleActivity("charge", null, options).catch(() => "failed");
    if (paid === "failed") await ctx.scheduleActivity(undo);
    await ctx.waitForEvent(go);
    return paid;
  });
}

/** Runs the call under one policy, and replays it under another. */
async function decidedTwice(
  start: Start,
  charge: () => Promise<unknown>,
  [first, second]: readonly [RetryPolicy, RetryPolicy],
  timeout?: number,
): Promise<{ readonly result: unknown; readonly attempts: number }> {
  const activities = [activity("charge", charge), undo];
  const env = await start({
    orchestrations: [pays(first, timeout)],
    activities,
    file: true,
    options: { liveExecutions: 0 },
  });
  await env.begin("pays");
  await env.advance(60_000);
  await env.restart({ orchestrations: [pays(second, timeout)] });
  const handle = env.client.handle<string>("pays", "i");
  await handle.raise(go);
  await env.settle();
  expect((await handle.status()).status).toBe("Completed");
  const lines = await env.history("i");
  return {
    result: await env.finish(handle),
    attempts: lines.filter((line) => line.includes("Scheduled: charge")).length,
  };
}

describe("a decision about a failed attempt", () => {
  const declined = (name: string) => async () => {
    throw new (classNamed(name))("no such card");
  };

  engineScenario("outlives the name of the class that decided it", async (start) => {
    const policies = [{ nonRetryable: [classNamed("Or")] }, { nonRetryable: [classNamed("ei")] }] as const;
    expect(await decidedTwice(start, declined("Or"), policies)).toEqual({ result: "failed", attempts: 1 });
  });

  engineScenario("is not final later, where another class has the name", async (start) => {
    const policies = [{ nonRetryable: [classNamed("ei")] }, { nonRetryable: [classNamed("Or")] }] as const;
    expect(await decidedTwice(start, declined("Or"), policies)).toEqual({ result: "failed", attempts: 3 });
  });

  engineScenario("outlives a change of the predicate and of the number of attempts", async (start) => {
    const never = { when: () => false };
    const often = { maxAttempts: 9 };
    expect((await decidedTwice(start, declined("A"), [never, often])).attempts).toBe(1);
    const once = { maxAttempts: 2 };
    expect((await decidedTwice(start, declined("A"), [once, often])).attempts).toBe(2);
    expect((await decidedTwice(start, declined("A"), [once, never])).attempts).toBe(2);
  });

  engineScenario("is recorded for attempts that took too long, too", async (start) => {
    const hangs = (): Promise<unknown> => new Promise(() => {});
    const policies = [{ nonRetryable: ["TimeoutError"] }, {}] as const;
    expect((await decidedTwice(start, hangs, policies, 1_000)).attempts).toBe(1);
    expect((await decidedTwice(start, hangs, [{}, policies[0]], 1_000)).attempts).toBe(3);
  });

  engineScenario("does not keep a replay from the predicate, which may change local state", async (start) => {
    let failures = 0;
    const counts = orchestration("counts", async (ctx) => {
      failures = 0;
      const when = (): boolean => {
        failures++;
        return true;
      };
      await ctx
        .scheduleActivity("charge", null, { retry: { when, backoff: { kind: "none" } } })
        .catch(() => null);
      await ctx.waitForEvent(go);
      return failures;
    });
    const env = await start({
      orchestrations: [counts],
      activities: [activity("charge", declined("A"))],
      options: { liveExecutions: 0 },
    });
    const handle = await env.begin(counts);
    await handle.raise(go);
    expect(await env.finish(handle)).toBe(2);
  });
});

describe("the name of an error", () => {
  /** Class as minified code has it: its own name is lost, the error or the prototype has one. */
  class Or extends Error {
    override readonly name = "ValidationError";
  }
  class OnPrototype extends Error {}
  Object.defineProperty(OnPrototype, "name", { value: "Ab" });
  Object.defineProperty(OnPrototype.prototype, "name", { value: "CardError" });

  async function attemptsOf(start: Start, thrown: () => Error, retry: RetryPolicy) {
    let attempts = 0;
    const charge = activity("charge", async () => {
      attempts++;
      throw thrown();
    });
    const env = await start({ orchestrations: [pays(retry)], activities: [charge, undo] });
    const handle = await env.client.start("pays", { instanceId: "i" });
    await handle.raise(go);
    await env.finish(handle);
    return {
      attempts,
      warnings: env.log.entries.filter(({ fields }) => fields.event === "error_class_minified").length,
    };
  }

  scenario("that it sets itself is found whatever the class is called", async (start) => {
    const found = { attempts: 1, warnings: 0 };
    expect(await attemptsOf(start, () => new Or("no"), { nonRetryable: ["ValidationError"] })).toEqual(found);
    expect(await attemptsOf(start, () => new Or("no"), { nonRetryable: [Or] })).toEqual(found);
    const onPrototype = () => new OnPrototype("no");
    expect(await attemptsOf(start, onPrototype, { nonRetryable: ["CardError"] })).toEqual(found);
    expect(await attemptsOf(start, onPrototype, { nonRetryable: [OnPrototype] })).toEqual(found);
  });

  scenario("that a base class has is not the name of a class in the list", async (start) => {
    const plain = () => new Error("busy");
    const nonRetryable = [classNamed("ValidationError")];
    expect((await attemptsOf(start, plain, { nonRetryable })).attempts).toBe(3);
  });

  scenario("that only the class had, and a minifier took, is warned of once for each call", async (start) => {
    const minified = () => new (classNamed("ei"))("no such card");
    const unknown = await attemptsOf(start, minified, { nonRetryable: ["ValidationError"] });
    expect(unknown).toEqual({ attempts: 3, warnings: 1 });
    expect((await attemptsOf(start, minified, {})).warnings).toBe(0);
  });
});
