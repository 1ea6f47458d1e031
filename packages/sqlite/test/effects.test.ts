/**
 * The effects that follow the commit of a transaction, and that a rollback does not leave behind (commit/effects.ts,
 * store.ts).
 */
import { setImmediate as nextRound } from "node:timers/promises";
import { started, startItem, turnOf } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { getSystemMetrics } from "../src/admin/metrics.ts";
import type { WriteOperation } from "../src/commit/transaction.ts";
import { ackOrchestrationItem } from "../src/operations/ack-orchestration-item.ts";
import { enqueueForOrchestrator } from "../src/operations/enqueue-for-orchestrator.ts";
import type { Store } from "../src/store.ts";
import { openFailing } from "./support/failing-database.ts";

const METADATA = { orchestrationName: "T", orchestrationVersion: "1.0.0" };

/** The acknowledgement of the first turn of "i". */
async function firstTurn(store: Store, metadata: object = METADATA): Promise<WriteOperation<unknown>> {
  await store.write("start", enqueueForOrchestrator(startItem("i")));
  const fetched = await store.fetchOrchestration({ lockTimeoutMs: 60_000, pollTimeoutMs: 0 });
  if (fetched === undefined) throw new Error("no turn to fetch");
  const turn = turnOf(fetched, { historyDelta: [started("i")], metadata });
  return ackOrchestrationItem(turn, store.knownInstances);
}

it("a turn counts once, although it ran in a transaction that was rolled back before (effects.F1)", async () => {
  const { store } = openFailing();
  const acknowledge = await firstTurn(store);
  const fails = (): void => {
    throw new Error("the store fails");
  };
  const outcomes = await Promise.allSettled([store.write("ack", acknowledge), store.write("other", fails)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  const metrics = await store.read("metrics", getSystemMetrics);
  expect(metrics).toMatchObject({ totalInstances: 1, runningInstances: 1, totalEvents: 1 });
});

it("a watcher is told of a turn after its commit, and not when the commit fails (store.S2)", async () => {
  const { db, store } = openFailing();
  const acknowledge = await firstTurn(store, { ...METADATA, status: "Completed" });
  let told = 0;
  store.watch("i", () => told++);
  db.failAt("COMMIT");
  await expect(store.write("ack", acknowledge)).rejects.toMatchObject({ code: "unavailable" });
  await nextRound();
  expect(told).toBe(0);
  db.failAt(undefined);
  await store.write("ack", acknowledge);
  await nextRound();
  expect(told).toBe(1);
});
