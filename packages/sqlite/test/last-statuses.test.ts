/**
 * Statuses that the last commit of a process has left are what a read would find (commit/last-statuses.ts). The other
 * provider on the file always reads.
 */
import { nextRound } from "@duroxide-ts/core/stores";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  eventOf,
  failed,
  given,
  mustFetch,
  started,
  startItem,
  turn,
  turnOf,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { deleteInstance } from "../src/admin/delete-instances.ts";
import { ackOrchestrationItem } from "../src/operations/ack-orchestration-item.ts";
import { enqueueForOrchestrator } from "../src/operations/enqueue-for-orchestrator.ts";
import { getInstanceStatus } from "../src/operations/get-instance-status.ts";
import { openFailing } from "./support/failing-database.ts";
import { type FileFixture, openFile } from "./support/fixture.ts";

const STATUS_SET = eventOf("CustomStatusUpdated", "i", 2, { status: "half" });
const LATER = started("i", 1, { start_at_ms: 4_000_000_000_000n });
const NAMED = { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" };

const COMMITS: Readonly<Record<string, (store: FileFixture) => Promise<unknown>>> = {
  "a start that no turn has named": ({ provider }) =>
    provider.enqueueForOrchestrator(startItem("i"), 0, { ifTaken: "tell" }),
  "a first turn": (store) => createInstance(store, "i"),
  "a first turn that waits for its time": async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("i"));
    await ack(store, await mustFetch(store), { historyDelta: [LATER], metadata: NAMED });
  },
  "an end in the first turn": (store) =>
    createInstance(store, "i", { metadata: { status: "Completed", output: '"done"' } }),
  "an end without an output": (store) => createInstance(store, "i", { metadata: { status: "Completed" } }),
  "an end in a later turn": async (store) => {
    await createInstance(store, "i");
    await complete(store, "i");
  },
  "an end with an output beyond what is kept": (store) =>
    createInstance(store, "i", { metadata: { status: "Completed", output: `"${"x".repeat(20_000)}"` } }),
  "an end with a text that is not well-formed": (store) =>
    createInstance(store, "i", { metadata: { status: "Completed", output: '"\u0000 \ud800 \ue000"' } }),
  "a failure": (store) =>
    createInstance(store, "i", {
      historyDelta: [failed("i", 2, "it fails")],
      metadata: { status: "Failed", output: "it fails" },
    }),
  "a custom status in the first turn": (store) => createInstance(store, "i", { historyDelta: [STATUS_SET] }),
  "a custom status before the end": async (store) => {
    await createInstance(store, "i", { historyDelta: [STATUS_SET] });
    await complete(store, "i");
  },
  "the next execution": async (store) => {
    await createInstance(store, "i");
    await continueAsNew(store, "i", 2);
  },
  "the end of the next execution": async (store) => {
    await createInstance(store, "i");
    await continueAsNew(store, "i", 2);
    await complete(store, "i");
  },
  "an end after a time": async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("i"));
    await ack(store, await mustFetch(store), { historyDelta: [LATER], metadata: NAMED });
    await complete(store, "i");
  },
};

describe("the status after a commit", () => {
  it.each(Object.entries(COMMITS))("of %s is the stored one", async (_, commit) => {
    await using store = await openFile();
    const other = await store.openAnother();
    await commit(store);
    const status = await store.provider.getInstanceStatus("i");
    expect(status).toEqual(await other.provider.getInstanceStatus("i"));
  });

  it("needs no look at the tables", async () => {
    const { db, store } = openFailing();
    await store.write(
      "enqueueForOrchestrator",
      enqueueForOrchestrator(startItem("i"), 0, { ifTaken: "tell" }),
    );
    const looks = async (): Promise<number> => {
      db.forget();
      await store.readFor("getInstanceStatus", "i", (_, id) => getInstanceStatus(db, id, store.lastStatuses));
      return db.executed.filter((sql) => sql.includes("FROM instances AS i")).length;
    };
    expect(await looks()).toBe(0);
    await store.write("other", () => undefined);
    expect(await looks()).toBe(1);
  });

  it("is checked against other connections once for many looks in one round (last-statuses.LT3)", async () => {
    const { db, store } = openFailing();
    const ids = Array.from({ length: 20 }, (_, n) => `i${n}`);
    await Promise.all(
      ids.map((id) =>
        store.write("enqueueForOrchestrator", enqueueForOrchestrator(startItem(id), 0, { ifTaken: "tell" })),
      ),
    );
    await nextRound();
    db.forget();
    await Promise.all(
      ids.map((each) =>
        store.readFor("getInstanceStatus", each, (_, id) => getInstanceStatus(db, id, store.lastStatuses)),
      ),
    );
    const checks = db.executed.filter((sql) => sql.includes("data_version")).length;
    expect(checks).toBeGreaterThan(0);
    expect(checks).toBeLessThan(ids.length);
  });

  it("is read again after a call in which another process had the time to commit (last-statuses.LT3)", async () => {
    await using store = await openFile();
    const other = store.openRaw();
    await createInstance(store, "i");
    other.exec("UPDATE executions SET status = 'Completed'");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    expect(await store.provider.getInstanceStatus("i")).toMatchObject({ status: "Completed" });
  });

  it("is read again once another process has committed (last-statuses.LT1)", async () => {
    await using store = await openFile();
    const other = await store.openAnother();
    await createInstance(store, "i");
    await complete(other, "i");
    expect(await store.provider.getInstanceStatus("i")).toMatchObject({ status: "Completed" });
    await store.provider.enqueueForOrchestrator(startItem("j"), 0, { ifTaken: "tell" });
    await createInstance(other, "k");
    await ack(other, await mustFetch(other), { historyDelta: [started("j")], metadata: NAMED });
    expect(await store.provider.getInstanceStatus("j")).toMatchObject({ status: "Running" });
  });

  it("is not that of an earlier operation of the same transaction (effects.F3)", async () => {
    const { store } = openFailing();
    await store.write("enqueueForOrchestrator", enqueueForOrchestrator(startItem("i")));
    const fetched = await store.fetchOrchestration({ lockTimeoutMs: 60_000, pollTimeoutMs: 0 });
    const first = turnOf(given(fetched, "no turn"), { historyDelta: [started("i")], metadata: NAMED });
    await Promise.all([
      store.write("ackOrchestrationItem", ackOrchestrationItem(first, store.knownInstances)),
      store.write("deleteInstance", deleteInstance("i", true)),
    ]);
    const status = await store.read("getInstanceStatus", (db) =>
      getInstanceStatus(db, "i", store.lastStatuses),
    );
    expect(status).toBeUndefined();
  });

  it("is a copy: its receiver may change it", async () => {
    await using store = await openFile();
    await createInstance(store, "i");
    Object.assign((await store.provider.getInstanceStatus("i")) ?? {}, { status: "Failed" });
    expect(await store.provider.getInstanceStatus("i")).toMatchObject({ status: "Running" });
  });

  it("of an instance that its own turns go on is the stored one", async () => {
    await using store = await openFile();
    await createInstance(store, "i");
    await turn(store, "i", { historyDelta: [STATUS_SET] });
    expect(await store.provider.getInstanceStatus("i")).toMatchObject({ customStatus: "half" });
  });
});
