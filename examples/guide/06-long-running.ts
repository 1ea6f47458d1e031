/** docs/guide/06-long-running.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, key, orchestration, queue } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const HOUR_MS = 3_600_000;

const cleaned: number[] = [];
const cleanUp = activity("cleanUp", async (_ctx, round: number) => {
  cleaned.push(round);
});

// #region eternal
const nightly = orchestration("nightly", async (ctx, round: number): Promise<never> => {
  await ctx.scheduleActivity(cleanUp, round);
  await ctx.scheduleTimer({ hours: 24 });
  return ctx.continueAsNew(nightly, round + 1);
});
// #endregion

await onStage({ activities: [cleanUp], orchestrations: [nightly] }, async (stage) => {
  const { client } = stage;
  const run = await client.start(nightly, { instanceId: "nightly", input: 1 });
  await stage.advance(49 * HOUR_MS);
  deepEqual(cleaned, [1, 2, 3]);
  const status = await run.status();
  equal(status.status === "Running" && status.executionId, 3);
  deepEqual(await client.admin.executions("nightly"), [1, 2, 3]);
  // #region prune
  const pruned = await client.admin.prune("nightly", { keepLast: 2 });
  // #endregion
  equal(pruned.executionsDeleted, 1);
  deepEqual(await client.admin.executions("nightly"), [2, 3]);
  // #region stop
  await run.cancel("no longer needed");
  // #endregion
  equal((await stage.failure(run)).message, "canceled: no longer needed");
});

const ran: string[] = [];
const report = activity("report", async (_ctx, dueMs: number) => {
  ran.push(new Date(dueMs).toISOString());
});

// #region cron
const reports = orchestration("reports", async (ctx): Promise<never> => {
  await ctx.scheduleTimer({ cron: "0 3 * * *", timezone: "Europe/Berlin" });
  await ctx.scheduleActivity(report, ctx.now());
  return ctx.continueAsNew(reports);
});
// #endregion

await onStage({ activities: [report], orchestrations: [reports] }, async (stage) => {
  await stage.client.start(reports, { instanceId: "reports" });
  await stage.advance(24 * HOUR_MS);
  await stage.advance(24 * HOUR_MS);
  equal(ran.length, 2);
  equal(
    ran.every((due) => /T0[12]:00:00.000Z$/.test(due)),
    true,
  );
});

// #region mailbox
const deposits = queue<number>("deposits");
const balance = key<number>("balance");

const account = orchestration("account", async (ctx): Promise<never> => {
  for (let handled = 0; handled < 100; handled++) {
    const amount = await ctx.dequeue(deposits);
    ctx.kv.set(balance, (ctx.kv.get(balance) ?? 0) + amount);
  }
  return ctx.continueAsNew(account);
});
// #endregion

await onStage({ orchestrations: [account] }, async (stage) => {
  const run = await stage.client.start(account, { instanceId: "account-1" });
  await stage.settle();
  for (let n = 0; n < 250; n++) await run.enqueue(deposits, 1);
  await stage.settle();
  equal(await run.get(balance), 250);
  const status = await run.status();
  equal(status.status === "Running" && status.executionId, 3);
});

// #region carried
interface Progress {
  readonly done: number;
  readonly total: number;
}

const batch = orchestration("batch", async (ctx, { done, total }: Progress): Promise<string> => {
  const end = Math.min(done + 50, total);
  await ctx.all(Array.from({ length: end - done }, (_, n) => ctx.scheduleActivity(cleanUp, done + n)));
  ctx.setCustomStatus({ done: end, total });
  if (end < total) return ctx.continueAsNew(batch, { done: end, total });
  return `${total} done`;
});
// #endregion

await onStage({ activities: [cleanUp], orchestrations: [batch] }, async (stage) => {
  const run = await stage.client.start(batch, { instanceId: "b", input: { done: 0, total: 120 } });
  equal(await stage.finish(run), "120 done");
  deepEqual(await stage.client.admin.executions("b"), [1, 2, 3]);
  // #region stats
  const stats = await run.stats(); // of the current execution
  const events = stats?.historyEventCount ?? 0;
  const bytes = stats?.historySizeBytes ?? 0;
  // #endregion
  equal(events, 43);
  equal(bytes > 1_000, true);
});
