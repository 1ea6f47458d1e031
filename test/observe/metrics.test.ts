/** Each metric counts what happened, once, with the labels of docs/observability.md, on either replay path. */
import { activity, event, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Environment, type EnvironmentOptions, startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";
import { cosmos } from "../support/stores/cosmos.ts";
import { sqlite } from "../support/stores/sqlite.ts";
import { Telemetry } from "./telemetry.ts";

const double = activity("double", async (_ctx, n: number) => 2 * n);
const explode = activity("explode", async (): Promise<string> => {
  throw new TypeError("boom");
});
const approved = event("approved");

const steps = orchestration("steps", async (ctx, n: number) => {
  const first = await ctx.scheduleActivity(double, n);
  const both = await Promise.all([ctx.scheduleActivity(double, first), ctx.scheduleActivity(double, first)]);
  await ctx.scheduleTimer(5_000);
  return both;
});

/** Runs on kept executions, and with a full replay at every turn. */
const PATHS = [
  ["kept in memory", 1_000],
  ["replayed at every turn", 0],
] as const;

async function start(
  telemetry: Telemetry,
  options: EnvironmentOptions,
  liveExecutions = 1_000,
): Promise<Environment> {
  const { meter } = telemetry;
  return startEnvironment({ ...options, options: { meter, liveExecutions, ...options.options } });
}

describe.each(PATHS)("an execution that is %s", (_path, liveExecutions) => {
  test("is counted once when it begins and once when it ends", async () => {
    const telemetry = new Telemetry();
    await using env = await start(
      telemetry,
      { activities: [double], orchestrations: [steps] },
      liveExecutions,
    );
    await env.run(steps, { instanceId: "i", input: 1 });

    const name = "orchestration_name=steps";
    expect(await telemetry.series("orchestration_starts_total")).toEqual([
      `initiated_by=client ${name} version=1.0.0 1`,
    ]);
    expect(await telemetry.series("orchestration_completions_total")).toEqual([
      `final_turn_count=1-5 ${name} status=success version=1.0.0 1`,
    ]);
    expect(await telemetry.series("orchestration_duration_seconds")).toEqual([
      `${name} status=success version=1.0.0 1x 5`,
    ]);
    // Start, one activity, two activities (together or one by one), timer.
    const [turns = ""] = await telemetry.series("orchestration_turns");
    expect([`${name} 1x 4`, `${name} 1x 5`]).toContain(turns);
    expect(await telemetry.series("orchestration_history_size")).toEqual([`${name} 1x 10`]);
    expect(await telemetry.series("orchestration_failures_total")).toEqual([]);
    expect(await telemetry.series("activity_executions_total")).toEqual([
      "activity_name=double outcome=success retry_attempt=0 tag=default 3",
    ]);
  });

  test("has its turns counted across restarts", async () => {
    const waits = orchestration("waits", async (ctx) => {
      for (let round = 0; round < 8; round++) await ctx.waitForEvent(approved);
    });
    const telemetry = new Telemetry();
    await using env = await start(telemetry, { orchestrations: [waits], file: true }, liveExecutions);
    const { instanceId } = await env.client.start(waits, { instanceId: "i" });
    await env.settle();
    for (let round = 0; round < 8; round++) {
      if (round % 3 === 2) await env.restart();
      await env.client.handle(waits, instanceId).raise(approved);
      await env.settle();
    }
    await env.finish(env.client.handle(waits, instanceId));

    expect(await telemetry.series("orchestration_turns")).toEqual(["orchestration_name=waits 1x 9"]);
    expect(await telemetry.series("orchestration_starts_total")).toEqual([
      "initiated_by=client orchestration_name=waits version=1.0.0 1",
    ]);
    expect(await telemetry.series("orchestration_completions_total")).toEqual([
      "final_turn_count=6-10 orchestration_name=waits status=success version=1.0.0 1",
    ]);
  });
});

test.each([sqlite, cosmos])("the wait of an activity for a worker is measured on $name", async (store) => {
  const telemetry = new Telemetry();
  const options = { store, activities: [double], orchestrations: [steps], file: true };
  await using env = await start(telemetry, { ...options, options: { workerConcurrency: 0 } });
  await env.client.start(steps, { instanceId: "i", input: 1 });
  await env.advance(7_000);
  await env.restart({ options: { workerConcurrency: 1 } });
  await env.finish(env.client.handle(steps, "i"));
  const [series = ""] = await telemetry.series("activity_queue_seconds");
  expect(series).toMatch(/^activity_name=double [123]x 7(\.|$)/);
});

test("starts of children and continued executions are counted by what began them", async () => {
  const child = orchestration("child", async () => "done");
  const loop = orchestration("loop", async (ctx, n: number): Promise<string> => {
    if (n > 0) return ctx.continueAsNew(loop, n - 1);
    return ctx.scheduleSubOrchestration(child);
  });
  const telemetry = new Telemetry();
  await using env = await start(telemetry, { orchestrations: [loop, child] });
  await env.run(loop, { instanceId: "i", input: 2 });

  expect(await telemetry.series("orchestration_starts_total")).toEqual([
    "initiated_by=client orchestration_name=loop version=1.0.0 1",
    "initiated_by=continueAsNew orchestration_name=loop version=1.0.0 2",
    "initiated_by=suborchestration orchestration_name=child version=1.0.0 1",
  ]);
  expect(await telemetry.series("orchestration_completions_total")).toEqual([
    "final_turn_count=1-5 orchestration_name=child status=success version=1.0.0 1",
    "final_turn_count=1-5 orchestration_name=loop status=continuedAsNew version=1.0.0 2",
    "final_turn_count=1-5 orchestration_name=loop status=success version=1.0.0 1",
  ]);
  expect(await telemetry.series("orchestration_continue_as_new_total")).toEqual([
    "orchestration_name=loop 2",
  ]);
});

test("a failure is counted once, by category", async () => {
  const fails = orchestration("fails", (ctx) => ctx.scheduleActivity(explode));
  const changes = orchestration("changes", async (ctx) => ctx.scheduleActivity(double, 1));
  const changed = orchestration("changes", async (ctx) => {
    await ctx.waitForEvent(approved);
    return 1;
  });
  const telemetry = new Telemetry();
  await using env = await start(telemetry, {
    activities: [explode],
    orchestrations: [fails, changes],
    options: { onNondeterminism: "fail" },
    file: true,
  });
  await env.failureOf(fails, { instanceId: "f" });
  await env.begin(changes, { instanceId: "c" });
  await env.restart({ activities: [double], orchestrations: [changed] });
  await env.failure(env.client.handle(changed, "c"));

  expect(await telemetry.series("orchestration_failures_total")).toEqual([
    "error_category=application error_type=app_error orchestration_name=fails version=1.0.0 1",
    "error_category=configuration error_type=config_error orchestration_name=changes version=1.0.0 1",
  ]);
  expect(await telemetry.series("orchestration_configuration_errors_total")).toEqual([
    "error_category=configuration orchestration_name=changes 1",
  ]);
  expect(await telemetry.series("orchestration_infrastructure_errors_total")).toEqual([]);
  expect(await telemetry.series("activity_executions_total")).toContain(
    "activity_name=explode outcome=app_error retry_attempt=0 tag=default 1",
  );
});

test("poison is counted where it strikes, and ends its orchestration once", async () => {
  const calls = orchestration("calls", (ctx) => ctx.scheduleActivity("elsewhere"));
  const telemetry = new Telemetry();
  await using env = await start(telemetry, {
    orchestrations: [calls],
    options: { maxAttempts: 2, onMissingHandler: "fail" },
  });
  await env.failureOf(calls, { instanceId: "a" });
  await env.failureOf("unknown", { instanceId: "o" });

  expect(await telemetry.series("activity_poison_total")).toEqual(["1"]);
  expect(await telemetry.series("orchestration_poison_total")).toEqual(["1"]);
  expect(await telemetry.series("activity_executions_total")).toEqual([]);
  const poison = "error_category=poison error_type=unknown";
  expect(await telemetry.series("orchestration_failures_total")).toEqual([
    `${poison} orchestration_name=calls version=1.0.0 1`,
    expect.stringMatching(`^${poison} orchestration_name=unknown version=.* 1$`),
  ]);
});

test("an activity's label says how often it was delivered before, and a cancelled one is no error", async () => {
  let calls = 0;
  const slow = activity("slow", (ctx) => {
    calls++;
    return new Promise<string>((resolve) => {
      ctx.signal.addEventListener("abort", () => resolve("too late"));
      if (calls > 1 && ctx.instanceId === "again") resolve("done");
    });
  });
  const once = orchestration("once", (ctx) => ctx.scheduleActivity(slow, undefined, { tag: "gpu" }));
  const telemetry = new Telemetry();
  await using env = await start(telemetry, {
    activities: [slow],
    orchestrations: [once],
    options: { workerTagFilter: { kind: "any" } },
    file: true,
  });
  await env.begin(once, { instanceId: "again" });
  await env.kill();
  await env.start();
  await env.finish(env.client.handle(once, "again"));

  const cancelled = await env.begin(once, { instanceId: "cancelled" });
  await cancelled.cancel("enough");
  await env.failure(cancelled);
  await env.advance(60_000);

  expect(await telemetry.series("activity_executions_total")).toEqual([
    "activity_name=slow outcome=cancelled retry_attempt=0 tag=gpu 1",
    "activity_name=slow outcome=success retry_attempt=1 tag=gpu 1",
  ]);
});

test.each([1_000, 0])("a retry is counted once (%d live executions)", async (liveExecutions) => {
  let runs = 0;
  const flaky = activity("flaky", async () => {
    if (++runs < 3) throw new Error("busy");
  });
  const tries = orchestration("tries", async (ctx) => {
    await ctx.scheduleActivity(flaky, undefined, { retry: {} });
    await ctx.waitForEvent(approved);
  });
  const telemetry = new Telemetry();
  const setup = { orchestrations: [tries], activities: [flaky] };
  await using env = await start(telemetry, setup, liveExecutions);
  const handle = await env.client.start(tries, { instanceId: "i" });
  await env.advance(1_000);
  await handle.raise(approved);
  await env.finish(handle);

  expect(await telemetry.series("activity_retries_total")).toEqual([
    "activity_name=flaky orchestration_name=tries 2",
  ]);
});

test("messages that do not fit their wait are counted", async () => {
  const numbers = queue("numbers", { schema: z.number() });
  const reads = orchestration("reads", async (ctx) => ctx.dequeue(numbers));
  const telemetry = new Telemetry();
  await using env = await start(telemetry, { orchestrations: [reads] });
  const handle = await env.client.start(reads, { instanceId: "i" });
  for (const message of ["a", "b", 1]) await handle.enqueue("numbers", message);
  await env.finish(handle);

  expect(await telemetry.series("messages_set_aside_total")).toEqual(["orchestration_name=reads 2"]);
});

test("the store's calls are timed, and its errors counted by their code", async () => {
  const faults = new Faults();
  faults.on("ackOrchestrationItem", (call) => {
    if (call <= 2) throw fault("ackOrchestrationItem", "unavailable");
  });
  const { wrap } = faults;
  const telemetry = new Telemetry();
  const nothing = orchestration("nothing", async () => 1);
  await using env = await start(telemetry, { orchestrations: [nothing], wrap });
  await env.run(nothing);

  expect(await telemetry.series("provider_errors_total")).toEqual([
    "error_type=unavailable operation=ack_orchestration_item 2",
  ]);
  const durations = await telemetry.series("provider_operation_duration_seconds");
  expect(durations).toContainEqual(
    expect.stringContaining("operation=ack_orchestration_item status=error 2x"),
  );
  expect(durations).toContainEqual(
    expect.stringContaining("operation=ack_orchestration_item status=success 1x"),
  );
  expect(await telemetry.series("orchestration_completions_total")).toHaveLength(1);
});

test("the gauges ask the store when they are collected, at most once a minute", async () => {
  const waits = orchestration("waits", (ctx) => ctx.waitForEvent(approved));
  const calls = orchestration("calls", (ctx) => ctx.scheduleActivity(double, 1));
  const telemetry = new Telemetry();
  await using env = await start(telemetry, {
    orchestrations: [waits, calls],
    options: { workerTagFilter: { kind: "none" } },
  });
  await env.client.start(waits, { instanceId: "w" });
  await env.begin(calls, { instanceId: "c" });
  expect(await telemetry.series("active_orchestrations")).toEqual(["2"]);
  expect(await telemetry.series("worker_queue_depth")).toEqual(["1"]);
  expect(await telemetry.series("orchestrator_queue_depth")).toEqual(["0"]);

  await env.begin(calls, { instanceId: "d" });
  expect(await telemetry.series("active_orchestrations")).toEqual(["2"]);
  await env.advance(60_000);
  expect(await telemetry.series("active_orchestrations")).toEqual(["3"]);
  expect(await telemetry.series("worker_queue_depth")).toEqual(["2"]);
});

test("without a meter nothing is added to what is stored", async () => {
  await using env = await startEnvironment({ activities: [double], orchestrations: [steps] });
  await env.run(steps, { instanceId: "i", input: 1 });
  const fields = (await env.events("i")).flatMap((stored) => Object.keys(stored));
  expect(fields).not.toContain("turn");
  expect(fields).not.toContain("traceparent");
});

test("what runs and waits under a limit is shown by the key of its rule", async () => {
  const telemetry = new Telemetry();
  const gate = Promise.withResolvers<void>();
  const call = activity("call", async () => gate.promise);
  const calls = orchestration("calls", async (ctx) => {
    const keys = ["partner/a", "partner/a", "partner/b", "partner/b"];
    await ctx.all(keys.map((limit) => ctx.scheduleActivity(call, undefined, { limit })));
  });
  const limits = { "partner/*": { concurrency: 1 } };
  await using env = await start(telemetry, {
    activities: [call],
    orchestrations: [calls],
    options: { limits },
  });
  const handle = await env.begin(calls);

  expect(await telemetry.series("limit_running")).toEqual(["limit=partner/* 2"]);
  expect(await telemetry.series("limit_waiting")).toEqual(["limit=partner/* 2"]);
  gate.resolve();
  await env.finish(handle);
});
