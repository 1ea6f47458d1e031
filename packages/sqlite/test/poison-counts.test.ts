/** Every fetch of a message counts, and giving it back can take that off again (contract §4, §8). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { activity, completion, queueMessage, raised, startItem } from "./support/messages.ts";
import { createInstance, fetchOrchestration, LOCK_MS, mustFetch, mustFetchWork } from "./support/turns.ts";

describe("attempts at an orchestration", () => {
  it("count from 1, once per fetch, also when the lock just expires", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const first = await mustFetch(provider);
    expect(first.attemptCount).toBe(1);
    await provider.abandonOrchestrationItem(first.lockToken);
    expect((await mustFetch(provider)).attemptCount).toBe(2);
    await clock.advance(LOCK_MS);
    expect((await mustFetch(provider)).attemptCount).toBe(3);
  });

  it("are taken off by ignoreAttempt, never below zero", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    for (let n = 0; n < 3; n++) {
      const { attemptCount, lockToken } = await mustFetch(provider);
      expect(attemptCount).toBe(1);
      await provider.abandonOrchestrationItem(lockToken, { ignoreAttempt: true });
    }
    await provider.abandonOrchestrationItem((await mustFetch(provider)).lockToken);
    expect((await mustFetch(provider)).attemptCount).toBe(2);
  });

  it("of a batch are those of the message that was fetched most often", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    for (let n = 0; n < 2; n++) {
      await provider.abandonOrchestrationItem((await mustFetch(provider)).lockToken);
    }
    await provider.enqueueForOrchestrator(completion("i", 1));
    const { item, attemptCount } = await mustFetch(provider);
    expect([item.messages.length, attemptCount]).toEqual([2, 3]);
  });

  it("at a hidden message are not touched by an undo at others", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(startItem("i"));
    await provider.abandonOrchestrationItem((await mustFetch(provider)).lockToken);
    await provider.abandonOrchestrationItem((await mustFetch(provider)).lockToken, { delayMs: 1_000 });
    await provider.enqueueForOrchestrator(queueMessage("i", "q"));
    const alone = await mustFetch(provider);
    expect(alone.item.messages).toEqual([queueMessage("i", "q")]);
    expect(alone.attemptCount).toBe(1);
    await provider.abandonOrchestrationItem(alone.lockToken, { ignoreAttempt: true });
    await clock.advance(1_000);
    const both = await mustFetch(provider);
    expect([both.item.messages.length, both.attemptCount]).toEqual([2, 3]);
  });
});

describe("a delayed abandon", () => {
  it("hides only what its fetch had", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "first"));
    const fetched = await mustFetch(provider);
    await provider.enqueueForOrchestrator(raised("i", "second"));
    await provider.abandonOrchestrationItem(fetched.lockToken, { delayMs: 5_000 });
    const later = await mustFetch(provider);
    expect(later.item.messages).toEqual([raised("i", "second")]);
    await provider.abandonOrchestrationItem(later.lockToken);
    await clock.advance(5_000);
    expect((await mustFetch(provider)).item.messages).toEqual([raised("i", "first"), raised("i", "second")]);
  });

  it("does not bring the instance forward or hold it back", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    await provider.abandonOrchestrationItem((await mustFetch(provider)).lockToken, { delayMs: 5_000 });
    await clock.advance(4_999);
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(1);
    expect((await mustFetch(provider)).attemptCount).toBe(2);
  });
});

describe("attempts at an activity", () => {
  it("count per activity, also when the lock just expires", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    await provider.enqueueForWorker(activity("i", 2));
    expect((await mustFetchWork(provider, { lockTimeoutMs: 1_000 })).attemptCount).toBe(1);
    expect((await mustFetchWork(provider)).attemptCount).toBe(1);
    await clock.advance(1_000);
    expect((await mustFetchWork(provider)).attemptCount).toBe(2);
  });

  it("are taken off by ignoreAttempt, never below zero", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForWorker(activity("i", 1));
    for (let n = 0; n < 3; n++) {
      const { attemptCount, lockToken } = await mustFetchWork(provider);
      expect(attemptCount).toBe(1);
      await provider.abandonWorkItem(lockToken, { ignoreAttempt: true });
    }
    await provider.abandonWorkItem((await mustFetchWork(provider)).lockToken);
    expect((await mustFetchWork(provider)).attemptCount).toBe(2);
  });
});
