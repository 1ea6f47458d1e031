/** docs/guide/10-workers.md */
import { deepEqual, equal, rejects } from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { onStage } from "./stage.ts";

const work = activity("work", async (_ctx, n: number) => n * 2);
const job = orchestration("job", async (ctx, n: number) => ctx.scheduleActivity(work, n));

// #region service
/** A worker process: runs until it is told to stop. */
export async function serve(file: string): Promise<void> {
  await using provider = await SqliteProvider.open(file);
  const runtime = await Runtime.start({ provider, activities: [work], orchestrations: [job] });
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
  await runtime.shutdown({ graceMs: 20_000 }); // less than what the platform gives before it kills
}
// #endregion

const folder = await mkdtemp(path.join(tmpdir(), "duroxide-ts-guide-"));
// #region several
const file = path.join(folder, "jobs.db");
const [first, second] = [await SqliteProvider.open(file), await SqliteProvider.open(file)];
const handlers = { activities: [work], orchestrations: [job] };
const runtimes = [
  await Runtime.start({ provider: first, ...handlers, workerConcurrency: 8 }),
  await Runtime.start({ provider: second, ...handlers, workerConcurrency: 8 }), // another process, as a rule
];
const handle = await new Client(first).start(job, { input: 21 });
const result = await handle.result(); // 42, whichever of them did the work
// #endregion
equal(result, 42);
for (const runtime of runtimes) await runtime.shutdown();
for (const provider of [first, second]) await provider[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });

const ranOn: string[] = [];
// #region tags
const transcode = activity("transcode", async (_ctx, film: string) => `${film}, transcoded`);

const publish = orchestration("publish", async (ctx, film: string) => {
  const winner = await ctx.race([
    ctx.scheduleActivity(transcode, film, { tag: "gpu" }),
    ctx.scheduleTimer({ hours: 1 }), // perhaps no worker has the tag
  ]);
  return winner.index === 0 ? winner.value : "no worker with a GPU";
});
// #endregion

await onStage({ activities: [transcode], orchestrations: [publish] }, async (stage) => {
  const { client } = stage;
  equal(await stage.finish(await client.start(publish, { input: "film" })), "no worker with a GPU");
  const onGpu = transcode.mock(async (ctx, film) => {
    ranOn.push(ctx.tag ?? "none");
    return film;
  });
  const gpu = await stage.join({
    activities: [onGpu],
    // #region tag-filter
    workerTagFilter: { kind: "tags", tags: ["gpu"] },
    // #endregion
  });
  equal(await stage.finish(await client.start(publish, { input: "film" })), "film");
  deepEqual(ranOn, ["gpu"]);
  await gpu.shutdown({ graceMs: 0 });
});

// #region session
const open = new Map<string, string[]>(); // lives in one process

const append = activity("append", async (ctx, line: string) => {
  const session = ctx.sessionId ?? "";
  const lines = open.get(session) ?? [];
  open.set(session, [...lines, line]);
  return lines.length + 1;
});

const transcript = orchestration("transcript", async (ctx, lines: string[]) => {
  const session = `transcript/${ctx.instanceId}`;
  let count = 0;
  for (const line of lines) count = await ctx.scheduleActivity(append, line, { session });
  return count;
});
// #endregion

await onStage(
  { activities: [append], orchestrations: [transcript], workerNodeId: "node-1" },
  async (stage) => {
    equal(await stage.finish(await stage.client.start(transcript, { input: ["a", "b", "c"] })), 3);
  },
);

// #region misconfigured
const twice = Runtime.start({ provider: await SqliteProvider.open(":memory:"), activities: [work, work] });
await rejects(twice, { code: "configuration", message: /registered twice/ });
// #endregion

const unknown = orchestration("unknown", async (ctx) => {
  await ctx.scheduleActivity("nowhere");
});
await onStage({ orchestrations: [unknown] }, async (stage) => {
  const run = await stage.client.start(unknown);
  await stage.advance(3_600_000);
  const status = await run.status();
  equal("blocked" in status && status.blocked?.[0]?.reason, "missing-activity");
});
