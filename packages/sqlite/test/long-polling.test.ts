/** A fetch waits up to its time for something to do, and no longer (contract §5, §6.8). */
import type { CancelTimer, Provider } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { openFile, openMemory } from "./support/fixture.ts";
import { activity, raised, startItem } from "./support/messages.ts";
import { createInstance, fail, fetchOrchestration, fetchWork, mustFetch } from "./support/turns.ts";

interface Kind {
  readonly kind: string;
  fetch(provider: Provider, pollTimeoutMs: number, signal?: AbortSignal): Promise<object | undefined>;
  enqueue(provider: Provider): Promise<void>;
}

const KINDS: Kind[] = [
  {
    kind: "an orchestration",
    fetch: (provider, pollTimeoutMs, signal) =>
      fetchOrchestration(provider, { pollTimeoutMs, ...(signal === undefined ? {} : { signal }) }),
    enqueue: (provider) => provider.enqueueForOrchestrator(startItem("i")),
  },
  {
    kind: "an activity",
    fetch: (provider, pollTimeoutMs, signal) =>
      fetchWork(provider, { pollTimeoutMs, ...(signal === undefined ? {} : { signal }) }),
    enqueue: (provider) => provider.enqueueForWorker(activity("i", 1)),
  },
];

/** What became of a promise so far. */
function watch(promise: Promise<unknown>): { readonly settled: boolean; readonly value: unknown } {
  const state = { settled: false, value: undefined as unknown };
  void promise.then((value) => Object.assign(state, { settled: true, value }));
  return state;
}

describe.each(KINDS)("a fetch of $kind", ({ fetch, enqueue }) => {
  it("with no time to wait returns at once, with something or nothing", async () => {
    await using store = await openMemory();
    expect(await fetch(store.provider, 0)).toBeUndefined();
    await enqueue(store.provider);
    expect(await fetch(store.provider, 0)).toBeDefined();
  });

  it("waits exactly as long as it may", async () => {
    await using store = await openFile();
    const waiting = watch(fetch(store.provider, 500));
    await store.clock.advance(499);
    expect(waiting.settled).toBe(false);
    await store.clock.advance(1);
    expect(waiting).toEqual({ settled: true, value: undefined });
  });

  it("returns as soon as there is something, without time going by", async () => {
    await using store = await openMemory();
    const waiting = watch(fetch(store.provider, 500));
    await store.clock.settle();
    await enqueue(store.provider);
    await store.clock.settle();
    expect(waiting.value).toBeDefined();
  });

  it("ends with nothing when its signal aborts, and takes nothing afterwards", async () => {
    await using store = await openMemory();
    const controller = new AbortController();
    const waiting = watch(fetch(store.provider, 500, controller.signal));
    await store.clock.settle();
    controller.abort();
    await store.clock.settle();
    expect(waiting).toEqual({ settled: true, value: undefined });
    await enqueue(store.provider);
    expect(await fetch(store.provider, 0)).toBeDefined();
    expect(await fetch(store.provider, 500, controller.signal)).toBeUndefined();
  });

  it("leaves no listener behind on its signal", async () => {
    await using store = await openMemory();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await enqueue(store.provider);
    await fetch(store.provider, 500, signal);
    const waiting = fetch(store.provider, 500, signal);
    await store.clock.advance(500);
    await waiting;
    expect(listeners).toBe(0);
  });

  it("is served before those that came later", async () => {
    await using store = await openMemory();
    const first = watch(fetch(store.provider, 500));
    const second = watch(fetch(store.provider, 500));
    await enqueue(store.provider);
    await store.clock.settle();
    expect([first.settled, second.settled]).toEqual([true, false]);
    await store.clock.advance(500);
    expect(second).toEqual({ settled: true, value: undefined });
  });

  it("ends with nothing when the provider is closed, and is refused afterwards", async () => {
    const { provider } = await openMemory();
    const waiting = fetch(provider, 500);
    await provider[Symbol.asyncDispose]();
    expect(await waiting).toBeUndefined();
    await fail(fetch(provider, 0), "closed");
    await provider[Symbol.asyncDispose]();
  });

  it("begun the moment another call returns finds what is there", async () => {
    const pause = async (hops: number): Promise<void> => {
      for (let n = 0; n < hops; n++) await undefined;
    };
    for (let hops = 0; hops < 12; hops++) {
      await using store = await openMemory();
      await enqueue(store.provider);
      await pause(hops);
      expect(await fetch(store.provider, 0)).toBeDefined();
      await pause(hops);
      expect(await fetch(store.provider, 0)).toBeUndefined();
      await pause(hops);
      const waiting = watch(fetch(store.provider, 60_000));
      await store.clock.advance(30_000);
      expect(waiting.value).toBeDefined();
    }
  });
});

/** Time that does not stand still: every look at it takes a millisecond, and short timers fire at once. */
class Hurrying extends VirtualClock {
  #lookedMs = 0;

  override now(): number {
    return super.now() + this.#lookedMs++;
  }

  override schedule(delayMs: number, callback: () => void): CancelTimer {
    if (delayMs > 20) return super.schedule(delayMs, callback);
    let cancelled = false;
    queueMicrotask(() => cancelled || callback());
    return () => {
      cancelled = true;
    };
  }
}

describe("a fetch with hardly any time", () => {
  it.each([0, 1, 5, 15])("of %d ms looks once all the same", async (pollTimeoutMs) => {
    await using store = await openMemory({ clock: new Hurrying() });
    const { provider } = store;
    for (let n = 0; n < 20; n++) {
      await provider.enqueueForOrchestrator(startItem(`i-${n}`));
      expect(await fetchOrchestration(provider, { pollTimeoutMs }), `round ${n}`).toBeDefined();
      expect(await fetchOrchestration(provider, { pollTimeoutMs })).toBeUndefined();
    }
  });
});

describe("a waiting fetch wakes", () => {
  it("when a hidden message becomes visible", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("i"), 200);
    const waiting = watch(fetchOrchestration(store.provider, { pollTimeoutMs: 60_000 }));
    await store.clock.advance(199);
    expect(waiting.settled).toBe(false);
    await store.clock.advance(1);
    expect(waiting.value).toBeDefined();
  });

  it("when a message is queued that becomes visible before all others", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForOrchestrator(startItem("late"), 5_000);
    const waiting = watch(fetchOrchestration(store.provider, { pollTimeoutMs: 60_000 }));
    await store.clock.advance(10);
    await store.provider.enqueueForOrchestrator(startItem("early"), 100);
    await store.clock.advance(100);
    expect(waiting.value).toMatchObject({ item: { instanceId: "early" } });
  });

  it.each(KINDS)("when the lock of $kind expires", async ({ fetch, enqueue }) => {
    await using store = await openMemory();
    await enqueue(store.provider);
    await fetch(store.provider, 0);
    const waiting = watch(fetch(store.provider, 60_000));
    await store.clock.advance(29_999);
    expect(waiting.settled).toBe(false);
    await store.clock.advance(1);
    expect(waiting.value).toMatchObject({ attemptCount: 2 });
  });

  it("when a lock is given back, at once or after the delay", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(provider, "i");
    await provider.enqueueForOrchestrator(raised("i", "e"));
    const first = await mustFetch(provider);
    const second = fetchOrchestration(provider, { pollTimeoutMs: 60_000 });
    await provider.abandonOrchestrationItem(first.lockToken);
    const third = watch(fetchOrchestration(provider, { pollTimeoutMs: 60_000 }));
    await provider.abandonOrchestrationItem((await second)?.lockToken ?? "", { delayMs: 700 });
    await clock.advance(700);
    expect(third.value).toMatchObject({ attemptCount: 3 });
  });

  it("when an activity is given back with a delay", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await provider.enqueueForWorker(activity("i", 1));
    const work = await fetchWork(provider);
    const waiting = watch(fetchWork(provider, { pollTimeoutMs: 60_000 }));
    await provider.abandonWorkItem(work?.lockToken ?? "", { delayMs: 300 });
    await clock.advance(299);
    expect(waiting.settled).toBe(false);
    await clock.advance(1);
    expect(waiting.value).toMatchObject({ attemptCount: 2 });
  });

  it("and many of them take no look each while there is nothing", async () => {
    await using store = await openMemory();
    const waiting = Array.from({ length: 500 }, () => fetchWork(store.provider, { pollTimeoutMs: 10_000 }));
    await store.clock.settle();
    for (let n = 0; n < 500; n++) await store.provider.enqueueForWorker(activity("i", n));
    const ids = (await Promise.all(waiting)).map((work) => work?.item.id);
    expect(ids).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });
});
