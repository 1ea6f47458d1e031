/** Starts with `after`: the instance exists as scheduled until then, and its code begins at that time. */
import { type AlreadyExistsError, activity, Client, event, orchestration, queue } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const HOUR = 3_600_000;
const jobs = queue<string>("jobs");
const approved = event<string>("approved", { keep: true });

const work = activity("work", async (_ctx, text: string) => `${text} done`);
const job = orchestration("job", async (ctx, text: string) => ctx.scheduleActivity(work, text));
const setup = { orchestrations: [job], activities: [work] };

describe("a start with after", () => {
  scenario("is scheduled until then, and its code runs at that time", async (start) => {
    const env = await start(setup);
    const { clock, client } = env;
    const startsAtMs = clock.now() + HOUR;
    const handle = await client.start(job, { instanceId: "i", input: "a", after: { hours: 1 } });
    expect(await handle.status(), "before the first turn").toMatchObject({ status: "Scheduled" });

    await env.advance(HOUR - 1);
    expect(await handle.status()).toEqual({
      status: "Scheduled",
      startsAtMs,
      executionId: 1,
      customStatus: undefined,
      customStatusVersion: 0,
    });
    expect(await client.admin.info("i")).toMatchObject({ status: "Scheduled", startsAtMs });
    const scheduled = await client.admin.query({ filter: { status: ["Scheduled"] } });
    expect(scheduled.instances).toMatchObject([{ instanceId: "i", status: "Scheduled", startsAtMs }]);
    const { counts } = await client.admin.count({}, ["status"]);
    expect(counts).toEqual([{ key: ["Scheduled"], count: 1 }]);
    expect((await client.admin.query({ filter: { status: ["Running"] } })).instances).toEqual([]);
    expect(await env.history("i"), "no code has run").toHaveLength(2);

    expect(await env.finish(handle)).toBe("a done");
    const begun = (await env.events("i")).find(({ type }) => type === "ActivityScheduled");
    expect(Number(begun?.timestamp_ms)).toBeGreaterThanOrEqual(startsAtMs);
    expect((await client.admin.query({ filter: { status: ["Scheduled"] } })).instances).toEqual([]);
  });

  scenario("takes a date, and one that has passed begins at once", async (start) => {
    const env = await start(setup);
    const { clock, client } = env;
    const later = await client.start(job, {
      instanceId: "later",
      input: "a",
      after: new Date(clock.now() + HOUR),
    });
    const past = await client.start(job, {
      instanceId: "past",
      input: "b",
      after: new Date(clock.now() - 1),
    });
    const zero = await client.start(job, { instanceId: "zero", input: "c", after: 0 });

    expect([await env.finish(past), await env.finish(zero)]).toEqual(["b done", "c done"]);
    expect(await later.status()).toMatchObject({ status: "Scheduled" });
    expect(await client.admin.info("past")).not.toHaveProperty("startsAtMs");
    expect(await env.finish(later)).toBe("a done");
  });

  scenario("keeps messages until its code reads them", async (start) => {
    const reader = orchestration("reader", async (ctx) => [
      await ctx.dequeue(jobs),
      await ctx.waitForEvent(approved),
      await ctx.dequeue(jobs),
    ]);
    const env = await start({ orchestrations: [reader] });
    const handle = await env.begin(reader, {
      instanceId: "i",
      after: HOUR,
      enqueue: [{ queue: jobs, message: "with the start" }],
    });
    await handle.enqueue(jobs, "later");
    await handle.raise(approved, "Ada");
    await env.advance(HOUR / 2);
    expect(await handle.status()).toMatchObject({ status: "Scheduled" });

    expect(await env.finish(handle)).toEqual(["with the start", "Ada", "later"]);
  });

  scenario("ends as cancelled without running, if it is cancelled before", async (start) => {
    let runs = 0;
    const counted = orchestration("counted", async () => {
      runs++;
    });
    const { env, handle } = await begun(start, counted, { after: HOUR });
    await handle.cancel("not needed");
    const error = await env.failure(handle);

    expect(error.message).toContain("canceled: not needed");
    expect(await handle.status()).toMatchObject({ status: "Cancelled", reason: "not needed" });
    await env.advance(2 * HOUR);
    expect(runs).toBe(0);
    expect((await env.client.admin.work({ instanceId: "i" })).work, "rows that are left").toEqual([]);
  });

  scenario("ends without running where its cancellation is there before any process", async (start) => {
    let runs = 0;
    const counted = orchestration("counted", async () => {
      runs++;
    });
    const env = await start({ orchestrations: [counted], file: true });
    await env.stop();
    const provider = await env.connectElsewhere();
    const client = new Client(provider, { clock: env.clock });
    const handle = await client.start(counted, { instanceId: "i", after: HOUR });
    expect(await client.handle(counted, "i").status()).toMatchObject({ status: "Scheduled", executionId: 1 });
    await handle.cancel("not needed");
    await env.start();
    await env.advance(2 * HOUR);

    expect(await handle.status()).toMatchObject({ status: "Cancelled", reason: "not needed" });
    expect(runs).toBe(0);
  });

  scenario("runs once, at its first time, where it is started again with another one", async (start) => {
    const env = await start(setup);
    const options = { instanceId: "i", input: "a" };
    const handle = await env.begin(job, { ...options, after: 2 * HOUR });
    await env.client.start(job, { ...options, after: HOUR });
    await env.client.start(job, { ...options, input: "b" });
    await env.advance(HOUR);
    expect(await handle.status()).toMatchObject({ status: "Scheduled" });

    expect(await env.finish(handle)).toBe("a done");
    await env.advance(3 * HOUR);
    expect(await env.client.admin.executions("i")).toEqual([1]);
  });

  scenario("counts as existing for further starts of its id", async (start) => {
    const env = await start(setup);
    const options = { instanceId: "i", input: "a", after: HOUR };
    const handle = await env.begin(job, options);
    const again = await env.client.start(job, { instanceId: "i", input: "b" });
    expect([handle.created, again.created]).toEqual([true, false]);
    for (const ifExists of ["fail", "restart"] as const) {
      const error = await env.client.start(job, { ...options, ifExists }).catch((it: unknown) => it);
      expect((error as AlreadyExistsError).code, ifExists).toBe("already-exists");
    }
    await env.advance(1);
    expect(await handle.status()).toMatchObject({ status: "Scheduled" });
    expect(await env.finish(again)).toBe("a done");
  });

  scenario("counts its timeout from its time", async (start) => {
    const never = orchestration("never", async (ctx) => ctx.dequeue(jobs));
    const { env, handle } = await started(start, never, { after: HOUR, timeout: HOUR });
    await env.advance(2 * HOUR - 1);
    expect(await handle.status()).toMatchObject({ status: "Running" });
    await env.advance(1);

    expect(await env.failure(handle)).toMatchObject({ message: expect.stringContaining("3600000 ms") });
    const status = await handle.status();
    expect(status).toMatchObject({ status: "Failed" });
  });

  scenario(
    "survives a restart of its process, and begins at once where it fell due meanwhile",
    async (start) => {
      const env = await start({ ...setup, file: true });
      const handle = await env.begin(job, { instanceId: "i", input: "a", after: HOUR });
      await env.stop();
      env.needsVirtualTime("it moves time").advance(3 * HOUR);
      await env.start();
      expect(await env.finish(env.client.handle(job, handle.instanceId))).toBe("a done");
    },
  );
});

describe("by hand, a start with after", () => {
  scenario("is ended by a termination", async (start) => {
    const env = await start(setup);
    const handle = await env.begin(job, { instanceId: "i", input: "a", after: HOUR });
    await env.client.admin.terminate("i", { reason: "not needed" });
    expect((await handle.status()).status).toBe("Cancelled");
    await env.advance(2 * HOUR);
    expect((await env.events("i")).some(({ type }) => type === "ActivityScheduled")).toBe(false);
    expect((await env.client.admin.work({ instanceId: "i" })).work, "rows that are left").toEqual([]);
  });

  scenario("waits while it is suspended, and begins when it is resumed", async (start) => {
    const env = await start(setup);
    const { admin } = env.client;
    const handle = await env.begin(job, { instanceId: "i", input: "a", after: HOUR });
    await admin.suspend("i", { reason: "later" });
    await env.advance(2 * HOUR);
    expect(await env.history("i"), "no code has run").toHaveLength(2);
    await admin.resume("i");
    expect(await env.finish(handle)).toBe("a done");
  });

  scenario("begins at once after a restart in place, and at its time after a retry", async (start) => {
    const env = await start(setup);
    const { client, clock } = env;
    for (const instanceId of ["restarted", "retried"]) {
      const handle = await client.start(job, { instanceId, input: "a", after: HOUR });
      await env.settle();
      await handle.cancel();
      await env.failure(handle);
    }
    await client.admin.restart("restarted");
    await client.admin.retry("retried");
    expect(await client.handle(job, "retried").status()).toMatchObject({ status: "Scheduled" });
    const beforeMs = clock.now();
    expect(await env.finish(client.handle(job, "restarted"))).toBe("a done");
    expect(clock.now() - beforeMs).toBeLessThan(HOUR);
    expect(await client.handle(job, "retried").status()).toMatchObject({ status: "Scheduled" });
    expect(await env.finish(client.handle(job, "retried"))).toBe("a done");
  });

  scenario("is rewound to before its time, which is past, and begins at once", async (start) => {
    const env = await start(setup);
    const handle = await env.client.start(job, { instanceId: "i", input: "a", after: HOUR });
    await env.finish(handle);
    await env.client.admin.rewind("i", { toEvent: 1 });
    expect(await env.finish(handle)).toBe("a done");
  });
});

describe("an orchestration that starts another one with after", () => {
  scenario("starts it at the time from its call on", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      await ctx.scheduleTimer(HOUR);
      ctx.startOrchestration(job, { instanceId: "detached", input: "a", after: { hours: 2 } });
      ctx.startOrchestration(job, { instanceId: "at-once", input: "b", after: new Date(0) });
    });
    const env = await start({ orchestrations: [parent, job], activities: [work] });
    const startMs = env.clock.now();
    await env.run(parent, { instanceId: "p" });
    const detached = env.client.handle(job, "detached");
    expect(await env.finish(env.client.handle(job, "at-once"))).toBe("b done");
    expect(await detached.status()).toMatchObject({
      status: "Scheduled",
      startsAtMs: expect.closeTo(startMs + 3 * HOUR, -4),
    });
    expect(await env.finish(detached)).toBe("a done");
  });
});

describe("the history of a start with after", () => {
  engineScenario("is replayed, with a handler of any form", async (start) => {
    const generator = orchestration("generator", function* (ctx) {
      const text: string = yield ctx.scheduleActivity(work, "g");
      return text;
    });
    const { env, handle } = await started(start, generator, { activities: [work], after: HOUR });
    expect(await env.finish(handle)).toBe("g done");
    const { executions } = await replay(await env.events("i"), { orchestrations: [generator] });
    expect(executions).toMatchObject([{ status: "Completed" }]);
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: generator@1.0.0 null",
      expect.stringContaining("2 TimerCreated"),
      expect.stringContaining("3 TimerFired"),
      expect.stringContaining("4 ActivityScheduled"),
      expect.stringContaining("5 ActivityCompleted"),
      expect.stringContaining("6 OrchestrationCompleted"),
    ]);
  });
});

describe("after", () => {
  scenario("is refused where it is no time", async (start) => {
    const env = await start(setup);
    for (const after of [-1, Number.NaN, new Date(Number.NaN), { hour: 1 }, "1h", {}]) {
      const started = env.client.start(job, { instanceId: "i", input: "a", after: after as number });
      await expect(started, String(after)).rejects.toMatchObject({ code: "invalid-input" });
    }
  });
});
