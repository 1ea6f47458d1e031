/** One holder per instance; a batch is what was visible when it was taken (contract §4). */
import { describe, expect, it } from "vitest";
import { openMemory } from "./support/fixture.ts";
import { completion, raised, startItem } from "./support/messages.ts";
import { ack, createInstance, fail, fetchOrchestration, LOCK_MS, mustFetch } from "./support/turns.ts";

const names = (messages: readonly object[]): unknown[] =>
  messages.map((message) => ("name" in message ? message.name : (message as { kind: string }).kind));

describe("an instance lock", () => {
  it("excludes others until it expires, and is then taken with another token", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const first = await mustFetch(provider);
    await clock.advance(LOCK_MS - 1);
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(1);
    const second = await mustFetch(provider);
    expect(second.lockToken).not.toBe(first.lockToken);
  });

  it("does not block other instances", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("a"));
    await provider.enqueueForOrchestrator(startItem("b"));
    const a = await mustFetch(provider);
    const b = await mustFetch(provider);
    expect([a.item.instanceId, b.item.instanceId]).toEqual(["a", "b"]);
    await ack(provider, b);
    await provider.enqueueForOrchestrator(startItem("b"));
    expect((await mustFetch(provider)).item.instanceId).toBe("b");
  });

  it("is given once to many fetches at the same time", async () => {
    await using store = await openMemory();
    const { provider } = store;
    for (let n = 0; n < 20; n++) await provider.enqueueForOrchestrator(startItem(`i-${n}`));
    const fetched = await Promise.all(Array.from({ length: 40 }, () => fetchOrchestration(provider)));
    const ids = fetched.map((each) => each?.item.instanceId).filter((id) => id !== undefined);
    expect(new Set(ids).size).toBe(20);
    expect(ids).toHaveLength(20);
    expect(new Set(fetched.map((each) => each?.lockToken)).size).toBe(21);
  });

  it("is refused with a token that nobody was given", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    const fetched = await mustFetch(provider);
    const [key, instant] = fetched.lockToken.split(".");
    for (const lockToken of ["", "x", "1.1.", `${key}.${instant}.0`, `99.${instant}.${fetched.lockToken}`]) {
      await fail(ack(provider, { ...fetched, lockToken }), "lock-lost");
      await fail(provider.abandonOrchestrationItem(lockToken), "lock-lost");
      await fail(provider.renewOrchestrationItemLock(lockToken, 1_000), "lock-lost");
    }
    await ack(provider, fetched);
  });
});

describe("a batch", () => {
  it("holds messages that arrive during a lock back for the next one, in order", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("i"));
    await mustFetch(provider);
    for (const id of [1, 2, 3]) await provider.enqueueForOrchestrator(completion("i", id));
    expect(await fetchOrchestration(provider)).toBeUndefined();
    await clock.advance(LOCK_MS);
    const { item } = await mustFetch(provider);
    expect(item.messages.map((message) => ("id" in message ? message.id : message.kind))).toEqual([
      "StartOrchestration",
      1,
      2,
      3,
    ]);
  });

  it("is all that an acknowledgement removes", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "one"));
    const first = await mustFetch(provider);
    await provider.enqueueForOrchestrator(raised("i", "two"));
    await provider.enqueueForOrchestrator(raised("i", "three"));
    await ack(provider, first);
    const second = await mustFetch(provider);
    expect(names(second.item.messages)).toEqual(["two", "three"]);
  });

  it("of a large backlog is a part of it, and the rest follows in order", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    for (let n = 0; n < 2_500; n += 500) {
      const some = Array.from({ length: 500 }, (_, index) => raised("i", String(n + index)));
      await Promise.all(some.map((item) => provider.enqueueForOrchestrator(item)));
      await clock.advance(1);
    }
    const seen: unknown[] = [];
    const sizes: number[] = [];
    for (
      let fetched = await fetchOrchestration(provider);
      fetched;
      fetched = await fetchOrchestration(provider)
    ) {
      seen.push(...names(fetched.item.messages));
      sizes.push(fetched.item.messages.length);
      await ack(provider, fetched);
    }
    expect(sizes).toEqual([1_000, 1_000, 500]);
    expect(seen).toEqual(Array.from({ length: 2_500 }, (_, n) => String(n)));
  });
});

describe("fetches", () => {
  it("take the instances in the order in which they became due", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForOrchestrator(startItem("late"), 500);
    await provider.enqueueForOrchestrator(startItem("early"), 100);
    await clock.advance(1_000);
    await provider.enqueueForOrchestrator(startItem("new"));
    const order = [];
    for (let n = 0; n < 3; n++) order.push((await mustFetch(provider)).item.instanceId);
    expect(order).toEqual(["early", "late", "new"]);
  });
});
