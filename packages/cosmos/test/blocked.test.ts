/** Work that waits for fitting code, and locks that are handed out (docs/reference/provider-contract.md §8.1, §8.2). */
import type { BlockedReason, OrchestratorItem } from "@duroxide-ts/core/stores";
import {
  ack,
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  mustFetchWork,
  queueMessage,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, describe, expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import { LOCK_MS, START_MS } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("blocked");

const BLOCKED: BlockedReason = { reason: "nondeterminism", detail: "event 4 differs" };

const CANCEL: OrchestratorItem = { kind: "CancelInstance", instance: "a", reason: "test" };

async function block(delayMs: number): Promise<void> {
  const { lockToken } = await mustFetch(stage);
  await stage.provider.abandonOrchestrationItem(lockToken, {
    delayMs,
    ignoreAttempt: true,
    blocked: BLOCKED,
  });
}

/** A response of the service has at most 2 MB, and a patched document is part of it unless the batch declines it. */
it("messages with more than 2 MB are given back, blocked or not, and offered again", async () => {
  await createInstance(stage, "a");
  const data = JSON.stringify("x".repeat(900_000));
  for (const name of ["first", "second", "third"]) {
    await stage.provider.enqueueForOrchestrator({ kind: "ExternalRaised", instance: "a", name, data });
  }
  await stage.provider.abandonOrchestrationItem((await mustFetch(stage)).lockToken, { delayMs: 0 });
  await block(0);
  const { item } = await mustFetch(stage);
  expect(item.messages).toHaveLength(3);
});

describe("a blocked batch", () => {
  beforeEach(async () => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "approved"));
  });

  it("does not take along what is hidden by a delay of its own", async () => {
    await stage.provider.enqueueForOrchestrator(raised("a", "later"), 30_000);
    await block(60_000);
    await stage.provider.enqueueForOrchestrator(CANCEL);
    expect((await mustFetch(stage)).item.messages).toEqual([raised("a", "approved"), CANCEL]);
  });

  it("is whole again after a fetch that was given back as if it never was", async () => {
    await block(60_000);
    await stage.provider.enqueueForOrchestrator(CANCEL);
    const stop = new AbortController();
    stage.trap.meanwhile(/^batch .*instance/, async () => stop.abort());
    expect(await fetchOrchestration(stage, { signal: stop.signal }).catch(() => undefined)).toBeUndefined();
    expect((await stage.provider.admin.listBlocked({ instanceId: "a" })).blocked).toMatchObject([
      { ...BLOCKED, attempts: 1 },
    ]);
    expect((await mustFetch(stage)).item.messages).toEqual([raised("a", "approved"), CANCEL]);
  });

  it("is visible at once after an abandon without a delay, and not blocked any more", async () => {
    await block(60_000);
    await stage.provider.enqueueForOrchestrator(CANCEL);
    const { lockToken } = await mustFetch(stage);
    await stage.provider.abandonOrchestrationItem(lockToken);
    const fetched = await mustFetch(stage);
    expect(fetched.item.messages).toEqual([raised("a", "approved"), CANCEL]);
    expect(fetched.blocked).toBeUndefined();
  });

  it("can be cancelled however many messages it has", async () => {
    for (let n = 0; n < 80; n++) await stage.provider.enqueueForOrchestrator(queueMessage("a", `m${n}`));
    await block(60_000);
    await stage.provider.enqueueForOrchestrator(CANCEL);
    expect((await mustFetch(stage)).item.messages).toContainEqual(CANCEL);
  });

  it("keeps the numbers that Rust reads valid", async () => {
    await block(1_000);
    const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "orch_queue");
    expect(rows).toMatchObject([{ attemptCount: 0, visibleAt: START_MS + 1_000, enqueuedAt: START_MS }]);
  });
});

it("a blocked activity keeps the orchestration that it belongs to", async () => {
  await createInstance(stage, "a", { workerItems: [activity("a", 2)] });
  const { lockToken } = await mustFetchWork(stage);
  await stage.provider.abandonWorkItem(lockToken, { blocked: BLOCKED });
  expect((await mustFetchWork(stage)).orchestration).toEqual({ name: "TestOrch", version: "1.0.0" });
});

describe("a renewal", () => {
  it("takes the fetch of a batch off the counts, and marks it", async () => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(stage);
    expect(fetched.loneRuns).toBeUndefined();
    await stage.provider.renewOrchestrationItemLock(fetched.lockToken, LOCK_MS, {
      ignoreAttempt: true,
      alone: true,
    });
    await stage.clock.advance(LOCK_MS + 1);
    const again = await mustFetch(stage);
    expect(again).toMatchObject({ attemptCount: 1, loneRuns: 1 });
    await ack(stage, again);
    await stage.provider.enqueueForOrchestrator(raised("a", "next"));
    expect((await mustFetch(stage)).loneRuns).toBeUndefined();
    const instance = (await allDocuments(stage.raw)).find(({ type }) => type === "instance");
    expect(instance).not.toHaveProperty("duroxideTs.alone");
  });

  it("does not mark messages that come later", async () => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "marked"));
    const { lockToken } = await mustFetch(stage);
    await stage.provider.renewOrchestrationItemLock(lockToken, LOCK_MS, { alone: true });
    await stage.provider.abandonOrchestrationItem(lockToken, { delayMs: 1_000 });
    await stage.provider.enqueueForOrchestrator(raised("a", "later"));
    const later = await mustFetch(stage);
    expect(later.loneRuns).toBeUndefined();
    await ack(stage, later);
    await stage.clock.advance(1_000);
    expect((await mustFetch(stage)).loneRuns).toBe(1);
  });

  it("whose answer is lost counts once", async () => {
    await createInstance(stage, "a", { workerItems: [activity("a", 2)] });
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    for (let n = 0; n < 3; n++) {
      await mustFetch(stage);
      await mustFetchWork(stage);
      await stage.clock.advance(LOCK_MS + 1);
    }
    const [turn, work] = [await mustFetch(stage), await mustFetchWork(stage)];
    stage.trap.loseAnswerOf(/^batch/, async () => {});
    await stage.provider.renewOrchestrationItemLock(turn.lockToken, LOCK_MS + 1, { ignoreAttempt: true });
    stage.trap.loseAnswerOf(/^batch/, async () => {});
    await stage.provider.renewWorkItemLock(work.lockToken, LOCK_MS + 1, { ignoreAttempt: true });
    await stage.clock.advance(LOCK_MS + 2);
    expect((await mustFetch(stage)).attemptCount).toBe(4);
    expect((await mustFetchWork(stage)).attemptCount).toBe(4);
  });
});

describe("a lock", () => {
  it("of an activity that is nearly over when it is there is given back, and does not count", async () => {
    await createInstance(stage, "a", { workerItems: [activity("a", 2)] });
    stage.trap.meanwhile(/^batch .*worker_queue/, () => stage.clock.advance(LOCK_MS * 0.9));
    expect(await fetchWork(stage)).toBeUndefined();
    expect((await mustFetchWork(stage)).attemptCount).toBe(1);
  });

  it("of a turn that is nearly over when it is there is taken anew, and does not count", async () => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    stage.trap.meanwhile(/^batch .*instance/, () => stage.clock.advance(LOCK_MS * 0.9));
    const fetched = given(await fetchOrchestration(stage), "a turn");
    expect(fetched.attemptCount).toBe(1);
    expect(fetched.lockedUntilMs).toBeGreaterThanOrEqual(stage.clock.now() + LOCK_MS);
  });

  it("that a commit took in passing and that is nearly over is not handed to the worker that waits", async () => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    const turn = await mustFetch(stage);
    const waiting = fetchWork(stage, { pollTimeoutMs: 600_000 });
    await stage.trap.idle();
    stage.trap.meanwhile(/^batch .*worker_queue/, () => stage.clock.advance(LOCK_MS * 0.9));
    await ack(stage, turn, { workerItems: [activity("a", 2)] });
    const fetched = given(await waiting, "an activity");
    expect(fetched.attemptCount).toBe(1);
    expect(fetched.lockedUntilMs).toBeGreaterThanOrEqual(stage.clock.now() + LOCK_MS);
  });
});
