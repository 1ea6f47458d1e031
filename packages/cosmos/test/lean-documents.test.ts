/** Tests what documents do not store (src/documents/lean.ts, docs/decisions/cosmos-documents.md). */
import { Client } from "@duroxide-ts/core";
import { fetchWork, given, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { type DocumentType, decodeDocument } from "../src/documents/documents.ts";
import { leanBody, lockOf } from "../src/documents/lean.ts";
import { toActivityRow } from "../src/documents/rows.ts";
import { allDocuments, type Document } from "./invariants/documents.ts";
import { LOCK_MS, START_MS } from "./support/stage.ts";
import { begin, carryOut, fetchPlanned, mustWork } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";
import { documentVectors } from "./vectors.ts";

const stage = useStage("lean-documents");

const nullsOf = (documents: readonly Document[]): readonly string[] =>
  documents.flatMap((each) =>
    Object.entries(each)
      .filter(([, value]) => value === null)
      .map(([name]) => `${each.type}.${name}`),
  );

async function only(type: string): Promise<Document> {
  const [document] = (await allDocuments(stage.raw)).filter((each) => each.type === type);
  return given(document, type);
}

it("lean.L1: no document of an instance that runs has a field that is null", async () => {
  await stage.provider.enqueueForOrchestrator(startItem("b"));
  await begin(stage, "a");
  await fetchPlanned(stage, "a", { activities: [{ label: "act" }] });
  const locked = await allDocuments(stage.raw);
  expect(locked.map(({ type }) => type)).toContain("orch_queue");
  expect(nullsOf(locked)).toEqual([]);
});

it("lean.L1: an optional field that is absent is read as null", () => {
  for (const { raw } of documentVectors) {
    const { _etag, ...document } = JSON.parse(raw) as Document;
    const type = document.type as DocumentType;
    const absent = JSON.parse(JSON.stringify(leanBody(document))) as Document;
    const isLocked = absent["lockedUntil"] !== document["lockedUntil"] && document["lockToken"] !== null;
    if (!isLocked) expect(decodeDocument(type, absent)).toEqual(decodeDocument(type, document));
  }
});

it("lean.L2: a locked activity is stored with the end of its lock once, until it is given back", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "act" }] });
  const work = await mustWork(stage);
  const stored = await only("worker_queue");
  expect(stored).toMatchObject({ visibleAt: START_MS + LOCK_MS });
  expect([typeof stored["ownLockToken"], "lockedUntil" in stored]).toEqual(["string", false]);
  expect(work.lockedUntilMs).toBe(START_MS + LOCK_MS);
  await stage.provider.renewWorkItemLock(work.lockToken, 2 * LOCK_MS);
  expect(await only("worker_queue")).toMatchObject({ visibleAt: START_MS + 2 * LOCK_MS });
  await stage.provider.abandonWorkItem(work.lockToken);
  const free = await only("worker_queue");
  expect([free["visibleAt"], "ownLockToken" in free, "lockedUntil" in free]).toEqual([
    START_MS,
    false,
    false,
  ]);
});

it("lean.L2: another process renews and ends the lock, and takes the activity when it is over", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "act" }] });
  const work = await mustWork(stage);
  const other = { ...stage, ...(await stage.openAnother()) };
  await other.provider.renewWorkItemLock(work.lockToken, LOCK_MS);
  expect(await fetchWork(other)).toBeUndefined();
  await stage.clock.advance(LOCK_MS + 1);
  const again = given(await fetchWork(other), "no activity");
  expect(again.attemptCount).toBe(2);
  await other.provider.ackWorkItem(again.lockToken);
});

it("lean.L2: operators see the lock of an activity", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "act" }] });
  await mustWork(stage);
  const { work } = await new Client(stage.provider).admin.work({ kind: "worker" });
  expect(work).toMatchObject([{ visibleAtMs: START_MS, lockedUntilMs: START_MS + LOCK_MS }]);
});

it("lean.L2: the lock of a Rust worker has an end of its own", async () => {
  const free = { lockToken: null, lockedUntil: null, visibleAt: 1 };
  expect(lockOf(free)).toEqual({ lockToken: null, lockedUntil: null });
  expect(lockOf({ ...free, lockToken: "rust", lockedUntil: 9 })).toEqual({
    lockToken: "rust",
    lockedUntil: 9,
  });
  const row = { type: "worker_queue", instanceId: "a", lockToken: "rust", lockedUntil: 9, visibleAt: 1 };
  expect(leanBody(row)).toEqual(row);
});

it("lean.L3: other documents keep what is null", () => {
  const removed = { type: "kv_delta", key: "k", value: null };
  expect(leanBody(removed)).toEqual(removed);
});

// The index is for Rust, which searches for tokens of its own (connection/container-definition.ts).
it("lean.L4: a locked activity has no value in the index of lock tokens", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "act" }] });
  const work = await mustWork(stage);
  expect(await only("worker_queue")).not.toHaveProperty("lockToken");
  await stage.provider.renewWorkItemLock(work.lockToken, LOCK_MS);
  expect(await only("worker_queue")).not.toHaveProperty("lockToken");
});

it("lean.L4: the token of a worker in Rust stands before ours, which it has not removed", () => {
  const row = { ownLockToken: "ours", lockToken: "rust", lockedUntil: 9, visibleAt: 1 };
  expect(lockOf(row)).toEqual({ lockToken: "rust", lockedUntil: 9 });
});

it("a row that was stored by an earlier version is read as before", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "act" }] });
  const row = await only("worker_queue");
  const old = { ...row, lockToken: "t", lockedUntil: START_MS + 5, sessionId: null };
  const { document } = toActivityRow({ ...old, id: row.id, _etag: "" });
  expect([document.lockedUntil, document.sessionId]).toEqual([START_MS + 5, null]);
});
