/**
 * Calls of the provider that together send every query that it has. A test compares the queries that leave with the
 * texts in the sources, so a new query that no call here sends fails the test.
 */

import type { InstanceFilter, WorkerReport } from "@duroxide-ts/core/stores";
import {
  activity,
  complete,
  continueAsNew,
  createInstance,
  eventOf,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  queueMessage,
  raised,
  scheduled,
  started,
  startItem,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import type { CosmosProvider } from "../../src/provider.ts";

interface Caller {
  readonly provider: CosmosProvider;
  readonly lockMs: number;
}

/** More messages than the first page of a turn holds. */
const MANY_MESSAGES = 70;
const SHORT_MS = 1_000;
/** More events than a batch holds. */
const MANY_EVENTS = 150;
/** More steps, and more that begin again, than the record of a stream has. */
const MANY_STEPS = 102;
const MANY_RESTARTS = 52;

export const REPORT: WorkerReport = {
  host: "check",
  pid: 1,
  startedAtMs: 1,
  packageVersion: "0",
  orchestrations: [],
  activities: [],
  turns: { busy: 0, all: 1 },
  activitySlots: { busy: 0, all: 1 },
};

/** `provider` alone on its container, which keeps what is stored. */
export async function askEverything(provider: CosmosProvider): Promise<void> {
  const caller: Caller = { provider, lockMs: 30_000 };
  await turnsAndHistories(caller);
  await waitsAndTimers(caller);
  await keysAndValues(caller);
  await activitiesAndSessions(caller);
  await limitsAndPriorities(caller);
  await streamsAndProgress(caller);
  await administration(caller);
  await leftForQueries(caller);
}

async function turnsAndHistories(caller: Caller): Promise<void> {
  const { provider } = caller;
  await createInstance(caller, "staged");
  await turn(caller, "staged", {
    historyDelta: Array.from({ length: MANY_EVENTS }, (_, n) => scheduled("staged", n + 2)),
  });
  for (const times of [1, 2]) {
    const first = 2 + times * MANY_EVENTS;
    const events = Array.from({ length: MANY_EVENTS }, (_, n) => scheduled("staged", first + n));
    await provider.appendHistory("staged", 1, events);
  }
  await provider.readHistory("staged");
  await provider.readHistory("staged", 1);
  await continueAsNew(caller, "staged", 2);
  // Histories without records of their executions, as another process may leave them.
  await provider.appendHistory("imported", 1, [started("imported", 1), scheduled("imported", 2)]);
  await provider.appendHistory("imported", 2, [started("imported", 2)]);
  for (const execution of [1, 2]) await provider.admin.listExecutions("imported", execution).catch(() => {});
  await provider.admin
    .pruneInstances({ instanceIds: ["imported"] }, { completedBeforeMs: Date.now() })
    .catch(() => {});
}

async function waitsAndTimers(caller: Caller): Promise<void> {
  const { provider } = caller;
  const timers = [2, 3, 4].map((timerId) => ({ executionId: 1, timerId, fireAtMs: Date.now() + 86_400_000 }));
  await createInstance(caller, "waits", { historyDelta: [scheduled("waits", 5)] });
  await turn(caller, "waits", { droppedTimers: timers });
  await provider.changedInstances(["waits", "kv"], 0);
  await provider.hasBegun({ instanceId: "waits", executionId: 1, activityId: 5 });
}

async function keysAndValues(caller: Caller): Promise<void> {
  const { provider } = caller;
  const set = (eventId: number) =>
    eventOf("KeyValueSet", "kv", eventId, { key: "a", value: "1", last_updated_at_ms: Date.now() });
  await createInstance(caller, "kv", { historyDelta: [set(2)] });
  await turn(caller, "kv", { historyDelta: [set(3)] });
  (await provider.getKvValues("kv", "a")).get("a");
  await provider.getKvValues("kv");
  await provider.getInstanceStats("kv");
  await complete(caller, "kv");
  await createInstance(caller, "kept", { historyDelta: [{ ...set(2), instance_id: "kept" }] });
  await continueAsNew(caller, "kept", 2);
}

async function activitiesAndSessions(caller: Caller): Promise<void> {
  const { provider } = caller;
  const session = { ownerId: "owner", lockTimeoutMs: SHORT_MS };
  await createInstance(caller, "work", {
    workerItems: [
      activity("work", 2),
      activity("work", 3, { tag: "gpu" }),
      activity("work", 4, { session_id: "s" }),
      activity("work", 5),
    ],
  });
  await mustFetchWork(caller);
  await fetchWork(caller, { tagFilter: { kind: "tags", tags: ["gpu"] } });
  // The first without a session is taken, then that of the session.
  await fetchWork(caller, { tagFilter: { kind: "default-and", tags: ["gpu"] }, session });
  await fetchWork(caller, { tagFilter: { kind: "default-and", tags: ["gpu"] }, session });
  await fetchWork(caller, { tagFilter: { kind: "any" } });
  await provider.renewSessionLocks({ ownerIds: ["owner"], extendMs: SHORT_MS, idleTimeoutMs: 60_000 });
  await turn(caller, "work", {
    cancelledActivities: [{ instanceId: "work", executionId: 1, activityId: 5 }],
  });
}

async function limitsAndPriorities(caller: Caller): Promise<void> {
  const { provider } = caller;
  await createInstance(caller, "ranked", { workerItems: [activity("ranked", 2, { priority: 1 })] });
  const { lockToken } = await mustFetchWork(caller);
  await provider.ackWorkItem(lockToken);
  // None is left, so it looks whether the mark may be removed.
  await fetchWork(caller);
  await provider.limits.setLimit("partner/*", { rule: { concurrency: 1 }, perMs: 0 });
  await createInstance(caller, "limited", {
    workerItems: [2, 3].map((id) => activity("limited", id, { limit: "partner/a" })),
  });
  await mustFetchWork(caller);
  // An instance waits for the same limit, which the activity has.
  const permit = { limit: "partner/a", tag: "@duroxide-ts/permit" };
  await createInstance(caller, "held", { workerItems: [activity("held", 2, permit)] });
  await fetchOrchestration(caller);
  await provider.limits.listLimits();
  await provider.limits.readLimit("partner/a");
  await provider.admin.listWork({ kind: "worker" });
}

async function streamsAndProgress(caller: Caller): Promise<void> {
  const { provider } = caller;
  const change = {
    stream: "s",
    values: ["1"],
    close: false,
    bounds: { maxItems: 1_000, maxBytes: 1_000_000 },
  };
  await createInstance(caller, "writes", { workerItems: [activity("writes", 2)], streams: [change] });
  const { lockToken } = await mustFetchWork(caller);
  const writer = { call: "2", name: "work", delivery: "d", leastAttempt: 1, written: 0, lockToken };
  await provider.appendStream({ ...change, instanceId: "writes", writer });
  for (const [leastAttempt, calls] of [
    [1, MANY_STEPS],
    [2, MANY_RESTARTS],
  ] as const)
    for (let call = 1; call <= calls; call++) {
      const step = { call: `${call}`, delivery: `${call}.${leastAttempt}`, leastAttempt };
      await provider.appendStream({ ...change, instanceId: "writes", writer: { ...writer, ...step } });
    }
  await provider.reportProgress({ instanceId: "writes", executionId: 2, value: "1", writer });
  await provider.readStream({ instanceId: "writes", stream: "s", from: 0 });
  await provider.readProgress("writes");
  await complete(caller, "writes");
  // An instance that goes on by hand opens the streams that were closed.
  const turn = {
    executionId: 2,
    historyDelta: [started("writes", 2)],
    workerItems: [],
    orchestratorItems: [],
    cancelledActivities: [],
    metadata: {},
  };
  const expected = { executionId: 1, status: "Completed" } as const;
  await provider.admin.reviseInstance({ instanceId: "writes", expected, turn });
}

/** Calls a provider that knows only what is stored, when the short session has ended. */
export async function askLater(provider: CosmosProvider): Promise<void> {
  const caller: Caller = { provider, lockMs: 30_000 };
  await provider.enqueueForWorker(activity("work", 6, { session_id: "s" }));
  await provider.cleanupOrphanedSessions();
  // The lock of the session is over, so the provider asks which worker vouches for its owner.
  const session = { ownerId: "another owner", lockTimeoutMs: SHORT_MS };
  await fetchWork(caller, { tagFilter: { kind: "any" }, session });
  await provider.enqueueForOrchestrator(raised("kept", "go"));
  const fetched = await fetchOrchestration(caller);
  if (fetched !== undefined) await provider.abandonOrchestrationItem(fetched.lockToken);
  await provider.admin.deleteInstances({ instanceIds: ["orphan"] });
  await provider.admin.reportWorker("later", REPORT);
}

async function queriesOfOperators({ provider }: Caller): Promise<void> {
  const { admin } = provider;
  for (const order of ["created-desc", "created-asc", "updated-desc"] as const) {
    await admin.queryInstances({ order, limit: 2 });
    await admin.queryInstances({ order, filter: { status: ["Running", "Failed"], name: ["TestOrch"] } });
  }
  const filters: readonly InstanceFilter[] = [
    { version: ["1.0.0"], idPrefix: "par" },
    { parentId: "parent" },
    { rootsOnly: true, createdFromMs: 1, createdToMs: Date.now() + 60_000 },
    { updatedFromMs: 1, updatedToMs: Date.now() + 60_000 },
    { failureCategory: ["application", "cancelled"], errorContains: "x" },
    { blocked: true },
    { blocked: false, suspended: false },
    { status: ["Scheduled", "Cancelled"] },
    { status: ["Failed"] },
  ];
  for (const filter of filters) await admin.queryInstances({ filter });
  await admin.countInstances({ status: ["ContinuedAsNew"] });
  await admin.countInstances({}, ["status", "name", "version"]);
  await admin.listWork();
  await admin.listWork({ overdueByMs: 0, instanceId: "staged", tag: "gpu" });
  await admin.listDeadLetters();
  await admin.listWorkers();
}

async function administration(caller: Caller): Promise<void> {
  const { provider } = caller;
  const { admin } = provider;
  await createInstance(caller, "parent");
  await createInstance(caller, "child", { parentInstanceId: "parent" });
  await createInstance(caller, "orphan", { parentInstanceId: "parent" });
  for (const instance of ["child", "orphan", "parent"]) await complete(caller, instance);
  await admin.queryInstances();
  await admin.queryInstances({ filter: { status: ["Completed"] } });
  await admin.listExecutions("staged");
  await admin.listExecutions("staged", 2);
  await admin.getInstanceInfo("staged");
  await admin.getSystemMetrics();
  await admin.getQueueDepths();
  await admin.listBlocked();
  await admin.listUndelivered();
  await queriesOfOperators(caller);
  await admin.queryInstances({ filter: { parentId: ["parent"] } });
  await admin.pruneInstances({ instanceIds: ["staged"] }, { keepLast: 1 });
  await admin.pruneInstances({ completedBeforeMs: Date.now() + 60_000 }, {});
  await admin.deleteInstances({ instanceIds: ["kv", "absent"] });
  await createInstance(caller, "another parent");
  await createInstance(caller, "another child", { parentInstanceId: "another parent" });
  await complete(caller, "another parent");
  await complete(caller, "another child");
  await provider.enqueueForOrchestrator(startItem("unbegun", { parent_instance: "another parent" }));
  await admin.deleteInstance("another parent");
}

/** Leaves messages and rows at the end, so that most of the queries have rows to find. */
async function leftForQueries(caller: Caller): Promise<void> {
  const { provider } = caller;
  await createInstance(caller, "blocked");
  await provider.enqueueForOrchestrator(raised("blocked", "go"));
  const { lockToken } = await mustFetch(caller);
  const blocked = { reason: "missing-orchestration", detail: "no worker has TestOrch" } as const;
  await provider.abandonOrchestrationItem(lockToken, { blocked, delayMs: 3_600_000 });
  (await provider.admin.listBlocked({ instanceId: "blocked" })).blocked;
  await createInstance(caller, "many");
  for (let n = 0; n < MANY_MESSAGES; n++)
    await provider.enqueueForOrchestrator(queueMessage("many", `q${n}`));
  const many = await mustFetch(caller);
  await provider.abandonOrchestrationItem(many.lockToken);
  await provider.enqueueForOrchestrator(queueMessage("unknown", "go"), 0, { ifMissing: "fail" });
  const start = startItem("queued");
  await provider.enqueueForOrchestrator(start);
  await provider.startInstance(start, { ifExists: "fail", messages: [] });
  await provider.startInstance(start, { ifExists: "reuse", messages: [], debounce: { waitMs: 86_400_000 } });
}
