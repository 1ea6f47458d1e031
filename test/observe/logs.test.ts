/** Checks that what happens to orchestrations and activities is logged once, at its level, under a stable `event`. */
import { activity, event, type Logger, orchestration } from "@duroxide-ts/core";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { type Environment, startEnvironment } from "../support/environment.ts";

const approved = event("approved");
const fine = activity("fine", async () => "yes");
const explode = activity("explode", async (): Promise<string> => {
  throw new Error("boom");
});

/** `<level> <event>` of every entry that has one, in order. */
function eventsOf(env: Environment): readonly string[] {
  return env.log.entries.flatMap(({ level, fields }) =>
    typeof fields["event"] === "string" ? [`${level} ${fields["event"]}`] : [],
  );
}

function fieldsOf(env: Environment, name: string): unknown {
  return env.log.entries.find(({ fields }) => fields["event"] === name)?.fields;
}

describe("the life of an orchestration", () => {
  test("that succeeds is logged at debug level", async () => {
    const works = orchestration("works", async (ctx, n: number): Promise<string> => {
      return n > 0 ? ctx.continueAsNew(works, n - 1) : ctx.scheduleActivity(fine);
    });
    await using env = await startEnvironment({ activities: [fine], orchestrations: [works] });
    await env.run(works, { instanceId: "i", input: 1 });
    // A turn is reported when its commit is confirmed, and by then its activity may have begun.
    expect([...eventsOf(env)].sort()).toEqual([
      "debug activity_completed",
      "debug activity_started",
      "debug orchestration_completed",
      "debug orchestration_continued_as_new",
      "debug orchestration_started",
      "debug orchestration_started",
      "info runtime_started",
    ]);
    expect(fieldsOf(env, "runtime_started")).toMatchObject({ supported: "0.0.0 to 0.1.32" });
    expect(fieldsOf(env, "activity_completed")).toMatchObject({
      instance_id: "i",
      execution_id: 2,
      activity_name: "fine",
      activity_id: 2,
      worker_id: expect.stringMatching(/^work-/),
      outcome: "success",
      result_size: 5,
    });
    expect(fieldsOf(env, "orchestration_completed")).toMatchObject({
      instance_id: "i",
      execution_id: 2,
      orchestration_name: "works",
      orchestration_version: "1.0.0",
      history_events: 4,
      duration_ms: expect.any(Number),
    });
  });

  test("that fails by its own fault is a warning, by the system's an error", async () => {
    const fails = orchestration("fails", (ctx) => ctx.scheduleActivity(explode));
    const changes = orchestration("changes", (ctx) => ctx.waitForEvent(approved));
    const changed = orchestration("changes", (ctx) => ctx.scheduleActivity(fine));
    const handlers = { activities: [explode, fine], orchestrations: [fails, changes] };
    await using env = await startEnvironment({
      ...handlers,
      file: true,
      options: { onNondeterminism: "fail" },
    });
    await env.failureOf(fails, { instanceId: "f" });
    expect(eventsOf(env).slice(-2)).toEqual(["warn activity_failed", "warn orchestration_failed"]);
    expect(fieldsOf(env, "orchestration_failed")).toMatchObject({ error_message: "boom" });

    const handle = await env.begin(changes, { instanceId: "c" });
    await env.restart({ orchestrations: [changed], activities: [fine] });
    await env.client.handle(changed, handle.instanceId).raise(approved);
    await env.failure(env.client.handle(changed, handle.instanceId));
    expect(eventsOf(env).at(-1)).toBe("error orchestration_failed");
  });

  test("that no process serves is logged after the head start of other processes, and then once a minute", async () => {
    const idle = orchestration("idle", async () => "");
    await using env = await startEnvironment({ orchestrations: [idle] });
    await env.client.start("unknown", { instanceId: "i" });
    await env.advance(1_000);
    expect(eventsOf(env)).toEqual(["info runtime_started", "warn orchestration_unregistered"]);
    expect(fieldsOf(env, "orchestration_unregistered")).toMatchObject({
      instance_id: "i",
      orchestration_name: "unknown",
      registered: [],
      attempts: 1,
      delay_ms: 1_000,
    });

    await env.advance(59_000);
    expect(eventsOf(env)).toHaveLength(2);
    await env.advance(60_000);
    expect(eventsOf(env)).toHaveLength(3);
  });
});

test("a cancelled activity is logged with its grace period", async () => {
  const slow = activity("slow", (ctx) => {
    return new Promise<string>((resolve) => {
      ctx.signal.addEventListener("abort", () => resolve("late"));
    });
  });
  const calls = orchestration("calls", (ctx) => ctx.scheduleActivity(slow));
  await using env = await startEnvironment({ activities: [slow], orchestrations: [calls] });
  const handle = await env.begin(calls);
  await handle.cancel("enough");
  await env.failure(handle);
  expect(eventsOf(env)).toContain("info activity_cancel_requested");
  expect(eventsOf(env)).toContain("info activity_cancelled");
  expect(fieldsOf(env, "activity_cancel_requested")).toMatchObject({ grace_ms: 10_000 });
});

test("a pino logger is a logger", async () => {
  const lines: string[] = [];
  const logger: Logger = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const works = orchestration("works", (ctx) => ctx.scheduleActivity(fine));
  await using env = await startEnvironment({
    activities: [fine],
    orchestrations: [works],
    options: { logger },
  });
  await env.run(works);
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries.map((entry) => entry["event"])).toContain("orchestration_completed");
  expect(entries[0]).toMatchObject({ level: 30, msg: "duroxide runtime started" });
});
