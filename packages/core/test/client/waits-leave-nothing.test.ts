/** Waits for an instance leave nothing, however they end: no listener of the store or of a signal, and no timer. */
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { InstanceHandle } from "../../src/client/instance-handle.ts";
import type { WaitOptions } from "../../src/client/wait.ts";
import { waitUntil } from "../../src/client/wait.ts";
import { Client, orchestration, question, Runtime, silentLogger } from "../../src/index.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

/** Counts its listeners; a reader of a stream asks again after a second, as where not every commit is told. */
class WatchedStore extends MemoryProvider {
  override readonly streamPollMs: number = 1_000;
  watchers = 0;

  override watchInstance(instanceId: string, listener: () => void): () => void {
    return this.#counted(super.watchInstance(instanceId, listener));
  }

  override watchStream(instanceId: string, stream: string, listener: () => void): () => void {
    return this.#counted(super.watchStream(instanceId, stream, listener));
  }

  #counted(unwatch: () => void): () => void {
    this.watchers++;
    return () => {
      this.watchers--;
      unwatch();
    };
  }
}

const count = question<void, number>("count");
const shows = orchestration("shows", async (ctx) => {
  await ctx.waitForEvent("go");
  ctx.answer(count, () => 1);
  ctx.setCustomStatus("there");
  ctx.kv.set("key", 1);
  ctx.stream("lines").write("a");
  await ctx.waitForEvent("end");
});

type Handle = InstanceHandle<unknown>;

async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

const WAITS: Readonly<Record<string, (handle: Handle, options: WaitOptions) => Promise<unknown>>> = {
  "for a result": (handle, options) => handle.result(options),
  "for a custom status": (handle, options) => first(handle.customStatus(options)),
  "for a key": (handle, options) => handle.waitFor("key", options),
  "for an answer": (handle, options) => handle.ask(count, undefined, options),
  "for a value of a stream": (handle, { signal }) =>
    first(handle.stream("lines", { ...(signal && { signal }) })),
};

interface World {
  readonly clock: VirtualClock;
  readonly store: WatchedStore;
  readonly handle: Handle;
  runtime(): Promise<Runtime>;
}

/** An instance that waits for its first event. */
async function begun(): Promise<World> {
  const clock = new VirtualClock();
  const store = new WatchedStore({ clock });
  const options = { provider: store, clock, orchestrations: [shows], activities: [], logger: silentLogger };
  const runtime = (): Promise<Runtime> => Runtime.start(options);
  const running = await runtime();
  const handle = await new Client(store, { clock }).start(shows);
  await clock.advance(1_000);
  await running.shutdown();
  return { clock, store, handle, runtime };
}

function left({ clock, store }: World, signal: AbortSignal) {
  return {
    watchers: store.watchers,
    listeners: getEventListeners(signal, "abort").length,
    nextDueMs: clock.nextDueMs,
  };
}

/** The code of streams is loaded when it is first used. */
async function hasBegun({ store }: World): Promise<void> {
  await expect.poll(() => store.watchers).toBeGreaterThan(0);
}

const NOTHING = { watchers: 0, listeners: 0, nextDueMs: undefined };

describe.each(Object.entries(WAITS))("a wait %s", (what, begin) => {
  it("leaves nothing where its signal aborts", async () => {
    const world = await begun();
    const stop = new AbortController();
    const waiting = begin(world.handle, { signal: stop.signal, timeout: { hours: 1 } });
    const ended = expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    await hasBegun(world);
    await world.clock.advance(2_500);
    stop.abort();
    await ended;
    await world.clock.settle();
    expect(left(world, stop.signal)).toEqual(NOTHING);
  });

  // A reading has no limit.
  if (what !== "for a value of a stream")
    it("leaves nothing where its time is over", async () => {
      const world = await begun();
      const { signal } = new AbortController();
      const waiting = begin(world.handle, { signal, timeout: 3_000 });
      const ended = expect(waiting).rejects.toMatchObject({ code: "timeout" });
      await world.clock.advance(3_000);
      await ended;
      await world.clock.settle();
      expect(left(world, signal)).toEqual(NOTHING);
    });

  it("leaves nothing where what it waits for has come", async () => {
    const world = await begun();
    const { signal } = new AbortController();
    const waiting = begin(world.handle, { signal, timeout: { hours: 1 } });
    await hasBegun(world);
    await world.clock.advance(2_500);
    const runtime = await world.runtime();
    await world.handle.raise("go");
    await world.clock.advance(20_000);
    await world.handle.raise("end");
    await world.clock.advance(20_000);
    await waiting;
    await runtime.shutdown();
    expect(left(world, signal)).toEqual(NOTHING);
  });
});

it("a wait whose look fails for good leaves nothing", async () => {
  const world = await begun();
  const { signal } = new AbortController();
  let looks = 0;
  const waiting = waitUntil(world.store, world.clock, "i", { signal, timeout: 60_000 }, async () => {
    if (++looks === 3) throw new Error("closed");
    return undefined;
  });
  const ended = expect(waiting).rejects.toThrow("closed");
  await world.clock.advance(2_500);
  await ended;
  expect(left(world, signal)).toEqual(NOTHING);
});
