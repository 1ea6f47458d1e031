/** The view of a test environment on timers, children, events and waits. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  activity,
  event,
  OrchestrationFailedError,
  orchestration,
  queue,
  silentLogger,
} from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const START_MS = 1_000_000;
const HOUR_MS = 3_600_000;

const approved = event<{ by: string }>("approved");
const jobs = queue<number>("jobs");
const work = activity("work", async (_ctx, n: number) => n);
const child = orchestration("child", async (ctx, n: number) => {
  const { by } = await ctx.waitForEvent(approved);
  if (n === 2) throw new Error("two is too many");
  return `${n} by ${by}`;
});
const parent = orchestration("parent", async (ctx) => {
  const first = ctx.scheduleSubOrchestration(child, 1, { instanceId: "first" });
  const second = ctx.scheduleSubOrchestration(child, 2, { instanceId: "second" });
  ctx.startOrchestration(child, { instanceId: "third", input: 3 });
  await ctx.scheduleTimer({ hours: 1 });
  return [await first, await second.catch((error: Error) => error.message)];
});
const waiting = orchestration("waiting", async (ctx, n: number) => {
  void ctx.scheduleTimer({ days: 9 });
  return Promise.race([
    ctx.waitForEvent(approved),
    ctx.dequeue(jobs),
    ctx.scheduleTimer({ hours: 2 }),
    ctx.scheduleActivity(work, n),
    ctx.scheduleSubOrchestration(child, n, { instanceId: `of-${n}` }),
  ]);
});

const create = (): Promise<TestEnvironment> =>
  TestEnvironment.create({
    orchestrations: [parent, child, waiting],
    activities: [work.mock(() => new Promise(() => {}))],
    startMs: START_MS,
    patienceMs: 1,
    logger: silentLogger,
  });

describe("timers", () => {
  test("have the instants at which they were set, are due, and fired", async () => {
    await using env = await create();
    const run = await env.start(parent, { instanceId: "p" });
    const timer = { instanceId: "p", executionId: 1, setAtMs: START_MS, dueMs: START_MS + HOUR_MS };
    expect(env.timers()).toEqual([timer]);
    await env.advance({ hours: 1 });
    expect(env.timers(run)).toEqual([{ ...timer, firedAtMs: START_MS + HOUR_MS }]);
    expect(env.timers("unknown")).toEqual([]);
  });

  test("of the code are told from those of calls", async () => {
    const nightly = orchestration("nightly", async (ctx) => {
      await ctx.scheduleTimer({ hours: 3 }, { label: "night" });
      const options = { totalTimeout: { hours: 9 }, queueTimeout: { hours: 1 }, retry: { maxAttempts: 2 } };
      await ctx.scheduleActivity("fails", undefined, options).catch(() => undefined);
    });
    const fails = activity("fails", async () => {
      throw new Error("not today");
    });
    await using env = await TestEnvironment.create({
      orchestrations: [nightly],
      activities: [fails],
      logger: silentLogger,
    });
    await env.start(nightly, { instanceId: "n" });
    await env.advance({ days: 1 });
    expect(env.timers("n").map(({ ofCall, label }) => ofCall ?? label)).toEqual([
      "night",
      "limit",
      "limit",
      "pause",
      "limit",
      "limit",
    ]);
  });
});

describe("children", () => {
  test("have their orchestration, input, parent and outcome", async () => {
    await using env = await create();
    await env.start(parent, { instanceId: "p" });
    const common = { orchestrationName: "child", parentInstanceId: "p", outcome: { kind: "running" } };
    expect(env.children()).toEqual([
      { ...common, instanceId: "first", input: 1, detached: false },
      { ...common, instanceId: "second", input: 2, detached: false },
      { ...common, instanceId: "third", input: 3, detached: true },
    ]);
    for (const id of ["first", "second", "third"]) await env.run(child, id).raise(approved, { by: "Ada" });
    expect(env.children("p").map(({ outcome }) => outcome)).toEqual([
      { kind: "returned", value: "1 by Ada" },
      { kind: "threw", error: expect.any(OrchestrationFailedError) },
      { kind: "returned", value: "3 by Ada" },
    ]);
    expect(env.children("first")).toEqual([]);
  });

  test("are named as they are stored where the code names none", async () => {
    const nameless = orchestration("nameless", async (ctx) => ctx.scheduleSubOrchestration(child, 7));
    await using env = await TestEnvironment.create({ orchestrations: [nameless, child] });
    const run = await env.start(nameless, { instanceId: "n" });
    const [only] = env.children(run);
    expect(only?.instanceId).toMatch(/^n::/);
    await env.run(child, only?.instanceId ?? "").raise(approved, { by: "Bo" });
    expect(await run.result()).toBe("7 by Bo");
  });
});

describe("events", () => {
  test("are the arrivals that an instance took, with their data", async () => {
    await using env = await create();
    const run = await env.start(waiting, { input: 1, instanceId: "w" });
    await env.advance({ hours: 1 });
    await run.enqueue(jobs, 5);
    const other = await env.start(child, { input: 1, instanceId: "c" });
    await other.raise(approved, { by: "Ada" });
    const atMs = START_MS + HOUR_MS;
    expect(env.events()).toEqual([
      { kind: "queue", name: "jobs", data: 5, instanceId: "w", executionId: 1, atMs },
      { kind: "event", name: "approved", data: { by: "Ada" }, instanceId: "c", executionId: 1, atMs },
    ]);
    expect(env.events(run)).toHaveLength(1);
  });
});

describe("an event that does not fit its wait", () => {
  test("says why, and the wait gets the next one", async () => {
    const paid = event("paid", { schema: z.number() });
    const kept = event("kept", { schema: z.number(), keep: true });
    const pays = orchestration("pays", async (ctx) => [
      await ctx.waitForEvent(paid),
      await ctx.waitForEvent(kept),
    ]);
    await using env = await TestEnvironment.create({ orchestrations: [pays], logger: silentLogger });
    const run = await env.start(pays, { instanceId: "p" });
    await run.enqueue("kept", "late");
    await run.raise("paid", "five");
    await run.raise(paid, 5);
    await run.raise(kept, 6);
    expect(await run.result()).toEqual([5, 6]);
    const misfit = "Invalid input: expected number, received string";
    expect(env.events(run)).toMatchObject([
      { name: "kept", data: "late", misfit },
      { name: "paid", data: "five", misfit },
      { name: "paid", data: 5 },
      { name: "kept", data: 6 },
    ]);
    expect(env.events(run).map((it) => "misfit" in it)).toEqual([true, true, false, false]);
  });
});

describe("waits", () => {
  test("say of what kind they are, by what name, and when they end by themselves", async () => {
    await using env = await create();
    const run = await env.start(waiting, { input: 1, instanceId: "w" });
    expect(await run.waits()).toMatchObject([
      { kind: "event", name: "approved" },
      { kind: "queue", name: "jobs" },
      { kind: "timer", dueMs: START_MS + 2 * HOUR_MS },
      { kind: "activity", name: "work" },
      {
        kind: "sub-orchestration",
        name: "child",
        instanceId: "of-1",
        waits: [{ kind: "event", name: "approved" }],
      },
    ]);
  });

  test("are none once the instance has ended", async () => {
    await using env = await create();
    const run = await env.start(waiting, { input: 1 });
    await run.enqueue(jobs, 5);
    expect(await run.result()).toBe(5);
    expect(await run.waits()).toEqual([]);
  });
});
