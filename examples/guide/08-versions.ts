/** docs/guide/08-versions-and-deployments.md */
import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { type AnyOrchestration, activity, orchestration } from "@duroxide-ts/core";
import { ReplayDivergenceError, replay } from "@duroxide-ts/core/testing";
import { onStage } from "./stage.ts";

const charge = activity("charge", async (_ctx, cents: number) => `charged ${cents}`);
const log = activity("log", async (_ctx, line: string) => line);

// #region versions
const bill = orchestration("bill", async (ctx, cents: number) => {
  await ctx.waitForEvent("approved");
  return ctx.scheduleActivity(charge, cents);
});

const bill2 = orchestration("bill", { version: "2.0.0" }, async (ctx, cents: number) => {
  await ctx.scheduleActivity(log, `asking for ${cents}`); // a new first step
  await ctx.waitForEvent("approved");
  return ctx.scheduleActivity(charge, cents);
});
// #endregion

await onStage({ activities: [charge, log], orchestrations: [bill] }, async (stage) => {
  const { client } = stage;
  const old = await client.start(bill, { instanceId: "old", input: 100 });
  await stage.settle();
  // #region deploy
  await stage.restart({ activities: [charge, log], orchestrations: [bill, bill2] });
  const fresh = await client.start(bill, { instanceId: "fresh", input: 200 }); // runs 2.0.0, the newest
  const pinned = await client.start(bill, { instanceId: "pinned", input: 300, version: "1.0.0" });
  // #endregion
  await stage.settle();
  for (const handle of [old, fresh, pinned]) await handle.raise("approved");
  for (const handle of [old, fresh, pinned]) await stage.finish(handle);
  const versions = [];
  for (const id of ["old", "fresh", "pinned"]) {
    versions.push((await client.admin.info(id)).orchestrationVersion);
  }
  deepEqual(versions, ["1.0.0", "2.0.0", "1.0.0"]);
  // #region policy
  await stage.restart({
    activities: [charge, log],
    orchestrations: [bill, bill2],
    versionPolicies: { bill: { exact: "1.0.0" } }, // 2.0.0 is known, but not started yet
  });
  // #endregion
  await client.start(bill, { instanceId: "careful", input: 400 });
  await stage.settle();
  equal((await client.admin.info("careful")).orchestrationVersion, "1.0.0");
});

const poll = orchestration("poll", async (ctx, round: number): Promise<string> => {
  await ctx.scheduleTimer({ hours: 1 });
  return ctx.continueAsNew(poll, round + 1); // no version: the next execution takes the newest
});

const poll2 = orchestration(
  "poll",
  { version: "2.0.0" },
  async (_ctx, round: number) => `2.0.0, round ${round}`,
);

await onStage({ orchestrations: [poll] }, async (stage) => {
  const run = await stage.client.start(poll, { instanceId: "p", input: 1 });
  await stage.settle();
  await stage.restart({ orchestrations: [poll, poll2] });
  equal(await stage.finish(run), "2.0.0, round 2");
});

// #region broken
const changed = orchestration("bill", async (ctx, cents: number) => {
  await ctx.scheduleActivity(log, `asking for ${cents}`); // still called 1.0.0
  await ctx.waitForEvent("approved");
  return ctx.scheduleActivity(charge, cents);
});
// #endregion

await onStage({ activities: [charge, log], orchestrations: [bill] }, async (stage) => {
  const { client } = stage;
  const run = await client.start(bill, { instanceId: "bill-1", input: 100 });
  await stage.settle();
  const orchestrations: AnyOrchestration[] = [bill, bill2];
  // #region replay
  const history = await client.admin.history("bill-1");
  const summary = await replay(history, { orchestrations }); // rejects where code and history part
  const next = summary.executions[0]?.next; // what the code would do next; [] where it only waits
  // #endregion
  deepEqual(next, []);
  const verdict = replay(history, { orchestrations: [changed] });
  await rejects(verdict, ReplayDivergenceError);
  await stage.restart({ activities: [charge, log], orchestrations: [changed] });
  await run.raise("approved");
  await stage.settle();
  const lines: string[] = [];
  // #region blocked
  const status = await run.status(); // of one instance
  if ("blocked" in status) for (const { detail } of status.blocked ?? []) lines.push(detail);

  for await (const { instanceId, activity, reason, sinceMs } of client.admin.blocked()) {
    lines.push(`${instanceId} ${activity?.name ?? ""}: ${reason} since ${new Date(sinceMs).toISOString()}`);
  } // of all, longest first
  // #endregion
  equal(status.status, "Running");
  match(lines[0] ?? "", /^nondeterministic: /);
  match(lines[0] ?? "", /the code asks for activity "log" with input "asking for 100"/);
  match(lines[0] ?? "", /history has event 2 ExternalSubscribed/);
  match(lines[1] ?? "", /^bill-1 : nondeterminism since /);
  equal((await client.admin.metrics()).blockedWork, 1);

  await stage.restart({ activities: [charge, log], orchestrations: [bill2] }); // version 1.0.0 is forgotten
  await stage.advance(60_000);
  const forgotten = await run.status();
  equal(
    "blocked" in forgotten && forgotten.blocked?.[0]?.detail,
    'orchestration "bill" 1.0.0 is not registered here, only 2.0.0; register this version as well',
  );
  await stage.restart({ activities: [log], orchestrations: [bill, bill2] }); // now an activity is missing
  await stage.advance(60_000);
  const withoutActivity = await run.status();
  equal("blocked" in withoutActivity && withoutActivity.blocked?.[0]?.reason, "missing-activity");
  await stage.restart({ activities: [charge, log], orchestrations: [bill, bill2] });
  equal(await stage.finish(run), "charged 100");
});

await onStage({ activities: [charge, log], orchestrations: [bill] }, async (stage) => {
  const run = await stage.client.start(bill, { instanceId: "bill-2", input: 100 });
  await stage.settle();
  await stage.restart({
    activities: [charge, log],
    orchestrations: [changed],
    onNondeterminism: "fail", // the instance fails at once
    onMissingHandler: "fail", // poison after maxAttempts, about five minutes by default
  });
  await run.raise("approved");
  match((await stage.failure(run)).message, /^nondeterministic: /);
});

await onStage({ activities: [charge, log], orchestrations: [bill] }, async (stage) => {
  const run = await stage.client.start(bill, { instanceId: "bill-3", input: 100 });
  await stage.settle();
  await stage.restart({ activities: [charge, log], orchestrations: [changed] });
  await run.raise("approved");
  await stage.settle();
  await run.cancel("not needed any more");
  equal((await stage.failure(run)).message, "canceled: not needed any more");
});

const early = orchestration("bill", async (ctx, cents: number) => {
  if (cents < 1_000) return "too small"; // running instances wait for an approval, says their history
  await ctx.waitForEvent("approved");
  return ctx.scheduleActivity(charge, cents);
});

await onStage({ activities: [charge], orchestrations: [bill] }, async (stage) => {
  await stage.client.start(bill, { instanceId: "bill-4", input: 100 });
  await stage.settle();
  const history = await stage.client.admin.history("bill-4");
  await rejects(replay(history, { orchestrations: [early] }), ReplayDivergenceError);
});

// #region patched
const patched = orchestration("bill", async (ctx, cents: number) => {
  if (ctx.patched("log-first")) await ctx.scheduleActivity(log, `asking for ${cents}`);
  await ctx.waitForEvent("approved");
  return ctx.scheduleActivity(charge, cents);
});
// #endregion

await onStage({ activities: [charge, log], orchestrations: [bill] }, async (stage) => {
  const { client } = stage;
  const old = await client.start(bill, { instanceId: "old", input: 100 });
  await stage.settle();
  await stage.restart({ activities: [charge, log], orchestrations: [patched] });
  const fresh = await client.start(bill, { instanceId: "fresh", input: 200 });
  await stage.settle();
  for (const run of [old, fresh]) {
    await run.raise("approved");
    await stage.finish(run);
  }
  const calls = async (id: string) =>
    (await client.admin.history(id)).filter(({ type }) => type === "ActivityScheduled").length;
  deepEqual([await calls("old"), await calls("fresh")], [1, 2]);
});
