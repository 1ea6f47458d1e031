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

const inbox = {
  takenAt: 0,
  newOrders: async (): Promise<string[]> => (inbox.takenAt++ === 0 ? ["A-1", "A-2"] : ["A-2"]),
};
const handled: string[] = [];
const handleOrder = orchestration("handleOrder", async (ctx, order: string) => {
  await ctx.run("handle", () => handled.push(order));
});

// #region poller
const poll = orchestration("poll", async (ctx) => {
  const orders = await ctx.run("read new orders", () => inbox.newOrders());
  for (const order of orders) ctx.startOrchestration(handleOrder, { instanceId: order, input: order });
});

const poller = schedule("poller", { every: { minutes: 5 }, catchUp: "none", orchestration: poll });
// #endregion

const calendar = { isHoliday: async (day: string): Promise<boolean> => day === "2026-12-25" };
const reported: string[] = [];
const writeReport = async (day: string): Promise<unknown> => reported.push(day);

// #region holidays
const report = orchestration("report", async (ctx) => {
  const day = new Date(ctx.scheduled?.dueMs ?? ctx.now()).toISOString().slice(0, 10);
  if (await ctx.run("look at the calendar", () => calendar.isHoliday(day))) return "a holiday";
  await ctx.run("write the report", () => writeReport(day));
  return day;
});

const workdays = schedule("workdays", { cron: "0 18 * * MON-FRI", orchestration: report });
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

await using shop = await TestEnvironment.create({
  orchestrations: [poll, handleOrder, report],
  schedules: [poller, workdays],
  startMs: Date.parse("2026-12-24T12:00:00Z"),
});
await shop.advance({ days: 4 });
deepEqual(handled.sort(), ["A-1", "A-2"]);
deepEqual(reported, ["2026-12-24"]);
