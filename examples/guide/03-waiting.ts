/** docs/guide/03-waiting.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, event, orchestration, queue } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const HOUR_MS = 3_600_000;

// #region timer
const remind = activity("remind", async (_ctx, who: string) => `reminded ${who}`);

const reminder = orchestration("reminder", async (ctx, who: string) => {
  await ctx.scheduleTimer({ days: 7 });
  return ctx.scheduleActivity(remind, who);
});
// #endregion

await onStage({ activities: [remind], orchestrations: [reminder] }, async (stage) => {
  const run = await stage.client.start(reminder, { input: "Ada" });
  await stage.advance(7 * 24 * HOUR_MS - 1);
  equal((await run.status()).status, "Running");
  equal(await stage.finish(run), "reminded Ada");
});

// #region approval
const approved = event<{ by: string }>("approved", { keep: true }); // kept until it is awaited

const request = orchestration("request", async (ctx, cents: number) => {
  const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ hours: 24 })]);
  if (winner.index === 1) return `nobody approved ${cents}`;
  return `${winner.value.by} approved ${cents}`;
});
// #endregion

await onStage({ orchestrations: [request] }, async (stage) => {
  const { client } = stage;
  const late = await client.start(request, { input: 1 });
  equal(await stage.finish(late), "nobody approved 1");
  // #region raise
  const handle = await client.start(request, { instanceId: "request-9", input: 990 });
  await handle.raise(approved, { by: "Grace" });
  // #endregion
  equal(await stage.finish(handle), "Grace approved 990");
});

const checkCredit = activity("checkCredit", async () => "good");

// #region wait-early
const decided = event<{ by: string }>("decided"); // not kept
const loan = orchestration("loan", async (ctx) => {
  const decision = ctx.waitForEvent(decided); // waits from here on
  const credit = await ctx.scheduleActivity(checkCredit);
  ctx.setCustomStatus("ready to be approved"); // tells clients that the wait is open
  return { credit, by: (await decision).by };
});
// #endregion

await onStage({ activities: [checkCredit], orchestrations: [loan] }, async (stage) => {
  const handle = await stage.client.start(loan);
  // #region raise-when-ready
  for await (const status of handle.customStatus()) {
    if (status === "ready to be approved") break;
  }
  await handle.raise(decided, { by: "Ada" });
  // #endregion
  deepEqual(await stage.finish(handle), { credit: "good", by: "Ada" });
});

// #region queue
const readings = queue<number>("readings");

const average = orchestration("average", async (ctx, count: number) => {
  let sum = 0;
  for (let read = 0; read < count; read++) sum += await ctx.dequeue(readings);
  return sum / count;
});
// #endregion

await onStage({ orchestrations: [average] }, async (stage) => {
  const { client } = stage;
  // #region enqueue
  const handle = await client.start(average, { instanceId: "sensor-1", input: 3 });
  for (const reading of [10, 20, 60]) await handle.enqueue(readings, reading);
  // #endregion
  equal(await stage.finish(handle), 30);
});

// #region lost
const busyFirst = orchestration("busyFirst", async (ctx) => {
  await ctx.scheduleTimer({ hours: 1 });
  const event = ctx.waitForEvent<string>("news"); // what was raised during the hour is gone
  const message = ctx.dequeue<string>("mail"); // what was queued during the hour is here
  const winner = await ctx.race([event, message, ctx.scheduleTimer({ hours: 1 })]);
  return [winner.index, winner.value];
});
// #endregion

await onStage({ orchestrations: [busyFirst] }, async (stage) => {
  const handle = await stage.client.start(busyFirst);
  await stage.settle();
  await handle.raise("news", "raised early");
  await handle.enqueue("mail", "queued early");
  deepEqual(await stage.finish(handle), [1, "queued early"]);
});

const remindings: string[] = [];
const nag = activity("nag", async (ctx) => remindings.push(ctx.instanceId));

// #region deadline
const nagUntilDone = orchestration("nagUntilDone", async (ctx) => {
  const done = ctx.waitForEvent("done");
  for (let reminders = 0; reminders < 3; reminders++) {
    const winner = await ctx.race([done, ctx.scheduleTimer({ days: 1 })], { keep: true });
    if (winner.index === 0) return `done after ${reminders} reminders`;
    await ctx.scheduleActivity(nag);
  }
  return "given up";
});
// #endregion

await onStage({ activities: [nag], orchestrations: [nagUntilDone] }, async (stage) => {
  const handle = await stage.client.start(nagUntilDone);
  await stage.advance(25 * HOUR_MS);
  await handle.raise("done");
  equal(await stage.finish(handle), "done after 1 reminders");
  equal(remindings.length, 1);
});
