/** A store that fails, is slow or loses locks: work is repeated, never lost, and nothing ends for the store's sake. */

import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { withoutFusedTurns } from "../support/changed-provider.ts";
import { type EnvironmentOptions, startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";

const echo = activity("echo", async (_ctx, value: unknown) => value);
const twoSteps = orchestration("two-steps", async (ctx) => {
  const first = await ctx.scheduleActivity(echo, 1);
  ctx.log.info("half way");
  return [first, await ctx.scheduleActivity(echo, 2)];
});

/** Outcomes and turns are two commits, so that each can fail by itself. What fails of both together: fused-turns.test.ts of core. */
async function faulty(options: EnvironmentOptions = {}) {
  const faults = new Faults();
  const env = await startEnvironment({
    orchestrations: [twoSteps],
    activities: [echo],
    ...options,
    wrap: (provider) => withoutFusedTurns(faults.wrap(provider)),
  });
  return { faults, env };
}

describe("a commit of a turn", () => {
  it("is tried again while the store is busy", async () => {
    const { env, faults } = await faulty();
    await using _env = env;
    faults.on("ackOrchestrationItem", (call) => {
      if (call % 3 !== 0) throw fault("ackOrchestrationItem", "unavailable");
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
  });

  // orchestration-dispatcher.O1
  it("that fails for long never ends the orchestration: the turn is run again", async () => {
    const { env, faults } = await faulty();
    await using _env = env;
    faults.on("ackOrchestrationItem", (call) => {
      if (call <= 20) throw fault("ackOrchestrationItem", "unavailable");
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(await env.history("i")).toHaveLength(6);
  });

  it("whose lock is lost is dropped, and the execution goes on as before", async () => {
    const { env, faults } = await faulty();
    await using _env = env;
    faults.on("ackOrchestrationItem", (call) => {
      if (call === 2) throw fault("ackOrchestrationItem", "lock-lost");
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(await env.history("i")).toHaveLength(6);
  });

  it("that was stored, although the store said otherwise, is not repeated", async () => {
    const { env, faults } = await faulty();
    await using _env = env;
    faults.on("ackOrchestrationItem", async (call, [ack]) => {
      if (call !== 2) return;
      await env.provider.ackOrchestrationItem(ack as Parameters<typeof env.provider.ackOrchestrationItem>[0]);
      throw fault("ackOrchestrationItem", "unavailable");
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(await env.history("i")).toHaveLength(6);
  });

  it("that the store refuses for good fails the execution with the store's words", async () => {
    const { env, faults } = await faulty();
    await using _env = env;
    faults.on("ackOrchestrationItem", (call) => {
      if (call === 2) throw fault("ackOrchestrationItem", "invalid-input");
    });

    expect(await env.failureOf(twoSteps)).toMatchObject({
      message: "infrastructure:ackOrchestrationItem: as the test wants it",
      details: { Infrastructure: { retryable: false } },
    });
  });

  it("that is refused for a child tells the parent, too", async () => {
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(twoSteps));
    const { env, faults } = await faulty({ orchestrations: [parent, twoSteps] });
    await using _env = env;
    let refused = false;
    faults.on("ackOrchestrationItem", (_call, [ack]) => {
      const { historyDelta } = ack as Parameters<typeof env.provider.ackOrchestrationItem>[0];
      if (refused || historyDelta[0]?.instance_id !== "p::sub::2") return;
      refused = true;
      throw fault("ackOrchestrationItem", "invalid-input");
    });

    expect((await env.failureOf(parent, { instanceId: "p" })).message).toBe(
      "infrastructure:ackOrchestrationItem: as the test wants it",
    );
  });

  // orchestration-dispatcher.O2: it counts.
  it("that fails in an unforeseen way is given back, and blocks its instance in the end", async () => {
    const { env, faults } = await faulty({ options: { maxAttempts: 2 } });
    await using _env = env;
    faults.on("ackOrchestrationItem", (call) => {
      if (call <= 5) throw new TypeError("a defect");
    });

    const handle = await env.client.start(twoSteps, { instanceId: "i" });
    await env.advance(30_000);
    expect(await handle.status()).toMatchObject({
      blocked: [{ reason: "attempts", detail: expect.stringContaining("alone in their process: a defect;") }],
    });
    expect(env.log.messages("error")).toContain("a turn failed unexpectedly");
    expect(await env.finish(handle)).toEqual([1, 2]);
  });
});

describe("giving a batch back", () => {
  // orchestration-dispatcher.O1
  it("that fails is left to the lease", async () => {
    const { env, faults } = await faulty({ orchestrations: [orchestration("other", async () => {})] });
    await using _env = env;
    faults.on("abandonOrchestrationItem", (call) => {
      if (call === 1) throw fault("abandonOrchestrationItem", "internal");
    });
    const handle = await env.client.start(twoSteps, { instanceId: "i" });
    await env.advance(4_000);
    await env.startAnother({ orchestrations: [twoSteps], activities: [echo] });

    expect(await env.finish(handle)).toEqual([1, 2]);
  });
});

describe("an outcome of an activity", () => {
  it("is stored as soon as the store can be reached again; the activity runs once", async () => {
    let runs = 0;
    const counts = echo.mock(async (_ctx, value) => {
      runs++;
      return value;
    });
    const { env, faults } = await faulty({ activities: [counts] });
    await using _env = env;
    faults.on("ackWorkItem", (call) => {
      if (call <= 10) throw fault("ackWorkItem", "unavailable");
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(runs).toBe(2);
  });

  const counting = (runs: unknown[]) =>
    activity("echo", async (_ctx, value: unknown) => {
      runs.push(value);
      return value;
    });

  it("that the store could not take is offered again, and the handler does not run again", async () => {
    const runs: unknown[] = [];
    const { env, faults } = await faulty({ activities: [counting(runs)] });
    await using _env = env;
    faults.on("ackWorkItem", (call) => {
      if (call === 1) throw fault("ackWorkItem", "internal");
      if (call < 5) throw fault("ackWorkItem", "store-full");
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(runs).toEqual([1, 2]);
  });

  it("that the store refuses for good is a failure that the code can catch, after one run", async () => {
    const runs: unknown[] = [];
    const { env, faults } = await faulty({ activities: [counting(runs)] });
    await using _env = env;
    faults.on("ackWorkItem", (call) => {
      if (call === 1) throw fault("ackWorkItem", "invalid-input");
    });

    expect((await env.failureOf(twoSteps)).message).toBe(
      "the result could not be stored: as the test wants it",
    );
    expect(runs).toEqual([1]);
  });

  it("that is a failure which the store refuses for good is a smaller failure, after one run", async () => {
    let runs = 0;
    const failing = activity("echo", async (_ctx, _n: number): Promise<number> => {
      runs++;
      throw new Error("no");
    });
    const { env, faults } = await faulty({ activities: [failing] });
    await using _env = env;
    faults.on("ackWorkItem", (call) => {
      if (call === 1) throw fault("ackWorkItem", "invalid-input");
    });

    expect((await env.failureOf(twoSteps)).message).toBe(
      "the failure could not be stored: as the test wants it",
    );
    expect(runs).toBe(1);
  });

  // activity-dispatcher.D4
  it("whose lock ended while the store was out of reach is stored when the activity comes back", async () => {
    const runs: unknown[] = [];
    const { env, faults } = await faulty({ activities: [counting(runs)] });
    await using _env = env;
    const untilMs = env.clock.now() + 35_000;
    for (const method of ["ackWorkItem", "renewWorkItemLock"] as const) {
      faults.on(method, () => {
        if (env.clock.now() < untilMs) throw fault(method, "unavailable");
      });
    }

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(runs).toEqual([1, 2]);
  });
});

describe("a fetch", () => {
  it("that fails is repeated after a pause, which grows while the store is busy", async () => {
    const { env, faults } = await faulty({ options: { orchestrationConcurrency: 1 } });
    await using _env = env;
    await env.settle();
    const atMs: number[] = [];
    const startMs = env.clock.now();
    faults.on("fetchOrchestrationItem", (call) => {
      if (call > 7) return;
      atMs.push(env.clock.now() - startMs);
      throw fault("fetchOrchestrationItem", "unavailable");
    });
    await env.client.start(twoSteps, { instanceId: "first" });
    await env.advance(20_000);

    const pausesMs = atMs.map((ms, index) => ms - (atMs[index - 1] ?? 0));
    for (const [index, longestMs] of [0, 200, 400, 800, 1_600, 2_000, 2_000].entries()) {
      expect(pausesMs[index]).toBeLessThanOrEqual(longestMs);
      expect(pausesMs[index]).toBeGreaterThanOrEqual(longestMs * 0.75);
    }
    expect(await env.finish(env.client.handle(twoSteps, "first"))).toEqual([1, 2]);
  });

  it("that fails for good does not stop the loop", async () => {
    const { env, faults } = await faulty();
    await using _env = env;
    for (const method of ["fetchOrchestrationItem", "fetchWorkItem"] as const) {
      faults.on(method, (call) => {
        if (call <= 5) throw fault(method, "internal");
      });
    }

    expect(await env.run(twoSteps)).toEqual([1, 2]);
  });
});

describe("the lock of a long activity", () => {
  const slow = (ms: number, told: string[]) =>
    activity("slow", async (ctx) => {
      ctx.signal.addEventListener("abort", () => told.push("aborted"));
      await new Promise<void>((resolve) => clockOf.schedule(ms, resolve));
      return ctx.attempt;
    });
  let clockOf: { schedule(delayMs: number, callback: () => void): unknown };
  const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity("slow", null));

  it("is renewed for as long as it takes", async () => {
    const told: string[] = [];
    for (const workerLockTimeoutMs of [30_000, 1_000]) {
      await using env = await startEnvironment({
        orchestrations: [calls],
        activities: [slow(300_000, told)],
        options: { workerLockTimeoutMs },
      });
      clockOf = env.clock;

      expect(await env.run(calls)).toBe(1);
    }
    expect(told).toEqual([]);
  });

  it("survives a store that cannot be reached for a moment", async () => {
    const told: string[] = [];
    const { env, faults } = await faulty({ orchestrations: [calls], activities: [slow(100_000, told)] });
    await using _env = env;
    clockOf = env.clock;
    faults.on("renewWorkItemLock", (call) => {
      if (call <= 1) throw fault("renewWorkItemLock", "unavailable");
    });

    expect(await env.run(calls)).toBe(1);
    expect(told).toEqual([]);
  });

  it("that ends while the store takes no renewals does not end the run: the next hand-out is its own", async () => {
    const told: string[] = [];
    const { env, faults } = await faulty({ orchestrations: [calls], activities: [slow(40_000, told)] });
    await using _env = env;
    clockOf = env.clock;
    faults.on("renewWorkItemLock", () => {
      throw fault("renewWorkItemLock", "unavailable");
    });

    expect(await env.run(calls)).toBe(1);
    expect(told).toEqual([]);
  });

  it("that ends and does not come back for as long again aborts the run", async () => {
    const told: string[] = [];
    const { env, faults } = await faulty({ orchestrations: [calls], activities: [slow(100_000, told)] });
    await using _env = env;
    clockOf = env.clock;
    await env.begin(calls);
    for (const method of ["renewWorkItemLock", "fetchWorkItem"] as const) {
      faults.on(method, () => {
        throw fault(method, "unavailable");
      });
    }
    await env.advance(59_000);
    expect(told).toEqual([]);
    await env.advance(2_000);

    expect(told).toEqual(["aborted"]);
  });
});

describe("the lock of a long turn", () => {
  it("is renewed while its commit takes its time", async () => {
    const { env, faults } = await faulty({ options: { orchestratorLockTimeoutMs: 1_000 } });
    await using _env = env;
    faults.on("ackOrchestrationItem", async (call) => {
      if (call === 1) await new Promise<void>((resolve) => env.clock.schedule(10_000, resolve));
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(env.log.messages("warn")).toEqual([]);
  });

  it("that is lost makes the turn run again, and its outcome counts once", async () => {
    const { env, faults } = await faulty({ options: { orchestratorLockTimeoutMs: 1_000 } });
    await using _env = env;
    faults.on("renewOrchestrationItemLock", () => {
      throw fault("renewOrchestrationItemLock", "internal");
    });
    faults.on("ackOrchestrationItem", async (call) => {
      if (call === 1) await new Promise<void>((resolve) => env.clock.schedule(10_000, resolve));
    });

    expect(await env.run(twoSteps)).toEqual([1, 2]);
    expect(await env.history("i")).toHaveLength(6);
  });
});
