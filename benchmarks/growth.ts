/**
 * Measures what grows with a SQLite file: many ended and 100,000 waiting instances beside an empty file, one instance of
 * 100,000 events, and hellos for a while with retention. A store without such growth has ratios of 1, a step as quick as
 * in a short history, and a file and a memory that stay as they are.
 */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { activity, Client, orchestration, Runtime, sleep, systemClock } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";
import { percentile, round } from "./figures.ts";
import { fillWithInstances } from "./million-instances.ts";
import { activities, orchestrations, ticks } from "./workloads.ts";

const CALLS = 200;
const FAR_MS = Date.UTC(2100, 0, 1);

/** Compares a file of so many instances, a multiple of 200, with an empty one. */
export async function measureGrowth(instances: number): Promise<readonly object[]> {
  const empty = await figuresOf(0);
  const full = await figuresOf(instances);
  return Object.entries(full).map(([what, value]) => {
    const before = empty[what] ?? 0;
    return {
      workload: "growth",
      instances,
      what,
      empty: before,
      full: value,
      ...(before > 0 && { ratio: round(value / before) }),
    };
  });
}

/** Sizes in MB, times in ms: medians of calls one after the other. */
async function figuresOf(instances: number): Promise<Readonly<Record<string, number>>> {
  return withFile(async (path) => {
    if (instances > 0) await fill(path, instances);
    const figures: Record<string, number> = {};
    const openedMs = performance.now();
    await using provider = await SqliteProvider.open(path);
    figures["open, ms"] = round(performance.now() - openedMs);
    figures["size, MB"] = round(statSync(path).size / 1e6);
    await using _runtime = await Runtime.start({ provider, activities, orchestrations });
    const client = new Client(provider);
    const timed = async (what: string, times: number, call: (n: number) => Promise<unknown>) => {
      const takenMs: number[] = [];
      for (let n = 0; n < times; n++) {
        const sinceMs = performance.now();
        await call(n);
        takenMs.push(performance.now() - sinceMs);
      }
      figures[`${what}, ms`] = round(percentile(takenMs, 50));
    };
    const run = async (name: string, instanceId: string): Promise<void> => {
      await (await client.start(name, { instanceId, input: instanceId })).result();
    };
    await timed("hello", CALLS, (n) => run("hello", `hello-${n}`));
    await timed("a sequence of ten steps", CALLS, (n) => run("sequence", `sequence-${n}`));
    const { admin } = client;
    await timed("first page of the list", CALLS, () => admin.query({}));
    await timed("first page of those that run", CALLS, () =>
      admin.query({ filter: { status: ["Running"] } }),
    );
    await timed("running metrics", 20, () => admin.runningMetrics());
    await timed("queue depths", 20, () => admin.queueDepths());
    await timed("metrics", 20, () => admin.metrics());
    await timed("a count by status", 5, () => admin.count({}, ["status"]));
    return figures;
  });
}

/** The timers of the waiting instances are due in the far future. */
async function fill(path: string, instances: number): Promise<void> {
  await fillWithInstances(path, instances);
  using db = new DatabaseSync(path);
  db.exec(`UPDATE orchestrator_queue SET visible_at = ${FAR_MS}, order_at = ${FAR_MS}`);
}

const PAIRS = 50_000;
const MORE_STEPS = 500;

const tick = activity("tick", async (_ctx, n: number) => {
  ticks.push(performance.now());
  return n;
});
const long = orchestration("long history", async (ctx) => {
  for (let n = 0; n < PAIRS; n++) await ctx.scheduleActivity(tick, n);
  await ctx.dequeue("go");
  for (let n = 0; n < MORE_STEPS; n++) await ctx.scheduleActivity(tick, n);
});

/** The events of so many activities, one after the other, and no message. */
const HISTORY = `
INSERT INTO instances (instance_key, instance_id, orchestration_name, orchestration_version, execution_id, status,
    last_event_id, created_at, updated_at) VALUES (1, 'long', 'long history', '1.0.0', 1, 'Running', ${2 * PAIRS + 1}, 1, 1);
INSERT INTO executions (instance_key, execution_id, status, started_at) VALUES (1, 1, 'Running', 1);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${2 * PAIRS + 1})
INSERT INTO history (instance_key, execution_id, event_id, event)
  SELECT 1, 1, i, json_patch(json_object('event_id', i, 'source_event_id', NULL, 'instance_id', 'long', 'execution_id', 1,
      'timestamp_ms', 1, 'duroxide_version', '0.1.32'),
    CASE WHEN i = 1 THEN '{"type":"OrchestrationStarted","name":"long history","version":"1.0.0","input":"null"}'
      WHEN i % 2 = 0 THEN json_object('type', 'ActivityScheduled', 'name', 'tick', 'input', CAST(i / 2 - 1 AS TEXT))
      ELSE json_object('type', 'ActivityCompleted', 'source_event_id', i - 1, 'result', CAST(i / 2 - 1 AS TEXT)) END)
  FROM n;
UPDATE totals SET instances = 1, running = 1;
`;

export async function measureLongHistory(): Promise<readonly object[]> {
  return withFile(async (path) => {
    await (await SqliteProvider.open(path)).close();
    {
      using db = new DatabaseSync(path);
      db.exec(`BEGIN; ${HISTORY} COMMIT`);
    }
    await using provider = await SqliteProvider.open(path);
    await using _runtime = await Runtime.start({ provider, activities: [tick], orchestrations: [long] });
    const handle = new Client(provider).handle(long, "long");
    ticks.length = 0;
    const sinceMs = performance.now();
    await handle.enqueue("go", null);
    await handle.result({ timeout: { minutes: 2 } });
    const [first = 0, last = 0] = [ticks[0], ticks.at(-1)];
    return [
      {
        workload: "long-history",
        events: 2 * PAIRS + 1,
        first_turn_ms: round(first - sinceMs),
        further_step_ms: round((last - first) / (MORE_STEPS - 1)),
        memory_mb: Math.round(process.memoryUsage().rss / 1e6),
      },
    ];
  });
}

const OUTSTANDING = 100;
const SAMPLES = 6;

/** Hellos as quickly as they go; what ended two seconds ago is deleted. */
export async function measureRetention(minutes: number): Promise<readonly object[]> {
  return withFile(async (path) => {
    await using provider = await SqliteProvider.open(path);
    const retention = { completed: { seconds: 2 }, interval: { seconds: 1 } };
    await using _runtime = await Runtime.start({ provider, activities, orchestrations, retention });
    const client = new Client(provider);
    let done = 0;
    let isOver = false;
    const lane = async (number: number): Promise<void> => {
      for (let n = 0; !isOver; n++, done++)
        await (await client.start("hello", { instanceId: `${number}-${n}`, input: "you" })).result();
    };
    const lanes = Array.from({ length: OUTSTANDING }, (_, number) => lane(number));
    const samples: object[] = [];
    for (let at = 1; at <= SAMPLES; at++) {
      await sleep(systemClock, (minutes * 60_000) / SAMPLES);
      samples.push({
        workload: "retention",
        after_s: round((at * minutes * 60) / SAMPLES),
        orchestrations: done,
        stored: (await client.admin.metrics()).totalInstances,
        file_mb: Math.round(statSync(path).size / 1e6),
        memory_mb: Math.round(process.memoryUsage().rss / 1e6),
      });
    }
    isOver = true;
    await Promise.all(lanes);
    return samples;
  });
}
