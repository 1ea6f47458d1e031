/** Schedules on every store (docs/decisions/schedules.md). What does not depend on the store: core/test/schedules. */
import { orchestration, type Schedule, schedule } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import type { Environment } from "../support/environment.ts";
import { onEveryStore, scenario } from "../support/scenario.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const child = orchestration("child", async (ctx) => ctx.scheduled ?? "none");
const report = orchestration("report", async (ctx, isSecond: boolean): Promise<unknown> => {
  ctx.setTags({ tenant: "acme" });
  if (!isSecond) return ctx.continueAsNew(report, true);
  return [ctx.scheduled, await ctx.scheduleSubOrchestration(child, undefined, { inheritTags: true })];
});
const slow = orchestration("slow", async (ctx) => ctx.scheduleTimer({ minutes: 90 }));
const orchestrations = [report, slow, child];

function every(name: string, rules: Partial<Schedule> = {}): Schedule {
  return schedule(name, { every: { hours: 1 }, orchestration: report, input: false, ...rules } as never);
}

async function runsOf(env: Environment, name: string): Promise<readonly number[]> {
  const { instances } = await env.client.schedules.runs(name);
  return instances
    .map(({ instanceId }) => Date.parse(instanceId.slice(name.length + 1)))
    .toSorted((a, b) => a - b);
}

/** The whole hours after now, in ms since the epoch. */
function hours(env: Environment, ...after: readonly number[]): readonly number[] {
  const nowMs = env.clock.now();
  return after.map((each) => nowMs - (nowMs % HOUR_MS) + each * HOUR_MS);
}

describe("a schedule", () => {
  scenario("starts a run for each due time, and its runs are found by it", async (start) => {
    const env = await start({ orchestrations, options: { schedules: [every("s")] } });
    const due = hours(env, 1, 2, 3);
    await env.advance(3 * HOUR_MS);
    expect(await runsOf(env, "s")).toEqual(due);
    const { instances } = await env.client.admin.query();
    expect(instances.filter(({ parentInstanceId }) => parentInstanceId === undefined)).toHaveLength(3);
    const [first] = (await env.client.schedules.runs("s")).instances;
    expect(first).toMatchObject({ status: "Completed", tags: { tenant: "acme" } });
    expect(JSON.parse(first?.output ?? "")).toEqual([{ name: "s", dueMs: due[2] }, "none"]);
    const both = { schedule: "s", tags: { tenant: "acme" } } as const;
    expect((await env.client.admin.query({ filter: both })).instances).toHaveLength(3);
    expect((await env.client.admin.count({ schedule: "s", status: ["Completed"] })).counts).toEqual([
      { key: [], count: 3 },
    ]);
    expect((await env.client.admin.count()).counts).toEqual([{ key: [], count: 6 }]);
    expect((await env.client.admin.metrics()).totalInstances).toBe(6);
    expect((await env.client.admin.metrics()).runningInstances).toBe(0);
  });

  scenario("goes on in another process, and changes by hand hold at once", async (start) => {
    const env = await start({ orchestrations, options: { schedules: [every("s")] } });
    await env.advance(HOUR_MS);
    await env.kill();
    await env.start({ options: { orchestrationConcurrency: 0 } });
    await env.client.schedules.pause("s", { by: "ada" });
    expect(await env.client.schedules.get("s")).toMatchObject({ paused: { by: "ada" } });
    expect(await env.client.schedules.next("s", 1)).toEqual([]);
    await env.client.schedules.resume("s");
    await env.restart();
    const due = hours(env, 0, 1, 2);
    await env.advance(2 * HOUR_MS);
    expect(await runsOf(env, "s")).toEqual(due);
    const run = await env.client.schedules.trigger("s", { input: true });
    await env.settle();
    expect(await run.status()).toMatchObject({ status: "Completed" });
    await env.client.schedules.backfill("s", { from: (due[0] ?? 0) - 2 * HOUR_MS, to: due[2] ?? 0 });
    await env.settle();
    expect(await runsOf(env, "s")).toHaveLength(6);
  });

  onEveryStore("starts a run for each of the triggers that come at once", async (start) => {
    const env = await start({
      orchestrations,
      options: { schedules: [every("s", { orchestration: child })] },
    });
    const triggers = [1, 2, 3, 4, 5].map((input) => env.client.schedules.trigger("s", { input }));
    const ids = (await Promise.all(triggers)).map(({ instanceId }) => instanceId);
    await env.settle();
    expect(new Set(ids).size).toBe(5);
    expect((await env.client.schedules.runs("s")).instances).toHaveLength(5);
  });

  scenario("that three processes apply at once, with a limit, is one", async (start) => {
    const env = await start({ orchestrations, file: true });
    const options = { orchestrations, schedules: [every("s")], limits: { partner: { concurrency: 2 } } };
    await Promise.all([1, 2, 3].map(() => env.startElsewhere(options)));
    const due = hours(env, 1, 2, 3);
    await env.advance(3 * HOUR_MS);
    expect(await runsOf(env, "s")).toEqual(due);
    expect((await env.client.schedules.list()).map(({ name }) => name)).toEqual(["s"]);
    expect((await env.client.limits.list()).map(({ key }) => key)).toEqual(["partner"]);
  });

  scenario("starts what waits when a run has ended", async (start) => {
    const rules = { overlap: "queue", orchestration: slow, input: undefined } as const;
    const env = await start({ orchestrations, options: { schedules: [every("s", rules)] } });
    const due = hours(env, 1, 2, 3);
    await env.advance(2 * HOUR_MS + MINUTE_MS);
    expect(await runsOf(env, "s")).toEqual(due.slice(0, 1));
    await env.advance(HOUR_MS / 2);
    expect(await runsOf(env, "s")).toEqual(due.slice(0, 2));
    const [second] = (await env.client.schedules.runs("s")).instances;
    await env.client.admin.terminate(second?.instanceId ?? "", { reason: "test" });
    await env.advance(HOUR_MS / 2);
    expect(await runsOf(env, "s")).toEqual(due);
  });

  scenario("is forgotten when it is deleted, and made anew afterwards", async (start) => {
    const env = await start({ orchestrations, options: { schedules: [every("s"), every("other")] } });
    await env.advance(HOUR_MS);
    expect(await env.client.schedules.delete("s")).toBe(true);
    expect((await env.client.schedules.list()).map(({ name }) => name)).toEqual(["other"]);
    await env.advance(HOUR_MS);
    expect((await env.client.admin.query({ filter: { schedule: "s" } })).instances).toHaveLength(1);
    expect((await env.client.schedules.apply([every("s"), every("other")])).created).toEqual(["s"]);
    await env.advance(HOUR_MS);
    expect(await runsOf(env, "s")).toHaveLength(2);
  });

  scenario("is not deleted or pruned with other instances", async (start) => {
    const env = await start({
      orchestrations,
      options: { schedules: [every("s", { every: { minutes: 1 } })] },
    });
    await env.advance(2 * HOUR_MS);
    const { admin } = env.client;
    await admin.deleteAll({});
    await admin.pruneAll({ instanceIds: ["schedule:s"] }, {});
    expect(await env.client.schedules.get("s")).toBeDefined();
    expect(await runsOf(env, "s")).toEqual([]);
    await env.advance(MINUTE_MS);
    expect(await runsOf(env, "s")).toHaveLength(1);
  });
});
