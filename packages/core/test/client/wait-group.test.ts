/** Many waits on one store ask together, rarely, and none is delayed by a clock that is set back (wait-group.ts). */
import { describe, expect, it } from "vitest";
import { waitUntil } from "../../src/client/wait.ts";
import type { Provider } from "../../src/contract/provider.ts";
import { TimeoutError } from "../../src/errors/duroxide-error.ts";
import { overriding } from "../../src/offload/overriding.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

interface Store {
  readonly provider: Provider;
  readonly clock: VirtualClock;
  readonly counts: { looks: number; questions: number };
  /** Marks that the store tells of instances, by instance. */
  readonly marks: Map<string, string>;
}

function storeWith(methods: Partial<Provider> = {}): Store {
  const clock = new VirtualClock();
  const counts = { looks: 0, questions: 0 };
  const marks = new Map<string, string>();
  const provider = overriding<Provider, Provider>(new MemoryProvider({ clock }), {
    changedInstances: async (ids) => {
      counts.questions++;
      return new Map([...marks].filter(([id]) => ids.includes(id)));
    },
    ...methods,
  });
  return { provider, clock, counts, marks };
}

/** Begins this number of waits, each for its own instance; returns what became of them. */
function waits({ provider, clock, counts, marks }: Store, count: number): Promise<string>[] {
  return Array.from({ length: count }, (_, n) =>
    waitUntil(provider, clock, `i${n}`, {}, async () => {
      counts.looks++;
      return marks.get(`i${n}`);
    }),
  );
}

describe("a thousand waits", () => {
  it("look once each, and then ask the store together after growing pauses", async () => {
    const store = storeWith();
    void Promise.allSettled(waits(store, 1_000));
    await store.clock.advance(8_000);
    expect(store.counts.looks).toBe(1_000);
    const before = store.counts.questions;
    await store.clock.advance(60_000);
    expect(store.counts.questions - before).toBeLessThan(25);
    await store.clock.advance(300_000);
    const late = store.counts.questions;
    await store.clock.advance(60_000);
    expect(store.counts.questions - late).toBeLessThanOrEqual(4);
  });

  it("end when the store names their instance, and the others do not look", async () => {
    const store = storeWith();
    const all = waits(store, 1_000);
    await store.clock.advance(100_000);
    store.counts.looks = 0;
    store.marks.set("i7", "done");
    await store.clock.advance(15_000);
    expect(await all[7]).toBe("done");
    expect(store.counts.looks).toBe(1);
  });

  it("end all where they are more than one question names, each within the pause of its group", async () => {
    const store = storeWith();
    const all = waits(store, 2_500);
    await store.clock.advance(100_000);
    for (let n = 0; n < all.length; n++) store.marks.set(`i${n}`, "done");
    store.counts.looks = 0;
    await store.clock.advance(15_000);
    expect(store.counts.looks).toBe(2_500);
    expect(new Set(await Promise.all(all))).toEqual(new Set(["done"]));
  });

  it("look themselves in the end where the store never names their instance", async () => {
    const silent = storeWith({ changedInstances: async () => new Map() });
    const all = waits(silent, 10);
    await silent.clock.advance(100_000);
    silent.marks.set("i3", "done");
    await silent.clock.advance(700_000);
    expect(await all[3]).toBe("done");
  });
});

it("a few waits look by themselves", async () => {
  const store = storeWith();
  const [first] = waits(store, 3);
  await store.clock.advance(30_000);
  expect(store.counts.questions).toBe(0);
  store.marks.set("i0", "done");
  await store.clock.advance(5_000);
  expect(await first).toBe("done");
});

it("a question that fails for good wakes the waits, whose own looks tell of it", async () => {
  const failing = storeWith({ changedInstances: () => Promise.reject(new Error("closed")) });
  const all = waits(failing, 10);
  await failing.clock.advance(1_000);
  failing.marks.set("i1", "done");
  await failing.clock.advance(2_000);
  expect(await all[1]).toBe("done");
});

it("a clock that is set back by an hour delays neither the look nor the limit of a wait", async () => {
  const { provider, clock: timers } = storeWith();
  let backMs = 0;
  const clock = {
    now: () => timers.now() - backMs,
    schedule: (delayMs: number, callback: () => void) => timers.schedule(delayMs, callback),
  };
  let looks = 0;
  const waiting = waitUntil(provider, clock, "i", { timeout: 2_000 }, async () => {
    looks++;
    return undefined;
  });
  const ended = expect(waiting).rejects.toBeInstanceOf(TimeoutError);
  await timers.advance(500);
  backMs = 3_600_000;
  await timers.advance(1_600);
  await ended;
  expect(looks).toBeGreaterThan(3);
});

it("a signal that aborts during a look ends the wait at once", async () => {
  const { provider, clock } = storeWith();
  const stop = new AbortController();
  const waiting = waitUntil(provider, clock, "i", { signal: stop.signal }, async () => {
    stop.abort();
    return undefined;
  });
  await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
});
