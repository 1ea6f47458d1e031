/**
 * A change by hand whose process is killed before a statement of its transactions, or after a commit. The instances are
 * as before it or as after it, and the verb, repeated, leads to the same end. Two verbs need two transactions; the table
 * has the state between them.
 */
import { type Admin, Client, silentLogger } from "@duroxide-ts/core";
import type { HistoryEvent } from "@duroxide-ts/core/stores";
import { VirtualClock } from "@duroxide-ts/core/testing";
import {
  ack,
  activity,
  continueAsNew,
  createInstance,
  eventOf,
  failed,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  queueMessage,
  raised,
  scheduled,
  started,
  startItem,
  timer,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { Database } from "../src/connection/database.ts";
import { SqliteProvider } from "../src/index.ts";
import { callerOf, type SqliteCaller } from "./support/fixture.ts";
import { killsOf } from "./support/killed-verb.ts";

const CHILD = "i::sub::2";
const DECLINED = { Application: { kind: "ActivityFailed", message: "declined", retryable: false } } as const;
const BY = { by: "ada", reason: "the bank is back" };

function answer<T extends "ActivityFailed" | "SubOrchestrationFailed">(type: T, id: string): HistoryEvent {
  return { ...eventOf(type, id, 3, { details: DECLINED } as never), source_event_id: 2 };
}

/** It waits for an activity and a timer, has a value, and two messages in its queue. */
async function running(caller: SqliteCaller): Promise<void> {
  await createInstance(caller, "i", {
    historyDelta: [
      scheduled("i", 2),
      eventOf("TimerCreated", "i", 3, { fire_at_ms: 1_800_000_000_000 }),
      eventOf("KeyValueSet", "i", 4, { key: "k", value: "v", last_updated_at_ms: 1 }),
    ],
    workerItems: [activity("i", 2)],
    orchestratorItems: [timer("i", 1_800_000_000_000, 3)],
  });
  await turn(caller, "i", { historyDelta: [eventOf("ExternalEvent", "i", 5, { name: "e", data: "{}" })] });
  await caller.provider.enqueueForOrchestrator(raised("i", "later"));
  await caller.provider.enqueueForOrchestrator(queueMessage("i", "q"));
}

async function suspended(caller: SqliteCaller): Promise<void> {
  await running(caller);
  await new Client(caller.provider, { logger: silentLogger }).admin.suspend("i", BY);
}

/** It failed with its activity. */
async function failing(caller: SqliteCaller): Promise<void> {
  const set = eventOf("KeyValueSet", "i", 5, { key: "k", value: "v", last_updated_at_ms: 1 });
  await createInstance(caller, "i", { historyDelta: [scheduled("i", 2)] });
  await turn(caller, "i", {
    historyDelta: [answer("ActivityFailed", "i"), failed("i", 4, "declined"), set],
    metadata: { status: "Failed", output: "declined" },
  });
}

/** It failed with its child, which failed with its activity. */
async function family(caller: SqliteCaller): Promise<void> {
  const call = { name: "TestOrch", instance: "sub::2", input: "{}" };
  const historyDelta = [eventOf("SubOrchestrationScheduled", "i", 2, call)];
  await createInstance(caller, "i", { historyDelta });
  const parent = { parent_instance: "i", parent_id: 2, parent_execution_id: 1 };
  await caller.provider.enqueueForOrchestrator(startItem(CHILD, parent));
  await ack(caller, await mustFetch(caller), {
    historyDelta: [started(CHILD, 1, parent), scheduled(CHILD, 2)],
    metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0", parentInstanceId: "i" },
  });
  for (const [id, type] of [
    [CHILD, "ActivityFailed"],
    ["i", "SubOrchestrationFailed"],
  ] as const) {
    await turn(caller, id, {
      historyDelta: [answer(type, id), failed(id, 4, "declined")],
      metadata: { status: "Failed", output: "declined" },
    });
  }
}

/** It is in its third execution. */
async function old(caller: SqliteCaller): Promise<void> {
  await createInstance(caller, "i", { historyDelta: [scheduled("i", 2)] });
  for (const executionId of [2, 3]) await continueAsNew(caller, "i", executionId);
}

/** The letters 1 and 2 are a message and an activity that could not be read. */
async function unreadable(caller: SqliteCaller, path: string): Promise<void> {
  await createInstance(caller, "i");
  await caller.provider.enqueueForOrchestrator(raised("i", "e"));
  await caller.provider.enqueueForWorker(activity("i", 2));
  const raw = new Database(path);
  for (const queue of ["orchestrator_queue", "worker_queue"])
    raw.exec(`UPDATE ${queue} SET work_item = '{"Unheard":{}}'`);
  raw.close();
  await fetchOrchestration(caller);
  await fetchWork(caller);
}

interface Case {
  readonly verb: string;
  /** `path` is that of the file. */
  readonly prepare: (caller: SqliteCaller, path: string) => Promise<void>;
  readonly change: (admin: Admin) => Promise<unknown>;
  /** States before the verb, and after each of its transactions. */
  readonly states: readonly string[];
}

const CASES: readonly Case[] = [
  {
    verb: "suspend",
    prepare: running,
    change: (admin) => admin.suspend("i", BY),
    states: ["i: Running 1", "i: Running 1, suspended"],
  },
  {
    verb: "resume",
    prepare: suspended,
    change: (admin) => admin.resume("i", { by: "ada" }),
    states: ["i: Running 1, suspended", "i: Running 1"],
  },
  {
    verb: "terminate",
    prepare: running,
    change: (admin) => admin.terminate("i", BY),
    states: ["i: Running 1", "i: Cancelled 1"],
  },
  {
    verb: "restart",
    prepare: failing,
    change: (admin) => admin.restart("i", BY),
    states: ["i: Failed 1", "i: Running 2"],
  },
  {
    verb: "restart under another id",
    prepare: failing,
    change: (admin) => admin.restart("i", { ...BY, newId: "j" }),
    states: ["i: Failed 1", "i: Failed 1"],
  },
  {
    verb: "retry",
    prepare: failing,
    change: (admin) => admin.retry("i", BY),
    states: ["i: Failed 1", "i: Running 2"],
  },
  {
    verb: "retry with a child",
    prepare: family,
    change: (admin) => admin.retry("i", BY),
    states: [
      `i: Failed 1; ${CHILD}: Failed 1`,
      `i: Running 2; ${CHILD}: Failed 1`,
      `i: Running 2; ${CHILD}: Running 2`,
    ],
  },
  {
    verb: "rewind of a failed instance",
    prepare: failing,
    change: (admin) => admin.rewind("i", { ...BY, toEvent: 2 }),
    states: ["i: Failed 1", "i: Running 2"],
  },
  {
    verb: "rewind of a running instance",
    prepare: running,
    change: (admin) => admin.rewind("i", { ...BY, toEvent: 3 }),
    states: ["i: Running 1", "i: Cancelled 1, suspended", "i: Running 2"],
  },
  {
    verb: "delete",
    prepare: family,
    change: (admin) => admin.delete("i"),
    states: [`i: Failed 1; ${CHILD}: Failed 1`, ""],
  },
  {
    verb: "delete by force",
    prepare: running,
    change: (admin) => admin.delete("i", { force: true }),
    states: ["i: Running 1", ""],
  },
  {
    verb: "prune",
    prepare: old,
    change: (admin) => admin.prune("i", { keepLast: 1 }),
    states: ["i: Running 3", "i: Running 3, 1 stored"],
  },
  {
    verb: "requeue of a message",
    prepare: unreadable,
    change: (admin) => admin.requeueDeadLetter("1"),
    states: ["i: Running 1; letters 2 and 1; queues 0 and 0", "i: Running 1; letters 2; queues 1 and 0"],
  },
  {
    verb: "requeue of an activity",
    prepare: unreadable,
    change: (admin) => admin.requeueDeadLetter("2"),
    states: ["i: Running 1; letters 2 and 1; queues 0 and 0", "i: Running 1; letters 1; queues 0 and 1"],
  },
  {
    verb: "drop of a dead letter",
    prepare: unreadable,
    change: (admin) => admin.dropDeadLetter("1"),
    states: ["i: Running 1; letters 2 and 1; queues 0 and 0", "i: Running 1; letters 2; queues 0 and 0"],
  },
];

async function stateOf(admin: Admin): Promise<string> {
  const { instances } = await admin.query({ filter: { idPrefix: "i" }, order: "created-asc" });
  const states: string[] = [];
  for (const { instanceId, status, currentExecutionId: execution, suspended: marker } of instances) {
    const stored = (await admin.executions(instanceId)).length;
    const pruned = stored === execution ? "" : `, ${stored} stored`;
    states.push(`${instanceId}: ${status} ${execution}${pruned}${marker === undefined ? "" : ", suspended"}`);
  }
  const { deadLetters } = await admin.deadLetters();
  if (deadLetters.length === 0) return states.join("; ");
  const { orchestratorQueue, workerQueue } = await admin.queueDepths();
  const letters = deadLetters.map(({ id }) => id).join(" and ");
  return [...states, `letters ${letters}`, `queues ${orchestratorQueue} and ${workerQueue}`].join("; ");
}

describe.each(CASES)("a process that is killed in a $verb", ({ prepare, change, states }) => {
  it("leaves what was before or what is after, and the repeated verb does the rest", async () => {
    const clock = new VirtualClock();
    const adminOf = (provider: SqliteProvider): Admin =>
      new Client(provider, { clock, logger: silentLogger }).admin;
    await using kills = await killsOf(
      clock,
      (provider, path) => prepare(callerOf(provider), path),
      (provider) => change(adminOf(provider)),
    );
    expect(kills.commits).toBe(states.length - 1);
    expect(kills.left.length).toBeGreaterThanOrEqual(4);
    const whole = [kills.before, ...kills.afterEach];
    for (const { path, before, commits } of kills.left) {
      const where = `${commits} commits, before ${before}`;
      expect(kills.dump(path), where).toEqual(whole[commits]);
      await using provider = await SqliteProvider.open(path, { clock });
      const admin = adminOf(provider);
      expect(await stateOf(admin), where).toBe(states[commits]);
      if (commits === kills.commits) continue;
      await change(admin);
      expect(kills.dump(path), `repeated after ${where}`).toEqual(whole.at(-1));
    }
  });
});
