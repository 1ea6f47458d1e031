/** At its deadline a lock is invalid even if nobody else has taken it (contract §4, §8, §10). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { activity, completion, raised, started, startItem } from "./support/messages.ts";
import {
  ack,
  createInstance,
  fail,
  fetchOrchestration,
  fetchWork,
  LOCK_MS,
  mustFetch,
  mustFetchWork,
} from "./support/turns.ts";

describe("an expired orchestration lock", () => {
  it("can be neither acknowledged nor renewed, though nobody took it", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await mustFetch(provider);
    await clock.advance(LOCK_MS);
    await fail(ack(provider, fetched, { historyDelta: [started("i")] }), "lock-lost");
    await fail(provider.renewOrchestrationItemLock(fetched.lockToken, LOCK_MS), "lock-lost");
    expect(await provider.readHistory("i")).toEqual([]);
    expect(await fetchOrchestration(provider)).toBeDefined();
  });

  it("can be abandoned until somebody takes the instance again", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const first = await mustFetch(provider);
    await clock.advance(LOCK_MS);
    await provider.abandonOrchestrationItem(first.lockToken, { delayMs: 1_000 });
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(1_000);
    const second = await mustFetch(provider);
    await fail(provider.abandonOrchestrationItem(first.lockToken), "lock-lost");
    await ack(provider, second);
  });

  it("that was taken by another cannot be acknowledged by the first", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const first = await mustFetch(provider);
    await clock.advance(LOCK_MS);
    const second = await mustFetch(provider);
    await fail(ack(provider, first, { historyDelta: [started("i")] }), "lock-lost");
    await ack(provider, second, { historyDelta: [started("i")] });
    expect(await provider.readHistory("i")).toHaveLength(1);
  });
});

describe("an orchestration lock", () => {
  it("is extended by renewal, and never shortened", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const { lockToken } = await mustFetch(provider);
    await clock.advance(LOCK_MS - 1);
    await provider.renewOrchestrationItemLock(lockToken, 10_000);
    await provider.renewOrchestrationItemLock(lockToken, 5);
    await clock.advance(9_999);
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(1);
    expect(await fetchOrchestration(provider)).toBeDefined();
  });

  it("is gone after its acknowledgement, and what arrived meanwhile is due at once", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "one"));
    const fetched = await mustFetch(provider);
    await provider.enqueueForOrchestrator(raised("i", "two"));
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await ack(provider, fetched);
    expect(await fetchOrchestration(provider)).toBeDefined();
    await fail(provider.renewOrchestrationItemLock(fetched.lockToken, 1), "lock-lost");
    await fail(provider.abandonOrchestrationItem(fetched.lockToken), "lock-lost");
  });

  it("given back without a delay is free at once", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i"));
    await store.provider.abandonOrchestrationItem((await mustFetch(store.provider)).lockToken);
    expect(await fetchOrchestration(store.provider)).toBeDefined();
  });
});

describe("an activity lock", () => {
  it("is extended by renewal, and never shortened", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    const { lockToken } = await mustFetchWork(provider, { lockTimeoutMs: 1_000 });
    await clock.advance(600);
    await provider.renewWorkItemLock(lockToken, 1_000);
    await provider.renewWorkItemLock(lockToken, 1);
    await clock.advance(999);
    expect(await fetchWork(provider)).toBeUndefined();
    await clock.advance(1);
    expect((await mustFetchWork(provider)).attemptCount).toBe(2);
  });

  it("that has expired can be neither acknowledged nor renewed, and the activity is delivered again", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    const { lockToken } = await mustFetchWork(provider, { lockTimeoutMs: 1_000 });
    await clock.advance(1_000);
    await fail(provider.ackWorkItem(lockToken, completion("i", 1)), "lock-lost");
    await fail(provider.renewWorkItemLock(lockToken, 1_000), "lock-lost");
    expect(await fetchWork(provider)).toBeDefined();
    await fail(provider.abandonWorkItem(lockToken), "lock-lost");
  });

  it("that has expired can be abandoned until somebody takes the activity again", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    const { lockToken } = await mustFetchWork(provider, { lockTimeoutMs: 1_000 });
    await clock.advance(2_000);
    expect(await fetchWork(provider, { tagFilter: { kind: "tags", tags: ["x"] } })).toBeUndefined();
    await provider.abandonWorkItem(lockToken, { ignoreAttempt: true });
    expect((await mustFetchWork(provider)).attemptCount).toBe(1);
  });

  it("is refused with a token that nobody was given", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (const token of ["", "nonsense", "1.0.00000000-0000-0000-0000-000000000000"]) {
      await fail(provider.renewWorkItemLock(token, 1_000), "lock-lost");
      await fail(provider.ackWorkItem(token), "lock-lost");
      await fail(provider.abandonWorkItem(token), "lock-lost");
    }
  });

  it("given back is free at once with another token, or after the delay", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    const first = await mustFetchWork(provider);
    await provider.abandonWorkItem(first.lockToken);
    const second = await mustFetchWork(provider);
    expect(second.lockToken).not.toBe(first.lockToken);
    await provider.abandonWorkItem(second.lockToken, { delayMs: 500 });
    await clock.advance(499);
    expect(await fetchWork(provider)).toBeUndefined();
    await clock.advance(1);
    expect(await fetchWork(provider)).toBeDefined();
  });
});
