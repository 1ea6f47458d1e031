/** Tests what asks all physical partitions beside fetches: sessions, reconciler, administration, document leases. */
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { DocumentLeases } from "@duroxide-ts/cosmos/document-leases";
import {
  activity,
  createInstance,
  fetchWork,
  scheduled,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import type { Body } from "../../src/documents/body.ts";
import {
  SESSIONS_PARTITION,
  sessionOwnerDocumentId,
  sessionPartition,
  vouchDocumentId,
} from "../../src/documents/ids.ts";
import { newIntent } from "../../src/documents/intent.ts";
import { endOfSession, toOwner, toVouch } from "../../src/documents/session.ts";
import { LOCK_MS, type Stage, serve } from "../support/stage.ts";
import { idsIn, partitionedStages, rangeOf, timed } from "./stage.ts";

const given = partitionedStages(4);

const session = { ownerId: "owner", lockTimeoutMs: LOCK_MS };

/** Sessions of the owner in the physical partitions. */
async function claimSessions(stage: Stage, ranges: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const range of ranges) {
    for (let n = 0; ; n++) {
      const id = `s${range}-${n}`;
      if ((await rangeOf(stage, sessionPartition(id))) !== range) continue;
      await stage.provider.enqueueForWorker(activity(`i${range}`, 1, { session_id: id }));
      await timed(stage, fetchWork(stage, { session }));
      ids.push(id);
      break;
    }
  }
  return ids;
}

async function lockedUntil({ raw }: Stage, sessionId: string): Promise<number> {
  const item = raw.item(sessionOwnerDocumentId(sessionId), sessionPartition(sessionId));
  const { resource: owner } = await item.read<Body>();
  const { resource: vouch } = await raw.item(vouchDocumentId(["owner"]), SESSIONS_PARTITION).read<Body>();
  return endOfSession(toOwner(owner ?? {}), vouch && toVouch(vouch));
}

it("sessions are extended while a partition throttles, and the call says that it does", async () => {
  const { emulator, stage } = given();
  const ids = await claimSessions(stage, ["0", "1", "2", "3"]);
  await stage.clock.advance(1_000);
  const before = await Promise.all(ids.map((id) => lockedUntil(stage, id)));
  emulator.faults.add({
    match: { operation: "item.query", range: "0" },
    effect: { kind: "error", status: 429, retryAfterMs: 500 },
  });
  const renewal = stage.provider.renewSessionLocks({
    ownerIds: ["owner"],
    extendMs: 60_000,
    idleTimeoutMs: 600_000,
  });
  const { result } = await timed(
    stage,
    renewal.catch((error: unknown) => error),
  );
  expect(result).toMatchObject({ code: "unavailable" });
  const after = await Promise.all(ids.map((id) => lockedUntil(stage, id)));
  expect(after.map((ms, index) => ms > (before[index] ?? 0))).toEqual([true, true, true, true]);
});

it("sessions of other partitions are extended while the partition of the vouch refuses every write", async () => {
  const { emulator, stage } = given();
  const vouched = await rangeOf(stage, SESSIONS_PARTITION);
  const others = ["0", "1", "2", "3"].filter((range) => range !== vouched);
  const ids = await claimSessions(stage, others);
  await stage.clock.advance(1_000);
  const before = await Promise.all(ids.map((id) => lockedUntil(stage, id)));
  emulator.faults.add({
    match: { operation: "item.batch", range: vouched },
    effect: { kind: "error", status: 429, retryAfterMs: 500 },
  });
  const { result } = await timed(
    stage,
    stage.provider.renewSessionLocks({ ownerIds: ["owner"], extendMs: 60_000, idleTimeoutMs: 600_000 }),
  );
  expect(result).toBe(3);
  expect(stage.warnings).toEqual([expect.stringContaining("sessions are extended one by one")]);
  const after = await Promise.all(ids.map((id) => lockedUntil(stage, id)));
  expect(after.map((ms, index) => ms > (before[index] ?? 0))).toEqual([true, true, true]);
});

it("sessions are extended after a split", async () => {
  const { emulator, stage, names } = given();
  await claimSessions(stage, ["0", "1", "2", "3"]);
  await emulator.partitions.split({ ...names, range: "2" });
  const { result, ms } = await timed(
    stage,
    stage.provider.renewSessionLocks({ ownerIds: ["owner"], extendMs: 60_000, idleTimeoutMs: 600_000 }),
  );
  expect([result, ms]).toEqual([4, 0]);
});

it("the administration counts each instance once after a split and after a merge", async () => {
  const { emulator, stage, names } = given();
  for (let n = 0; n < 12; n++) await timed(stage, createInstance(stage, `i${n}`));
  const { admin } = stage.provider;
  const count = async (): Promise<readonly number[]> => {
    const { result: metrics } = await timed(stage, admin.getSystemMetrics());
    const { result: page } = await timed(stage, admin.queryInstances());
    return [metrics.totalInstances, page.instances.length];
  };
  expect(await count()).toEqual([12, 12]);
  await emulator.partitions.split({ ...names, range: "0" });
  expect(await count()).toEqual([12, 12]);
  await emulator.partitions.merge({ ...names, ranges: ["2", "3"] });
  expect(await count()).toEqual([12, 12]);
});

it("a list of several pages has each instance once while partitions split and merge between and in them", async () => {
  const { emulator, stage, names } = given();
  const ids = Array.from({ length: 12 }, (_, n) => `i${n}`);
  for (const id of ids) await timed(stage, createInstance(stage, id));
  const { admin } = stage.provider;
  const queried: string[] = [];
  const first = await timed(stage, admin.queryInstances({ limit: 5 }));
  queried.push(...first.result.instances.map(({ instanceId }) => instanceId));
  await emulator.partitions.split({ ...names, range: "0" });
  // In the midst of the next page.
  stage.trap.meanwhile(/^query/, () => emulator.partitions.merge({ ...names, ranges: ["2", "3"] }));
  let next = first.result.continuation;
  while (next !== undefined) {
    const { result } = await timed(stage, admin.queryInstances({ limit: 5, continuation: next }));
    queried.push(...result.instances.map(({ instanceId }) => instanceId));
    next = result.continuation;
  }
  expect(queried.toSorted()).toEqual(ids.toSorted());
});

it("a large instance is deleted whole while its partition splits", async () => {
  const { emulator, stage, names } = given();
  await timed(stage, createInstance(stage, "large"));
  const events = Array.from({ length: 240 }, (_, n) => scheduled("large", n + 2));
  await timed(stage, stage.provider.appendHistory("large", 1, events));
  const range = await rangeOf(stage, "large");
  stage.trap.meanwhile(/Delete/, () => emulator.partitions.split({ ...names, range }));
  await timed(stage, stage.provider.admin.deleteInstance("large", { force: true }));
  const query = "SELECT VALUE c.type FROM c";
  const { resources } = await stage.raw.items.query(query, { partitionKey: "large" }).fetchAll();
  expect(resources).toEqual([]);
});

it("messages are delivered although their partition splits while they are searched", async () => {
  const { emulator, stage, names } = given();
  const sources = (
    await Promise.all(["0", "1", "2"].map((range) => idsIn(stage, range, 2, "source")))
  ).flat();
  const createdAt = stage.clock.now() - 60_000;
  for (const source of sources)
    await stage.raw.items.create(pendingIntent(source, `target-of-${source}`, createdAt));
  stage.trap.meanwhile(/outbox_intent/, () => emulator.partitions.split({ ...names, range: "1" }));
  await serve(stage.provider);
  await stage.clock.advance(15_000);
  await timed(stage, stage.provider.close());
  const query = "SELECT VALUE c.id FROM c WHERE c.type = 'outbox_intent'";
  const left: unknown[] = [];
  for (const source of sources) {
    const { resources } = await stage.raw.items.query(query, { partitionKey: source }).fetchAll();
    left.push(...resources);
  }
  expect(left).toEqual([]);
});

it("the administration asks all partitions at the same time", async () => {
  const { emulator, names } = given();
  let most = 0;
  const waiting: (() => void)[] = [];
  await using provider = await CosmosProvider.connectThrough(
    { connectionString: emulator.connectionString, ...names },
    async (request, next) => {
      if (request.headers.has("x-ms-documentdb-partitionkeyrangeid")) {
        const release = new Promise<void>((resolve) => waiting.push(resolve));
        most = Math.max(most, waiting.length);
        if (waiting.length === 4) for (const each of waiting) each();
        await release;
      }
      return (emulator.send ?? next)(request);
    },
  );
  await provider.admin.listBlocked();
  expect(most).toBe(4);
});

it("documents are leased after a split", async () => {
  const { emulator, stage, names } = given();
  const leases = DocumentLeases.on(stage.raw, { procedures: "never" });
  const take = async (): Promise<number> =>
    (await leases.nextForState("ready", { holder: "anna", limit: 10 })).length;
  const put = async (id: string): Promise<void> => {
    await stage.raw.items.upsert({ id, instanceId: id, state: "ready" });
  };
  for (const id of await idsIn(stage, "1", 2)) await put(id);
  expect(await take()).toBe(2);
  await emulator.partitions.split({ ...names, range: "1" });
  for (const id of await idsIn(stage, "5", 2, "more")) await put(id);
  expect(await take()).toBe(2);
});

it("messages of other partitions are delivered while one throttles", async () => {
  const { emulator, stage } = given();
  const sources = await Promise.all(["0", "1", "2", "3"].map((range) => idsIn(stage, range, 1, "source")));
  const createdAt = stage.clock.now() - 60_000;
  for (const [source = ""] of sources) {
    await stage.raw.items.create(pendingIntent(source, `target-of-${source}`, createdAt));
  }
  emulator.faults.add({
    match: { operation: "item.query", range: "0" },
    effect: { kind: "error", status: 429, retryAfterMs: 500 },
  });
  await serve(stage.provider);
  await stage.clock.advance(15_000);
  await timed(stage, stage.provider.close());
  const query = "SELECT VALUE c.id FROM c WHERE c.type = 'outbox_intent'";
  emulator.faults.clear();
  const left: unknown[] = [];
  for (const [source = ""] of sources) {
    const { resources } = await stage.raw.items.query(query, { partitionKey: source }).fetchAll();
    if (resources.length > 0) left.push(source);
  }
  expect(left).toEqual(sources[0]);
});

function pendingIntent(source: string, target: string, nowMs: number): Body {
  const at = { enqueuedAtMs: nowMs, visibleAtMs: nowMs, sequence: { writer: "test", number: 1 } };
  const row = { id: `row-${target}`, instanceId: target, item: startItem(target), ...at };
  return newIntent(row, { source, secret: "secret", index: 0 }).body;
}
