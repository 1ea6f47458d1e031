/** Messages that are handed out too often: their instance or activity fails, and what waits for it learns so. */
import { DatabaseSync } from "node:sqlite";
import {
  ActivityFailedError,
  type AnyOrchestration,
  activity,
  errorCategory,
  isCallFailure,
  orchestration,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { Freezer } from "../support/freezer.ts";
import { started } from "../support/one-program.ts";
import { engineScenario, type Start, scenario } from "../support/scenario.ts";

const calls = orchestration("calls", async (ctx, name: string) =>
  ctx.scheduleActivity(name, null).catch(() => "swallowed"),
);
/** The rule of the Rust runtime; by default such work waits for fitting code (blocked.test.ts). */
const FAIL = { onMissingHandler: "fail" } as const;
const echo = activity("echo", async (_ctx, value: unknown) => value);

describe("without a handler", () => {
  scenario("an orchestration waits longer and longer, and then is poison", async (start) => {
    const env = await start({ orchestrations: [calls], options: FAIL });
    env.needsVirtualTime("it waits for five minutes");
    const startedAtMs = env.clock.now();
    const handle = await env.client.start("unknown", { instanceId: "i" });

    expect(await env.failure(handle)).toMatchObject({
      message:
        'poison: orchestration i exceeded 11 attempts (max 10): orchestration "unknown" is not registered here; ' +
        "pass it to Runtime.start in orchestrations",
      details: { Poison: { attempt_count: 11, max_attempts: 10 } },
    });
    // 1, 2, 4, 8, 16 and 32 s, then four times a minute.
    expect(env.clock.now() - startedAtMs).toBeGreaterThanOrEqual(303_000);
    expect((await env.history("i"))[0]).toBe("1 OrchestrationStarted: unknown@unknown null");
  });

  scenario("an activity fails its instance, past any catch", async (start) => {
    const env = await start({
      orchestrations: [calls],
      activities: [echo],
      options: { ...FAIL, maxAttempts: 2 },
    });

    expect((await env.failureOf(calls, { input: "unknown" })).message).toBe(
      'poison: activity unknown#2 exceeded 3 attempts (max 2): no handler for activity "unknown" is registered ' +
        "here; pass it to Runtime.start in activities",
    );
  });

  scenario("a poisoned child fails its parent, past any catch, and the parent's parent", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(calls, "unknown").catch(() => "swallowed"),
    );
    const grandparent = orchestration("grandparent", async (ctx) =>
      ctx.scheduleSubOrchestration(parent).catch(() => "swallowed"),
    );
    const env = await start({
      orchestrations: [grandparent, parent, calls],
      options: { ...FAIL, maxAttempts: 1 },
    });

    const error = await env.failureOf(grandparent, { instanceId: "g" });

    expect(error.message).toMatch(/^poison: activity unknown#2 exceeded 2 attempts \(max 1\)/);
  });

  scenario("a child orchestration fails its parent", async (start) => {
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration("unknown", null));
    const env = await start({ orchestrations: [parent], options: { ...FAIL, maxAttempts: 1 } });

    expect((await env.failureOf(parent, { instanceId: "p" })).message).toMatch(
      /^poison: orchestration p::sub::2 exceeded 2 attempts \(max 1\)/,
    );
  });

  scenario("one poisoned activity among many leaves the others' results in history", async (start) => {
    const many = orchestration("many", async (ctx) =>
      ctx.all(["echo", "unknown", "echo"].map((name) => ctx.scheduleActivity(name, name))),
    );
    const env = await start({
      orchestrations: [many],
      activities: [echo],
      options: { ...FAIL, maxAttempts: 1 },
    });
    await env.failureOf(many);

    const completed = (await env.history("i")).filter((line) => line.includes("ActivityCompleted"));
    expect(completed).toHaveLength(2);
  });

  scenario("a continue-as-new to a missing version fails as an execution of its own", async (start) => {
    const moves = orchestration("moves", async (ctx) =>
      ctx.continueAsNew("moves", "next", { version: "9.9.9" }),
    );
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(moves, undefined, { instanceId: "child" }),
    );
    const env = await start({ orchestrations: [moves, parent], options: { ...FAIL, maxAttempts: 2 } });
    const handle = await env.client.start(parent, { instanceId: "p" });

    expect((await env.failure(handle)).message).toMatch(
      /^poison: orchestration child exceeded 3 attempts \(max 2\)/,
    );
    expect(await env.history("child", 1)).toEqual([
      "1 OrchestrationStarted: moves@1.0.0 null",
      '2 OrchestrationContinuedAsNew: "next"',
    ]);
    expect(await env.history("child", 2)).toEqual([
      '1 OrchestrationStarted: moves@9.9.9 "next"',
      expect.stringMatching(
        /^2 OrchestrationFailed: poison: orchestration child exceeded 3 attempts \(max 2\)/,
      ),
    ]);
    await env.client.handle(moves, "child").enqueue("late", "message", { ifMissing: "keep" });
    await env.settle();
    expect(await env.client.admin.queueDepths()).toMatchObject({ orchestratorQueue: 0 });
  });

  scenario("a poisoned instance can be deleted like any that has ended", async (start) => {
    const env = await start({ orchestrations: [calls], options: { ...FAIL, maxAttempts: 1 } });
    await env.failureOf("unknown");

    await env.client.admin.delete("i");

    expect(await env.client.handle("unknown", "i").status()).toEqual({ status: "NotFound" });
  });
});

describe("an activity whose worker dies every time", () => {
  const dies = async (): Promise<string> => new Promise(() => {});
  const deadly = activity("deadly", dies);
  const options = { maxAttempts: 1 };
  const MESSAGE =
    /^poison: activity [\w ]+#\d+ exceeded 4 attempts \(max 1\): its process ended while it ran alone$/;

  /** Starts the first of them, and lets its process die until the activity is poison. */
  async function begin(start: Start, orchestrations: readonly AnyOrchestration[]) {
    const env = await start({ orchestrations, activities: [deadly, echo], options });
    const [first] = orchestrations;
    await env.client.start(first?.name ?? "", { instanceId: "i" });
    for (let death = 0; death < 4; death++) {
      await env.settle();
      await env.kill();
      await env.advance(60_000);
      await env.start();
    }
    await env.advance(1_000);
    return { env, handle: env.client.handle(first?.name ?? "", "i") };
  }

  scenario("runs alone after as many attempts as allowed, and then its call rejects", async (start) => {
    const compensates = orchestration("compensates", async (ctx) => {
      const error = await ctx
        .scheduleActivity(deadly, undefined, { retry: { maxAttempts: 5 } })
        .catch((e) => e);
      if (!isCallFailure(error) || !ActivityFailedError.is(error)) return "?";
      return [
        error.message,
        errorCategory(error.details),
        error.retryable,
        await ctx.scheduleActivity(echo, 1),
      ];
    });
    const { env, handle } = await begin(start, [compensates]);

    expect(await env.finish(handle)).toEqual([expect.stringMatching(MESSAGE), "poison", false, 1]);
  });

  scenario("fails an orchestration that does not catch it, and its parent, as poison", async (start) => {
    const child = orchestration("child", async (ctx) => ctx.scheduleActivity(deadly));
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    const { env, handle } = await begin(start, [parent, child]);

    expect(await env.failure(handle)).toMatchObject({
      message: expect.stringMatching(MESSAGE),
      details: { Poison: { message_type: { Activity: { activity_name: "deadly" } } } },
    });
  });

  scenario("of a child can be caught by the parent", async (start) => {
    const child = orchestration("child", async (ctx) => ctx.scheduleActivity(deadly));
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(child).catch((error: unknown) => isCallFailure(error)),
    );
    const { env, handle } = await begin(start, [parent, child]);

    expect(await env.finish(handle)).toBe(true);
  });

  scenario("is uncertain in a saga, and so is a step", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run(
        "reserve",
        () => "seat",
        (seat) => void log.push(`release ${seat}`),
      );
      await Promise.all([
        saga.run("charge", dies, (value) => void log.push(`refund ${value}`), { onUncertain: true }),
        saga.run("ship", dies, () => void log.push("unship")).catch(() => {}),
      ]);
    });
    const { env, handle } = await started(start, order, { options });
    for (let death = 0; death < 8; death++) {
      await env.settle();
      await env.kill();
      await env.advance(60_000);
      await env.start();
    }

    expect((await env.failure(handle)).message).toMatch(MESSAGE);
    expect(log).toEqual(["refund undefined", "release seat"]);
  });

  scenario("runs again when its instance is retried", async (start) => {
    const direct = orchestration("direct", async (ctx) => ctx.scheduleActivity("deadly"));
    const { env, handle } = await begin(start, [direct]);
    expect((await env.failure(handle)).message).toMatch(MESSAGE);
    await env.restart({ activities: [activity("deadly", async () => "alive")] });
    await env.client.admin.retry("i");

    expect(await env.finish(handle)).toBe("alive");
  });
});

describe("a process that ends while an activity waits for its run alone", () => {
  scenario("does not count as one of the lone runs", async (start) => {
    let runs = 0;
    const unlucky = activity("unlucky", async () => (++runs < 3 ? new Promise<string>(() => {}) : "done"));
    const env = await start({ orchestrations: [calls], activities: [unlucky], options: { maxAttempts: 1 } });
    env.needsVirtualTime("locks have to end");
    await env.begin(calls, { instanceId: "i", input: "unlucky" });
    await env.kill();
    await env.start();
    // The lock of the first run has ended. It runs alone, and its process ends by chance.
    await env.advance(35_000);
    await env.kill();
    // Four processes fetch it and end before they run it.
    await env.start({ options: { workerTagFilter: { kind: "none" } } });
    for (let death = 0; death < 4; death++) {
      await env.advance(65_000);
      const options = { lockTimeoutMs: 30_000, pollTimeoutMs: 0, tagFilter: { kind: "any" } } as const;
      expect(await env.provider.fetchWorkItem(options)).toMatchObject({ loneRuns: 1 });
    }
    await env.restart();
    await env.advance(65_000);

    expect(await env.client.handle(calls, "i").result()).toBe("done");
  });
});

describe("a shutdown while an activity waits for its run alone", () => {
  scenario("takes its hand-out off the count once", async (start) => {
    const attempts: number[] = [];
    const deadly = activity("deadly", async (ctx) => {
      attempts.push(ctx.attempt);
      return new Promise<string>(() => {});
    });
    const neighbour = activity("neighbour", async (_ctx, _input: null) => new Promise<string>(() => {}));
    const handlers = { orchestrations: [calls], activities: [deadly, neighbour] };
    const env = await start({ ...handlers, options: { maxAttempts: 1 } });
    env.needsVirtualTime("locks have to end");
    await env.begin(calls, { instanceId: "i", input: "deadly" });
    await env.kill();
    await env.start();
    await env.client.start(calls, { instanceId: "n", input: "neighbour" });
    // The lock of the first run ends, and its work waits for the neighbour to end.
    await env.advance(35_000);
    await env.restart();
    await env.advance(60_000);

    expect(attempts).toEqual([1, 2]);
  });
});

describe("a turn whose process ends every time", () => {
  /** An instance that is blocked therefore. */
  async function deadly(start: Start) {
    let freezer = new Freezer();
    let isDeadly = true;
    const ranAtMs: number[] = [];
    const ends = orchestration("ends", async (ctx) => {
      const value = await ctx.scheduleActivity(echo, "value");
      ranAtMs.push(env.clock.now());
      if (isDeadly) freezer.freeze();
      return value;
    });
    const env = await start({
      orchestrations: [ends],
      activities: [echo],
      options: { maxAttempts: 2 },
      wrap: (provider) => {
        freezer = new Freezer();
        return freezer.wrap(provider);
      },
    });
    env.needsVirtualTime("locks have to end");
    const handle = await env.client.start(ends, { instanceId: "i" });
    const die = async (): Promise<void> => {
      await env.kill();
      await env.start();
    };
    for (let death = 0; death < 10 && !("blocked" in (await handle.status())); death++) {
      await env.advance(60_000);
      await die();
      await env.advance(1_000);
    }
    expect(await handle.status()).toMatchObject({ status: "Running", blocked: [{ reason: "attempts" }] });
    const repair = (): void => {
      isDeadly = false;
    };
    return { env, handle, ranAtMs, die, repair };
  }

  scenario("blocks its instance for longer and longer, and goes on once it does not", async (start) => {
    const { env, handle, ranAtMs, die, repair } = await deadly(start);

    // Messages do not bring it back before its time.
    const runs = ranAtMs.length;
    for (let message = 0; message < 5; message++) {
      await handle.raise("anything");
      await env.advance(1_000);
    }
    expect(ranAtMs).toHaveLength(runs);
    await env.advance(90_000);
    expect(ranAtMs).toHaveLength(runs + 1);
    await die();
    await env.advance(60_000);
    expect(ranAtMs).toHaveLength(runs + 1);

    repair();
    await env.advance(120_000);
    expect(await handle.result()).toBe("value");
    expect(await handle.status()).not.toHaveProperty("blocked");
  });

  scenario("runs no more where its instance is cancelled", async (start) => {
    const { env, handle, ranAtMs } = await deadly(start);
    const runs = ranAtMs.length;
    await handle.cancel("enough");

    expect((await env.failure(handle)).message).toBe("canceled: enough");
    expect(ranAtMs).toHaveLength(runs);
  });
});

// orchestration-dispatcher.O2
describe("a history that cannot be read", () => {
  engineScenario("ends the instance with an event far from all others", async (start) => {
    const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));
    const env = await start({ orchestrations: [waits], options: { maxAttempts: 2 }, file: true });
    await env.begin(waits);
    await env.stop();
    const database = new DatabaseSync(env.storePath);
    database.exec("UPDATE history SET event = replace(event, 'ExternalSubscribed', 'FromTheFuture')");
    database.close();
    await env.start();
    const handle = env.client.handle(waits, "i");
    await handle.raise("go");

    expect((await env.failure(handle)).message).toMatch(
      /^poison: orchestration i history deserialization failed after 3 attempts \(max 2\)/,
    );
    await expect(env.events("i")).rejects.toMatchObject({ code: "corrupt-data" });
  });
});
