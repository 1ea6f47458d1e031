/** How waiting fetches are kept: in order, without leaving anything behind, and whatever the moment at which they come. */
import type { CancelTimer } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import {
  activity,
  type Caller,
  fetchOrchestration,
  fetchWork,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { inMemory, openMemory } from "./support/fixture.ts";

interface Kind {
  readonly kind: string;
  fetch(caller: Caller, pollTimeoutMs: number, signal?: AbortSignal): Promise<object | undefined>;
  enqueue(caller: Caller, n?: number): Promise<unknown>;
}

const KINDS: Kind[] = [
  {
    kind: "an orchestration",
    fetch: (caller, pollTimeoutMs, signal) =>
      fetchOrchestration(caller, { pollTimeoutMs, ...(signal === undefined ? {} : { signal }) }),
    enqueue: ({ provider }, n = 0) => provider.enqueueForOrchestrator(startItem(`i-${n}`)),
  },
  {
    kind: "an activity",
    fetch: (caller, pollTimeoutMs, signal) =>
      fetchWork(caller, { pollTimeoutMs, ...(signal === undefined ? {} : { signal }) }),
    enqueue: ({ provider }, n = 0) => provider.enqueueForWorker(activity("i", n)),
  },
];

/** The state of a promise so far. */
function watch(promise: Promise<unknown>): { readonly settled: boolean; readonly value: unknown } {
  const state = { settled: false, value: undefined as unknown };
  void promise.then((value) => Object.assign(state, { settled: true, value }));
  return state;
}

/** A signal with the number of its listeners. */
function countedSignal(): { readonly signal: AbortSignal; readonly listeners: () => number } {
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
  return { signal, listeners: () => listeners };
}

describe.each(KINDS)("a fetch of $kind", ({ fetch, enqueue }) => {
  inMemory("leaves no listener behind on its signal (on-abort.OA1, parked-fetches.P5)", async (store) => {
    const { signal, listeners } = countedSignal();
    await enqueue(store);
    await fetch(store, 500, signal);
    const waiting = fetch(store, 500, signal);
    await store.clock.advance(500);
    await waiting;
    expect(listeners()).toBe(0);
  });

  it("shares the listener of its signal with the others that wait on it (on-abort.OA1)", async () => {
    await using store = await openMemory();
    const { signal, listeners } = countedSignal();
    const waiting = [500, 1_000, 1_000].map((pollTimeoutMs) => fetch(store, pollTimeoutMs, signal));
    expect(listeners()).toBe(1);
    await store.clock.advance(500);
    expect(listeners()).toBe(1);
    await store.clock.advance(500);
    await Promise.all(waiting);
    expect(listeners()).toBe(0);
  });

  inMemory("is served before those that came later (parked-fetches.P3)", async (store) => {
    const waiting = [1, 2, 3].map(() => watch(fetch(store, 500)));
    await enqueue(store, 0);
    await store.clock.settle();
    expect(waiting.map(({ settled }) => settled)).toEqual([true, false, false]);
    await enqueue(store, 1);
    await store.clock.settle();
    expect(waiting.map(({ settled }) => settled)).toEqual([true, true, false]);
    await store.clock.advance(500);
    expect(waiting[2]).toEqual({ settled: true, value: undefined });
  });

  it("begun the moment another call returns finds what is there (parked-fetches.P1)", async () => {
    const pause = async (hops: number): Promise<void> => {
      for (let n = 0; n < hops; n++) await undefined;
    };
    for (let hops = 0; hops < 12; hops++) {
      await using store = await openMemory();
      await enqueue(store);
      await pause(hops);
      expect(await fetch(store, 0)).toBeDefined();
      await pause(hops);
      expect(await fetch(store, 0)).toBeUndefined();
      await pause(hops);
      const waiting = watch(fetch(store, 60_000));
      await store.clock.advance(30_000);
      expect(waiting.value).toBeDefined();
    }
  });
});

/** Time that does not stand still: every reading takes a millisecond, and short timers fire at once. */
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
  it.each([0, 1, 5, 15])("of %d ms searches once all the same (parked-fetches.P1)", async (pollTimeoutMs) => {
    await using store = await openMemory({ clock: new Hurrying() });
    const { provider } = store;
    for (let n = 0; n < 20; n++) {
      await provider.enqueueForOrchestrator(startItem(`i-${n}`));
      expect(await fetchOrchestration(store, { pollTimeoutMs }), `round ${n}`).toBeDefined();
      expect(await fetchOrchestration(store, { pollTimeoutMs })).toBeUndefined();
    }
  });
});

it("many waiting fetches do not search one by one while there is nothing (parked-fetches.P6)", async () => {
  await using store = await openMemory();
  const waiting = Array.from({ length: 500 }, () => fetchWork(store, { pollTimeoutMs: 10_000 }));
  await store.clock.settle();
  for (let n = 0; n < 500; n++) await store.provider.enqueueForWorker(activity("i", n));
  const ids = (await Promise.all(waiting)).map((work) => work?.item.id);
  expect(ids).toEqual(Array.from({ length: 500 }, (_, n) => n));
});
