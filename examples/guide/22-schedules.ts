/** docs/guide/22-schedules.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, orchestration, schedule } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";

const deleted: string[] = [];
const deleteBefore = activity("deleteBefore", async (_ctx, day: string) => deleted.push(day));

// #region define
const cleanUp = orchestration("cleanUp", async (ctx, { keepDays }: { keepDays: number }) => {
  const dueMs = ctx.scheduled?.dueMs ?? ctx.now();
  const day = new Date(dueMs - keepDays * 86_400_000).toISOString().slice(0, 10);
  await ctx.scheduleActivity(deleteBefore, day);
});

const nightly = schedule("nightly", {
  cron: "0 3 * * *",
  timezone: "Europe/Berlin",
  orchestration: cleanUp,
  input: { keepDays: 30 },
});
// #endregion

// #region test
await using env = await TestEnvironment.create({
  orchestrations: [cleanUp],
  activities: [deleteBefore],
  schedules: [nightly],
  startMs: Date.parse("2026-11-28T12:00:00Z"),
});
await env.advance({ days: 365 });
equal(env.calls(deleteBefore).length, 365);
// #endregion
equal(deleted[0], "2026-10-30");

const { client } = env;
// #region operate
const { schedules } = client;
await schedules.pause("nightly", { by: "ada", reason: "the disk is full" });
await schedules.resume("nightly", { by: "ada" });
const run = await schedules.trigger("nightly", { input: { keepDays: 7 } });
await schedules.backfill("nightly", { from: new Date("2026-11-01"), to: new Date("2026-11-03") });
const { instances } = await client.admin.query({ filter: { schedule: "nightly", status: ["Failed"] } });
// #endregion
await env.settle();
equal((await run.status()).status, "Completed");
deepEqual(instances, []);
equal(deleted.length, 365 + 1 + 2);
