/** No operation's cost grows with the backlog, waiting timers, other instances or old executions. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  ack,
  activity,
  completion,
  continueAsNew,
  createInstance,
  eventOf,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  queueMessage,
  raised,
  scheduled,
  startItem,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileFixture, openFile } from "./support/fixture.ts";

/** Every statement that the provider prepared while all its methods were used. */
const statements = new Set<string>();

let store: FileFixture;

beforeAll(async () => {
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  try {
    store = await openFile();
    await useEverything(store);
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
});

afterAll(() => store[Symbol.asyncDispose]());

function planOf(sql: string): string[] {
  const plan = store.openRaw().prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  return plan.map(({ detail }) => detail);
}

/** They count entries of an index, or need one row in any order, or their table has one row or hardly any. */
const MAY_SCAN = [
  /^SELECT count\(\*\) AS dead FROM dead_letters$/,
  /^SELECT coalesce\(sum\(\(SELECT count\(\*\) FROM orchestrator_queue/,
  /^SELECT count\(\*\) AS depth FROM orchestrator_queue WHERE visible_at > \?$/,
  /^SELECT\s+\(SELECT count\(\*\) FROM worker_queue WHERE due_at = 0/,
  /^SELECT instance_id FROM instances WHERE orchestration_name IS NOT NULL\s+ORDER BY instances.instance_key LIMIT \?$/,
  /^SELECT 1 FROM worker_queue WHERE due_at = 0 AND session_id IS NOT NULL LIMIT 1$/,
  /^SELECT EXISTS \(SELECT 1 FROM limit_queues WHERE held = 0\)/,
  /^SELECT w\.id, w\.priority, w\.queued_at FROM \(VALUES/,
  /^SELECT limit_key, rule, per_ms, changed_at, changed_by, reason FROM limits WHERE rule IS NOT NULL ORDER BY/,
  /\btotals\b/,
  /sqlite_schema/,
];

/** Instances that a list names, those of a page, few candidates of one, and those of a tag that are deleted or pruned. */
const MAY_SORT = /FROM json_each\(\?\) AS (listed|candidates|page)|^SELECT instance_id FROM instance_tags/;

async function leaveWork(file: FileFixture): Promise<void> {
  await createInstance(file, "left", { workerItems: [activity("left", 2)] });
  await file.provider.enqueueForOrchestrator(raised("left", "e"));
  await fetchOrchestration(file, { orchestrations: new Set(["Other"]) });
  await ack(file, await mustFetch(file, { orchestrations: new Set(["TestOrch"]) }));
  await fetchWork(file, { activities: new Set(["other"]) });
  const work = await fetchWork(file, { activities: new Set(["work"]) });
  await file.provider.ackWorkItem(work?.lockToken ?? "");
}

/** Two keys under a first level with a rule, each with more work than may begin. */
async function useLimits(file: FileFixture): Promise<void> {
  const { limits } = file.provider;
  const rate = { max: 1, per: { hours: 1 }, burst: 3 };
  await limits.setLimit("k", { rule: { concurrency: 2, rate }, perMs: 3_600_000, applied: "code" });
  await limits.setLimit("k/*", { rule: { concurrency: 1 }, perMs: 0 });
  const items = [2, 3, 4, 5].map((id) => activity("limited", id, { limit: id % 2 === 0 ? "k/a" : "k/b" }));
  await createInstance(file, "limited", { workerItems: [...items, activity("limited", 6, { priority: 1 })] });
  const first = await fetchWork(file);
  const second = await fetchWork(file, { tagFilter: { kind: "any" } });
  await fetchWork(file);
  await file.provider.ackWorkItem(first?.lockToken ?? "");
  await file.provider.abandonWorkItem(second?.lockToken ?? "");
  await fetchWork(file);
  const start = startItem("debounced");
  const held = { ifExists: "restart", messages: [], debounce: { waitMs: 3_600_000_000 } } as const;
  await file.provider.startInstance(start, held);
  await file.provider.startInstance(start, held);
  await limits.listLimits();
  await limits.readLimit("k/a");
  await file.provider.admin.listWork();
  await file.clock.advance(60_000);
  await fetchWork(file);
  await file.provider.admin.deleteInstance("limited", { force: true });
}

/** Two deliveries of an activity, and code, that write more than their streams keep. */
async function useStreams(file: FileFixture): Promise<void> {
  const { provider } = file;
  const bounds = { maxItems: 1, maxBytes: 100 };
  const change = { stream: "s", values: ["a", "b"], close: false, bounds };
  await createInstance(file, "streams", { workerItems: [activity("streams", 2)], streams: [change] });
  const { lockToken } = (await fetchWork(file)) ?? { lockToken: "" };
  for (const delivery of ["d1", "d2"]) {
    const writer = { call: "2", name: "work", delivery, leastAttempt: 1, written: 0, lockToken };
    await provider.appendStream({
      ...change,
      bounds: { ...bounds, maxItems: 3 },
      instanceId: "streams",
      writer,
    });
  }
  const writer = { call: "2:2", name: "work", delivery: "d", leastAttempt: 1, lockToken };
  for (const value of ["a", "b"])
    await provider.reportProgress({ instanceId: "streams", executionId: 2, value, writer });
  await provider.readProgress("streams");
  await provider.readProgress("streams", "2:2");
  await provider.readStream({ instanceId: "streams", stream: "s", from: 0 });
  await provider.enqueueForOrchestrator(startItem("waits"), 3_600_000_000);
  await provider.readStream({ instanceId: "waits", stream: "s", from: 0 });
  await provider.admin.deleteInstance("streams", { force: true });
}

async function useEverything(file: FileFixture): Promise<void> {
  const { provider, clock } = file;
  const { admin } = provider;
  const kv = [
    eventOf("KeyValueSet", "i", 10, { key: "k", value: "v", last_updated_at_ms: 1 }),
    eventOf("KeyValueCleared", "i", 11, { key: "k" }),
    eventOf("KeyValuesCleared", "i", 12, {}),
    eventOf("CustomStatusUpdated", "i", 13, { status: "s" }),
  ];
  await provider.enqueueForOrchestrator(queueMessage("unknown", "q"));
  await provider.enqueueForOrchestrator(raised("stray", "e"));
  await fetchOrchestration(file);
  await leaveWork(file);
  await useLimits(file);
  await useStreams(file);
  await createInstance(file, "i", { workerItems: [activity("i", 2)], historyDelta: kv });
  await provider.enqueueForWorker(activity("i", 3, { session_id: "s", tag: "t" }));
  await provider.enqueueForOrchestrator(startItem("other"), 60_000);
  const session = { ownerId: "o", lockTimeoutMs: 1_000 };
  for (const kind of ["default-only", "any"] as const) {
    const work = await fetchWork(file, { session, tagFilter: { kind } });
    if (work === undefined) continue;
    await provider.renewWorkItemLock(work.lockToken, 1_000);
    await provider.abandonWorkItem(work.lockToken, { delayMs: 10 });
  }
  await provider.renewSessionLocks({ ownerIds: ["o"], extendMs: 1_000, idleTimeoutMs: 1_000 });
  await clock.advance(10);
  const work = await fetchWork(file);
  await provider.ackWorkItem(work?.lockToken ?? "", completion("i", 2));
  const fetched = await mustFetch(file);
  await provider.renewOrchestrationItemLock(fetched.lockToken, 1_000, { alone: true });
  const blocked = { reason: "nondeterminism", detail: "d" } as const;
  await provider.abandonOrchestrationItem(fetched.lockToken, { blocked });
  await ack(file, await mustFetch(file), {
    historyDelta: [scheduled("i", 5)],
    cancelledActivities: [{ instanceId: "i", executionId: 1, activityId: 9 }],
  });
  await continueAsNew(file, "i", 2);
  await turn(file, "i", { executionId: 1, historyDelta: [scheduled("i", 6)] });
  await provider.appendHistory("i", 2, [scheduled("i", 7)]);
  for (let n = 0; n < 200; n++) {
    await provider.enqueueForOrchestrator(raised("i", "e"), 0, { messageId: `message-${n}` });
  }
  await provider.enqueueForOrchestrator(raised("new", "e"), 0, { messageId: "message" });
  const fewer = await mustFetch(file);
  const many = Array.from({ length: 1_100 }, () => raised("i", "e"));
  await ack(file, fewer, { orchestratorItems: many, returnedMessages: [queueMessage("i", "q")] });
  await ack(file, await mustFetch(file));
  (await provider.admin.listBlocked({ instanceId: "i" })).blocked;
  await admin.listBlocked();
  await provider.getInstanceStatus("i");
  await provider.getInstanceStats("i");
  (await provider.getKvValues("i", "k")).get("k");
  await provider.getKvValues("i");
  await provider.readHistory("i");
  await admin.queryInstances();
  await admin.queryInstances({ filter: { status: ["Running"] } });
  for (const order of ["created-asc", "updated-desc"] as const) {
    await admin.queryInstances({ filter: { tags: { tenant: "acme" } }, order });
    await admin.queryInstances({ filter: { tags: { tenant: "acme", n: 1 }, status: ["Running"] }, order });
    await admin.queryInstances({ filter: { tags: { n: { gte: 1 } } }, order });
  }
  await admin.countInstances({ tags: { tenant: "acme", n: { lt: 2 } } });
  await admin.countInstances({}, ["status"]);
  await admin.deleteInstances({ tags: { tenant: "acme" } });
  await admin.pruneInstances({ tags: { n: { gte: 2 } } }, {});
  await admin.listExecutions("i");
  await admin.getInstanceInfo("i");
  await admin.listExecutions("i", 1);
  await admin.getSystemMetrics();
  await admin.getQueueDepths();
  await admin.pruneInstances({ instanceIds: ["i"] }, {});
  await admin.pruneInstances({}, {});
  await admin.pruneInstances({ completedBeforeMs: 1 }, {});
  await admin.pruneInstances({ instanceIds: ["i"] }, {});
  await admin.deleteInstances({});
  await admin.deleteInstance("i", { force: true });
  await clock.advance(60_000);
  await provider.cleanupOrphanedSessions();
  const waiting = [fetchWork(file, { session, pollTimeoutMs: 10 }), fetchOrchestration(file)];
  await clock.advance(10);
  await Promise.all(waiting);
}

describe("every statement", () => {
  it("finds its rows through an index", () => {
    const planned = [...statements].filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql));
    expect(planned.length).toBeGreaterThan(60);
    const scans = planned
      .filter((sql) => !MAY_SCAN.some((allowed) => allowed.test(sql)))
      .flatMap((sql) => planOf(sql).map((detail) => `${detail}: ${sql}`))
      .filter((line) =>
        /^SCAN (?!pins|names|lanes|page|listed|candidates|json_each|waiting|owner|live|CONSTANT)/.test(line),
      );
    expect(scans).toEqual([]);
  });

  it("that returns the first few rows reads them in their order", () => {
    const limited = [...statements].filter((sql) => /\bORDER BY\b/.test(sql) && /\bLIMIT\b/.test(sql));
    expect(limited.length).toBeGreaterThan(6);
    const sorts = limited.filter((sql) => planOf(sql).some((detail) => detail.includes("TEMP B-TREE")));
    expect(sorts.filter((sql) => !MAY_SORT.test(sql))).toEqual([]);
  });
});
