import { describe, expect, it } from "vitest";
import { orchestration, type Schedule, schedule, silentLogger } from "../../src/index.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../src/testing/index.ts";

const START_MS = Date.parse("2026-11-28T00:30:00Z");
const HOUR = { hours: 1 };

const report = orchestration("report", async (ctx) => ctx.scheduled ?? null);
const slow = orchestration("slow", async (ctx, hours: number) => ctx.scheduleTimer({ hours }));
const failing = orchestration("failing", async () => {
  throw new Error("no disk");
});

function environment(schedules: readonly Schedule[], options: Partial<TestEnvironmentOptions> = {}) {
  return TestEnvironment.create({
    orchestrations: [report, slow, failing],
    schedules,
    startMs: START_MS,
    logger: silentLogger,
    ...options,
  });
}

async function runsOf({ client }: TestEnvironment, name: string): Promise<readonly string[]> {
  const { instances } = await client.schedules.runs(name, { limit: 1_000 });
  return instances.map(({ instanceId }) => instanceId.slice(name.length + 1)).toReversed();
}

const hourly = schedule("hourly", { cron: "0 * * * *", orchestration: report });

describe("a schedule", () => {
  it("starts one run for each due time, which knows it", async () => {
    await using env = await environment([hourly]);
    await env.advance({ hours: 3 });
    expect(await runsOf(env, "hourly")).toEqual([
      "2026-11-28T01:00:00Z",
      "2026-11-28T02:00:00Z",
      "2026-11-28T03:00:00Z",
    ]);
    const run = await env.client.handle(report, "hourly@2026-11-28T02:00:00Z").status();
    expect(run).toMatchObject({
      status: "Completed",
      output: { name: "hourly", dueMs: Date.parse("2026-11-28T02:00:00Z") },
    });
    expect(await env.client.schedules.get("hourly")).toMatchObject({
      name: "hourly",
      cron: "0 * * * *",
      timezone: "UTC",
      overlap: "skip",
      catchUp: "last",
      orchestration: "report",
      owner: "default",
      nextDueMs: Date.parse("2026-11-28T04:00:00Z"),
      lastDueMs: Date.parse("2026-11-28T03:00:00Z"),
    });
  });

  it("goes on after many runs, as one execution after the other", async () => {
    const minutely = schedule("minutely", { every: { minutes: 1 }, orchestration: report });
    await using env = await environment([minutely]);
    await env.advance({ hours: 3 });
    expect(await runsOf(env, "minutely")).toHaveLength(180);
    const executions = await env.client.admin.executions("schedule:minutely");
    expect(executions.at(-1)).toBeGreaterThan(1);
    expect(executions.length).toBeLessThan(3);
  });

  it("is in no list and no count, and its runs have no tag that is shown", async () => {
    await using env = await environment([hourly]);
    await env.advance(HOUR);
    const { admin } = env.client;
    const { instances } = await admin.query();
    expect(instances.map(({ instanceId, tags }) => [instanceId, tags])).toEqual([
      ["hourly@2026-11-28T01:00:00Z", undefined],
    ]);
    expect((await admin.count()).counts).toEqual([{ key: [], count: 1 }]);
    expect((await admin.metrics()).totalInstances).toBe(1);
    expect((await admin.query({ filter: { schedule: "daily" } })).instances).toEqual([]);
  });

  it("is left alone by changes of instances", async () => {
    await using env = await environment([hourly]);
    const { client } = env;
    const handle = client.handle("report", "schedule:hourly");
    const by = { reason: "test" };
    const refused = { code: "refused" };
    await expect(handle.cancel()).rejects.toMatchObject(refused);
    await expect(handle.raise("x")).rejects.toMatchObject(refused);
    await expect(handle.enqueue("x")).rejects.toMatchObject(refused);
    await expect(handle.ask("x")).rejects.toMatchObject(refused);
    await expect(client.admin.terminate("schedule:hourly", by)).rejects.toMatchObject(refused);
    await expect(client.admin.suspend("schedule:hourly", by)).rejects.toMatchObject(refused);
    await expect(client.admin.resume("schedule:hourly")).rejects.toMatchObject(refused);
    await expect(client.admin.retry("schedule:hourly")).rejects.toMatchObject(refused);
    await expect(client.admin.rewind("schedule:hourly", { toEvent: 1 })).rejects.toMatchObject(refused);
    await expect(client.admin.restart("schedule:hourly")).rejects.toMatchObject(refused);
    await expect(client.admin.delete("schedule:hourly", { force: true })).rejects.toMatchObject(refused);
    await expect(client.admin.prune("schedule:hourly", { keepLast: 1 })).rejects.toMatchObject(refused);
    await expect(client.start(report, { instanceId: "schedule:other" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await env.advance(HOUR);
    expect(await runsOf(env, "hourly")).toHaveLength(1);
  });

  it("has its own time zone, also where another one has the same expression", async () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York"];
    const given = zones.map((timezone, n) =>
      schedule(`zone-${n}`, { cron: "0 3 * * *", timezone, orchestration: report }),
    );
    await using env = await environment(given);
    await env.advance({ days: 1 });
    const runs = await Promise.all(given.map(({ name }) => runsOf(env, name)));
    expect(runs.flat()).toEqual(["2026-11-28T03:00:00Z", "2026-11-28T02:00:00Z", "2026-11-28T08:00:00Z"]);
  });

  it("runs every day of a year", async () => {
    const daily = schedule("daily", { cron: "0 3 * * *", timezone: "Europe/Berlin", orchestration: report });
    await using env = await environment([daily]);
    await env.advance({ days: 365 });
    expect(await runsOf(env, "daily")).toHaveLength(365);
  });

  it("runs at the instants of a list that are to come", async () => {
    const at = ["2026-11-29T00:00:00Z", "2026-11-27T00:00:00Z", "2026-11-28T12:00:00Z"].map(
      (t) => new Date(t),
    );
    await using env = await environment([schedule("list", { at, orchestration: report })]);
    await env.advance({ days: 3 });
    expect(await runsOf(env, "list")).toEqual(["2026-11-28T12:00:00Z", "2026-11-29T00:00:00Z"]);
    expect((await env.client.schedules.get("list"))?.nextDueMs).toBeUndefined();
    expect(await env.client.schedules.next("list", 3)).toEqual([]);
  });

  it("begins a run with jitter at the same time in every process, and not before", async () => {
    const jittered = schedule("jittered", {
      cron: "0 * * * *",
      jitter: { minutes: 10 },
      orchestration: report,
    });
    const begins: number[][] = [];
    for (let round = 0; round < 2; round++) {
      await using env = await environment([jittered]);
      await env.advance({ hours: 5 });
      const { instances } = await env.client.schedules.runs("jittered");
      begins.push(instances.map(({ createdAtMs }) => createdAtMs % 3_600_000));
      expect(instances.map(({ instanceId }) => instanceId)).toContain("jittered@2026-11-28T05:00:00Z");
    }
    expect(begins[0]).toEqual(begins[1]);
    expect(new Set(begins[0]).size).toBeGreaterThan(1);
    expect(Math.max(...(begins[0] ?? []))).toBeLessThan(600_000);
  });
});

describe("missed due times", () => {
  it.each([
    ["last", ["T05:00:00Z", "T06:00:00Z"]],
    ["none", ["T06:00:00Z"]],
    [{ within: { hours: 2 } }, ["T04:00:00Z", "T05:00:00Z", "T06:00:00Z"]],
    ["all", ["T01:00:00Z", "T02:00:00Z", "T03:00:00Z", "T04:00:00Z", "T05:00:00Z", "T06:00:00Z"]],
  ] as const)("%j", async (catchUp, times) => {
    const given = schedule("s", { cron: "0 * * * *", overlap: "allow", catchUp, orchestration: report });
    await using env = await environment([given]);
    // A process with no orchestrations runs no schedule.
    await env.restart({ orchestrationConcurrency: 0 });
    await env.advance({ hours: 5 });
    expect(await runsOf(env, "s")).toEqual([]);
    await env.restart();
    await env.advance(HOUR);
    expect(await runsOf(env, "s")).toEqual(times.map((time) => `2026-11-28${time}`));
  });

  it("run one after the other, each when the one before has ended", async () => {
    const given = schedule("s", { cron: "0 * * * *", catchUp: "all", orchestration: slow, input: 0.25 });
    await using env = await environment([given]);
    await env.restart({ orchestrationConcurrency: 0 });
    await env.advance({ hours: 3 });
    await env.restart();
    expect(await runsOf(env, "s")).toEqual(["2026-11-28T01:00:00Z"]);
    await env.advance({ minutes: 15 });
    expect(await runsOf(env, "s")).toEqual(["2026-11-28T01:00:00Z", "2026-11-28T02:00:00Z"]);
    await env.advance({ minutes: 14 });
    expect(await runsOf(env, "s")).toHaveLength(2);
    await env.advance({ minutes: 30 });
    expect(await runsOf(env, "s")).toEqual([
      "2026-11-28T01:00:00Z",
      "2026-11-28T02:00:00Z",
      "2026-11-28T03:00:00Z",
    ]);
  });
});

describe("overlap", () => {
  it.each([
    ["skip", ["T01:00:00Z", "T04:00:00Z"]],
    ["allow", ["T01:00:00Z", "T02:00:00Z", "T03:00:00Z", "T04:00:00Z"]],
    ["cancel", ["T01:00:00Z", "T02:00:00Z", "T03:00:00Z", "T04:00:00Z"]],
    ["queue", ["T01:00:00Z", "T02:00:00Z"]],
  ] as const)("%s", async (overlap, times) => {
    const given = schedule("s", { cron: "0 * * * *", overlap, orchestration: slow, input: 2.5 });
    await using env = await environment([given]);
    await env.advance({ hours: 3, minutes: 45 });
    expect(await runsOf(env, "s")).toEqual(times.map((time) => `2026-11-28${time}`));
    const statuses = await env.client.admin.query({ filter: { schedule: "s", status: ["Cancelled"] } });
    expect(statuses.instances).toHaveLength(overlap === "cancel" ? 3 : 0);
    env.ignoreFailures();
  });

  it("queue: the end of a run starts the next one at once, however it ends, and at most ten wait", async () => {
    const given = schedule("s", { cron: "0 * * * *", overlap: "queue", orchestration: slow, input: 1_000 });
    await using env = await environment([given]);
    await env.advance({ hours: 15 });
    expect(await runsOf(env, "s")).toEqual(["2026-11-28T01:00:00Z"]);
    expect((await env.client.schedules.get("s"))?.queued).toHaveLength(10);
    await env.client.handle(slow, "s@2026-11-28T01:00:00Z").cancel("test");
    await env.settle();
    expect(await runsOf(env, "s")).toEqual(["2026-11-28T01:00:00Z", "2026-11-28T02:00:00Z"]);
    env.ignoreFailures();
    await env.client.admin.terminate("s@2026-11-28T02:00:00Z", { reason: "test" });
    await env.settle();
    expect(await runsOf(env, "s")).toHaveLength(3);
    await env.client.admin.delete("s@2026-11-28T03:00:00Z", { force: true });
    await env.settle();
    expect(await runsOf(env, "s")).toContain("2026-11-28T04:00:00Z");
  });

  it("counts triggered runs, and not those of a backfill", async () => {
    const given = schedule("s", { cron: "0 * * * *", orchestration: slow, input: 1.9 });
    await using env = await environment([given]);
    await env.client.schedules.backfill("s", {
      from: new Date("2026-11-27T22:00:00Z"),
      to: new Date("2026-11-28T00:00:00Z"),
    });
    await env.advance({ minutes: 31 });
    expect(await runsOf(env, "s")).toEqual([
      "2026-11-27T22:00:00Z",
      "2026-11-27T23:00:00Z",
      "2026-11-28T00:00:00Z",
      "2026-11-28T01:00:00Z",
    ]);
    await env.advance({ hours: 2 });
    const run = await env.client.schedules.trigger("s", { by: "ada" });
    expect(run.instanceId).toBe("s@2026-11-28T03:01:00Z");
    await env.advance(HOUR);
    expect((await runsOf(env, "s")).slice(4)).toEqual(["2026-11-28T03:00:00Z", "2026-11-28T03:01:00Z"]);
  });
});

describe("failures", () => {
  it("pause a schedule that asks for it, and only then", async () => {
    const rules = { cron: "0 * * * *", orchestration: failing };
    const given = [schedule("fragile", { ...rules, pauseOnFailure: 2 }), schedule("robust", rules)];
    await using env = await environment(given);
    await env.advance({ hours: 2 });
    env.ignoreFailures();
    expect((await env.client.schedules.get("fragile"))?.paused?.reason).toMatch("2 runs in a row failed");
    await env.advance({ hours: 2 });
    expect(await runsOf(env, "fragile")).toHaveLength(2);
    expect(await runsOf(env, "robust")).toHaveLength(4);
    await env.client.schedules.resume("fragile");
    await env.advance({ hours: 3 });
    expect(await runsOf(env, "fragile")).toHaveLength(4);
  });

  it("a start that is refused is recorded, and does not stop the schedule", async () => {
    const long = "n".repeat(985);
    const given = [
      schedule(long, { cron: "0 * * * *", orchestration: report }),
      schedule("large", { cron: "0 * * * *", orchestration: "slow", input: "x".repeat(2_000_000) }),
    ];
    await using env = await environment(given);
    await env.advance({ hours: 2 });
    const dueMs = Date.parse("2026-11-28T02:00:00Z");
    const { schedules } = env.client;
    expect((await schedules.get(long))?.lastFailure).toMatchObject({
      dueMs,
      message: expect.stringMatching("instance id"),
    });
    expect((await schedules.get("large"))?.lastFailure).toMatchObject({
      dueMs,
      message: expect.stringMatching("maxPayloadBytes"),
    });
    expect((await schedules.get("large"))?.nextDueMs).toBe(dueMs + 3_600_000);
  });

  it("an unknown orchestration is started, and blocked as any", async () => {
    const given = schedule("s", { cron: "0 * * * *", orchestration: "nobody" });
    await using env = await environment([given], { onMissingHandler: "block" });
    await env.advance({ hours: 3 });
    const blocked = [];
    for await (const each of env.client.admin.blocked()) blocked.push(each.instanceId);
    expect(blocked).toEqual(["s@2026-11-28T01:00:00Z"]);
  });
});

describe("changes by hand", () => {
  it("a pause holds at once, and what was due in it never runs", async () => {
    await using env = await environment([hourly]);
    const { schedules } = env.client;
    await env.advance(HOUR);
    await schedules.pause("hourly", { by: "ada", reason: "the disk is full" });
    expect((await schedules.get("hourly"))?.paused).toEqual({
      sinceMs: env.clock.now(),
      by: "ada",
      reason: "the disk is full",
    });
    expect(await schedules.next("hourly", 2)).toEqual([]);
    await env.advance({ hours: 3 });
    await schedules.resume("hourly", { by: "ada" });
    expect(await schedules.next("hourly", 2)).toEqual([
      Date.parse("2026-11-28T05:00:00Z"),
      Date.parse("2026-11-28T06:00:00Z"),
    ]);
    await env.advance(HOUR);
    expect(await runsOf(env, "hourly")).toEqual(["2026-11-28T01:00:00Z", "2026-11-28T05:00:00Z"]);
    const info = await schedules.get("hourly");
    expect(info?.changes.map(({ verb, by }) => [verb, by])).toEqual([
      ["apply", undefined],
      ["pause", "ada"],
      ["resume", "ada"],
    ]);
  });

  it("a pause that ends before the next due time delays it by nothing", async () => {
    await using env = await environment([hourly]);
    for (const minutes of [10, 10]) {
      await env.client.schedules.pause("hourly");
      await env.advance({ minutes: minutes / 2 });
      await env.client.schedules.resume("hourly");
      await env.advance({ minutes: minutes / 2 });
    }
    await env.advance(HOUR);
    expect(await runsOf(env, "hourly")).toEqual(["2026-11-28T01:00:00Z"]);
  });

  it("what was due before a pause runs after it, although its jitter was not over", async () => {
    const jittered = schedule("jittered", {
      cron: "0 * * * *",
      jitter: { minutes: 50 },
      orchestration: report,
    });
    await using env = await environment([jittered]);
    await env.advance({ minutes: 30 });
    await env.client.schedules.pause("jittered");
    await env.advance({ seconds: 1 });
    expect(await runsOf(env, "jittered")).toEqual([]);
    await env.client.schedules.resume("jittered");
    await env.advance({ minutes: 59 });
    expect(await runsOf(env, "jittered")).toEqual(["2026-11-28T01:00:00Z"]);
  });

  it("what was due before a pause runs after it, also what is more than a turn starts", async () => {
    const given = schedule("s", {
      every: { seconds: 1 },
      overlap: "allow",
      catchUp: { within: { minutes: 5 } },
      orchestration: report,
    });
    await using env = await environment([given]);
    await env.restart({ orchestrationConcurrency: 0 });
    await env.advance({ seconds: 120 });
    await env.client.schedules.pause("s");
    await env.client.schedules.resume("s");
    await env.client.schedules.pause("s");
    await env.restart();
    await env.advance({ seconds: 10 });
    expect(await runsOf(env, "s")).toHaveLength(120);
  });

  it("a change holds where no runtime runs", async () => {
    await using env = await environment([hourly]);
    await env.restart({ orchestrationConcurrency: 0 });
    const { schedules } = env.client;
    await schedules.pause("hourly");
    expect((await schedules.get("hourly"))?.paused).toBeDefined();
    await schedules.resume("hourly");
    await schedules.trigger("hourly");
    expect(await schedules.delete("hourly")).toBe(true);
    expect(await schedules.get("hourly")).toBeUndefined();
    expect(await schedules.delete("hourly")).toBe(false);
  });

  it("a trigger leaves its id to a due time that comes within the same second", async () => {
    const rules = { every: { minutes: 1 }, offset: { ms: 700 }, orchestration: report };
    await using env = await environment([schedule("shifted", rules)]);
    await env.advance({ minutes: 1 });
    const run = await env.client.schedules.trigger("shifted");
    expect(run.instanceId).toBe("shifted@2026-11-28T00:31:00.000Z");
    await env.advance({ seconds: 1 });
    expect(await runsOf(env, "shifted")).toContain("2026-11-28T00:31:00Z");
  });

  it("triggers at one instant have ids of their own, and none takes that of a due time", async () => {
    await using env = await environment([hourly]);
    await env.advance({ minutes: 1 });
    const { schedules } = env.client;
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await schedules.trigger("hourly")).instanceId);
    expect(ids).toEqual([
      "hourly@2026-11-28T00:31:00Z",
      "hourly@2026-11-28T00:31:00.000Z",
      "hourly@2026-11-28T00:31:00.001Z",
    ]);
    const given = { input: 7, by: "ada" };
    await schedules.apply([schedule("other", { cron: "0 0 1 1 *", orchestration: slow, input: 1 })]);
    const run = await schedules.trigger("other", given);
    await env.settle();
    expect((await run.history())[0]).toMatchObject({ input: "7", scheduled: { name: "other" } });
  });

  it("a backfill repeats no id", async () => {
    await using env = await environment([hourly]);
    await env.advance({ hours: 3 });
    const period = { from: new Date("2026-11-28T00:00:00Z"), to: new Date("2026-11-28T09:00:00Z") };
    await env.client.schedules.backfill("hourly", period);
    await env.settle();
    expect((await runsOf(env, "hourly")).toSorted()).toEqual([
      "2026-11-28T00:00:00Z",
      "2026-11-28T01:00:00Z",
      "2026-11-28T02:00:00Z",
      "2026-11-28T03:00:00Z",
    ]);
    const year = { from: new Date("2025-11-28T00:00:00Z"), to: new Date("2025-12-28T00:00:00Z") };
    await env.client.schedules.backfill("hourly", year);
    await env.settle();
    expect(await runsOf(env, "hourly")).toHaveLength(4 + 721);
  });

  it("find no due time after the year 9999, which no id could name", async () => {
    await using env = await environment([
      schedule("rare", { every: { days: 1e9 }, orchestration: slow, input: 1 }),
    ]);
    expect(await env.client.schedules.next("rare", 2)).toEqual([]);
    expect(await env.client.schedules.get("rare")).not.toHaveProperty("nextDueMs");
  });

  it("of an unknown schedule are not found", async () => {
    await using env = await environment([]);
    const { schedules } = env.client;
    const notFound = { code: "not-found" };
    await expect(schedules.pause("x")).rejects.toMatchObject(notFound);
    await expect(schedules.resume("x")).rejects.toMatchObject(notFound);
    await expect(schedules.trigger("x")).rejects.toMatchObject(notFound);
    await expect(schedules.backfill("x", { from: 0, to: 1 })).rejects.toMatchObject(notFound);
    await expect(schedules.next("x", 1)).rejects.toMatchObject(notFound);
    await expect(schedules.runs("x")).rejects.toMatchObject(notFound);
    expect(await schedules.get("x")).toBeUndefined();
  });
});
