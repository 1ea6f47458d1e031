/** Whichever statement of an operation fails, the state afterwards is that before it, never one in between. */
import type { FetchedOrchestration, FetchedWork, OrchestrationAck } from "@duroxide-ts/core/stores";
import {
  activity,
  completion,
  eventOf,
  given,
  queueMessage,
  raised,
  scheduled,
  semver,
  started,
  startItem,
  turnOf,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { deleteInstance } from "../src/admin/delete-instances.ts";
import { pruneExecutions } from "../src/admin/prune-executions.ts";
import { reviseInstance } from "../src/admin/revise-instance.ts";
import { KnownInstances } from "../src/commit/known-instances.ts";
import type { WriteOperation } from "../src/commit/transaction.ts";
import { abandonOrchestrationItem } from "../src/operations/abandon-orchestration-item.ts";
import { ackOrchestrationItem } from "../src/operations/ack-orchestration-item.ts";
import { ackWorkItem } from "../src/operations/ack-work-item.ts";
import { enqueueForOrchestrator } from "../src/operations/enqueue-for-orchestrator.ts";
import { enqueueForWorker } from "../src/operations/enqueue-for-worker.ts";
import type { Store } from "../src/store.ts";
import { openFailing } from "./support/failing-database.ts";

const LOCKS = { lockTimeoutMs: 60_000, pollTimeoutMs: 0 };

interface Prepared {
  readonly fetched: FetchedOrchestration;
  readonly work: FetchedWork;
}

function ackOf(fetched: FetchedOrchestration, more: Partial<OrchestrationAck>): WriteOperation<unknown> {
  return ackOrchestrationItem(turnOf(fetched, more), new KnownInstances());
}

/** An instance in its second execution, with a turn and an activity in progress. */
async function prepare(store: Store): Promise<Prepared> {
  await store.write("", enqueueForOrchestrator(startItem("i")));
  const first = given(await store.fetchOrchestration(LOCKS), "a turn");
  const metadata = {
    orchestrationName: "T",
    orchestrationVersion: "1.0.0",
    status: "ContinuedAsNew",
  } as const;
  const workerItems = [activity("i", 2), activity("i", 3)];
  await store.write("", ackOf(first, { historyDelta: [started("i")], metadata, workerItems }));
  const session = { ownerId: "o", lockTimeoutMs: 60_000 };
  const work = given(await store.fetchWork({ ...LOCKS, session, tagFilter: { kind: "any" } }), "an activity");
  await store.write("", enqueueForOrchestrator(raised("i", "next")));
  const second = given(await store.fetchOrchestration(LOCKS), "a turn");
  await store.write("", ackOf(second, { executionId: 2, historyDelta: [started("i", 2)] }));
  await store.write("", enqueueForOrchestrator(raised("i", "e")));
  return { fetched: given(await store.fetchOrchestration(LOCKS), "a turn"), work };
}

const OPERATIONS: Record<string, (prepared: Prepared) => WriteOperation<unknown>> = {
  "acknowledging a turn": ({ fetched }) =>
    ackOf(fetched, {
      historyDelta: [
        scheduled("i", 2),
        eventOf("KeyValueSet", "i", 3, { key: "k", value: "v", last_updated_at_ms: 1 }),
        eventOf("KeyValuesCleared", "i", 4, {}),
        eventOf("CustomStatusUpdated", "i", 5, { status: "s" }),
      ],
      workerItems: [activity("i", 4)],
      cancelledActivities: [{ instanceId: "i", executionId: 1, activityId: 3 }],
      orchestratorItems: [raised("i", "self"), startItem("child")],
      metadata: { status: "Completed", output: "x" },
    }),
  "beginning the next execution": ({ fetched }) =>
    ackOf(fetched, { executionId: 3, historyDelta: [started("i", 3)] }),
  "abandoning a turn": ({ fetched }) => abandonOrchestrationItem(fetched.lockToken, { delayMs: 5 }),
  "acknowledging an activity": ({ work }) => ackWorkItem(work.lockToken, completion("i", 2)),
  "sending a message": () => enqueueForOrchestrator(raised("new", "e")),
  // message-ids.I1
  "sending a message with an id": () => enqueueForOrchestrator(raised("i", "e"), 0, { messageId: "one" }),
  "queueing an activity": () => enqueueForWorker(activity("new", 1)),
  "changing an instance by hand": () =>
    reviseInstance({
      instanceId: "i",
      expected: { executionId: 2, status: "Running" },
      turn: {
        executionId: 3,
        historyDelta: [started("i", 3), scheduled("i", 2, 3)],
        workerItems: [activity("i", 2, { execution_id: 3 })],
        orchestratorItems: [raised("i", "self"), startItem("child")],
        returnedMessages: [queueMessage("i", "q")],
        metadata: { pinnedVersion: semver("0.1.32") },
        cancelledActivities: [],
      },
      keyValues: new Map([["k", { value: "v", lastUpdatedAtMs: 1 }]]),
      suspended: { sinceMs: 1, reason: "the bank is closed" },
    }),
  "deleting an instance": () => deleteInstance("i", true),
  "pruning an instance": () => pruneExecutions("pruneInstances", "i", {}),
};

describe.each(Object.entries(OPERATIONS))("%s", (_name, operationFor) => {
  it("happens completely or not at all, and works when the disk is mended", async () => {
    const rehearsal = openFailing();
    const operation = operationFor(await prepare(rehearsal.store));
    rehearsal.db.forget();
    await rehearsal.store.write("rehearsal", operation);
    const steps = [...new Set(rehearsal.db.executed)];
    expect(steps.length).toBeGreaterThan(2);
    for (const step of steps) {
      const { db, store } = openFailing();
      const failing = operationFor(await prepare(store));
      const before = db.dump();
      db.failAt(step);
      await expect(store.write("it", failing), step).rejects.toMatchObject({
        code: "unavailable",
        operation: "it",
      });
      db.failAt(undefined);
      expect(db.dump(), step).toEqual(before);
      await store.write("it", failing);
      expect(db.dump()).not.toEqual(before);
      await store.close();
    }
  });

  it("does not harm what is written at the same time", async () => {
    const { db, store } = openFailing();
    const operation = operationFor(await prepare(store));
    const steps = new Set<string>();
    const harmless = (n: number): Promise<unknown> =>
      store.write("harmless", enqueueForOrchestrator(startItem(`n-${n}`)));
    await harmless(0);
    db.forget();
    await harmless(1);
    for (const sql of db.executed) steps.add(sql);
    db.forget();
    const rehearsal = openFailing();
    const rehearsed = operationFor(await prepare(rehearsal.store));
    rehearsal.db.forget();
    await rehearsal.store.write("rehearsal", rehearsed);
    const own = rehearsal.db.executed.find((sql) => !steps.has(sql));
    if (own === undefined) return;
    db.failAt(own);
    const outcomes = await Promise.allSettled([harmless(2), store.write("it", operation), harmless(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});

describe("a fetch that fails", () => {
  it("leaves no lock, and rejects the waiting fetch", async () => {
    const rehearsal = openFailing();
    await rehearsal.store.write("", enqueueForOrchestrator(startItem("i")));
    rehearsal.db.forget();
    await rehearsal.store.fetchOrchestration(LOCKS);
    const { executed } = rehearsal.db;
    for (const step of new Set(executed.slice(executed.indexOf("BEGIN IMMEDIATE")))) {
      const { db, store } = openFailing();
      await store.write("", enqueueForOrchestrator(startItem("i")));
      const before = db.dump();
      db.failAt(step);
      const failing = store.fetchOrchestration({ ...LOCKS, pollTimeoutMs: 1_000 });
      await expect(failing, step).rejects.toMatchObject({
        code: "unavailable",
        operation: "fetchOrchestrationItem",
        retryable: true,
      });
      db.failAt(undefined);
      expect(db.dump(), step).toEqual(before);
      expect(await store.fetchOrchestration(LOCKS)).toMatchObject({ attemptCount: 1 });
      await store.close();
    }
  });
});
