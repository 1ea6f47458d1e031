/**
 * Statements of turns and activities are compiled once. SQLite compiles a statement again, at up to a hundred times its
 * cost, when the plan depends on the value of a parameter: that of a `LIMIT ?` from version 3.48, or one that is
 * compared with the condition of a partial index. An authorizer is called whenever a statement is compiled.
 */
import { constants, DatabaseSync } from "node:sqlite";
import {
  ack,
  activity,
  createInstance,
  fetchWork,
  mustFetch,
  raised,
  scheduled,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { type Fixture, openFile } from "./support/fixture.ts";

/** A step of a sequence: an ordinary turn, a fused one, and the reads of a client. */
async function step(store: Fixture, eventId: number): Promise<void> {
  const { provider, clock } = store;
  const session = { ownerId: "o", lockTimeoutMs: 1_000 };
  const work = [1, 2].map(() => fetchWork(store, { pollTimeoutMs: 1_000, session }));
  await clock.settle();
  await provider.enqueueForOrchestrator(raised("i", "e"));
  const { historyTag = "" } = await ack(store, await mustFetch(store), {
    historyDelta: [scheduled("i", eventId)],
    workerItems: [activity("i", eventId)],
  });
  const [first] = work;
  const { lockToken = "" } = (await first) ?? {};
  await provider.ackFusedTurn({
    instanceId: "i",
    historyTag,
    activityTokens: [lockToken],
    executionId: 1,
    historyDelta: [scheduled("i", eventId + 1)],
    workerItems: [activity("i", eventId + 1)],
    orchestratorItems: [],
    cancelledActivities: [],
    metadata: {},
  });
  const second = await Promise.all(work);
  await provider.ackWorkItem(second[1]?.lockToken ?? "");
  await provider.getInstanceStatus("i");
  await clock.advance(7);
}

it.skipIf(!("setAuthorizer" in DatabaseSync.prototype))(
  "a step of a sequence compiles no statement again",
  async () => {
    const { prepare } = DatabaseSync.prototype;
    let connection: DatabaseSync | undefined;
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
      connection = this;
      return prepare.call(this, sql);
    };
    await using store = await openFile();
    DatabaseSync.prototype.prepare = prepare;
    await createInstance(store, "i");
    let compiled = 0;
    connection?.setAuthorizer(() => {
      compiled++;
      return constants.SQLITE_OK;
    });
    for (const eventId of [2, 4, 6]) await step(store, eventId);
    expect(compiled).toBeGreaterThan(0);
    compiled = 0;
    for (const eventId of [8, 10, 12]) await step(store, eventId);
    connection?.setAuthorizer(null);
    expect(compiled).toBe(0);
  },
);
