/** A runtime whose store fails for hours has as many listeners and timers afterwards as before. */
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { type Clock, sleep } from "../../src/contract/clock.ts";
import type { FetchedOrchestration, FetchedWork } from "../../src/contract/provider.ts";
import { ProviderError } from "../../src/contract/provider-error.ts";
import { activity, orchestration, Runtime, silentLogger } from "../../src/index.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

/** Calls take time to fail, as those of an unreachable service do, so that slots wait for the probe of another. */
class SlowlyFailing extends MemoryProvider {
  isDown = false;
  faults = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    super({ clock });
    this.#clock = clock;
  }

  override async fetchOrchestrationItem(
    ...args: Parameters<MemoryProvider["fetchOrchestrationItem"]>
  ): Promise<FetchedOrchestration | undefined> {
    await this.#fail();
    return super.fetchOrchestrationItem(...args);
  }

  override async fetchWorkItem(
    ...args: Parameters<MemoryProvider["fetchWorkItem"]>
  ): Promise<FetchedWork | undefined> {
    await this.#fail();
    return super.fetchWorkItem(...args);
  }

  async #fail(): Promise<void> {
    if (!this.isDown) return;
    this.faults++;
    await sleep(this.#clock, 500);
    throw new ProviderError({ code: "unavailable", operation: "fetch", message: "down", retryable: true });
  }
}

/** The timers that are set, and the listeners of every signal that has had one. */
function counted(clock: VirtualClock) {
  let timers = 0;
  const signals = new Set<AbortSignal>();
  const { addEventListener } = AbortSignal.prototype;
  AbortSignal.prototype.addEventListener = function (
    this: AbortSignal,
    ...args: Parameters<typeof addEventListener>
  ) {
    signals.add(this);
    return addEventListener.apply(this, args);
  };
  const counting: Clock = {
    now: () => clock.now(),
    schedule(delayMs, callback) {
      timers++;
      let isSet = true;
      const end = (): void => {
        if (isSet) timers--;
        isSet = false;
      };
      const cancel = clock.schedule(delayMs, () => {
        end();
        callback();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
  return {
    clock: counting,
    counts: () => ({
      timers,
      listeners: [...signals].reduce((sum, each) => sum + getEventListeners(each, "abort").length, 0),
    }),
    [Symbol.dispose]: () => {
      AbortSignal.prototype.addEventListener = addEventListener;
    },
  };
}

/** The highest counts in so many milliseconds. */
async function most(
  clock: VirtualClock,
  counts: () => { readonly timers: number; readonly listeners: number },
  ms: number,
) {
  const highest = { timers: 0, listeners: 0 };
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    await clock.advance(250);
    const { timers, listeners } = counts();
    highest.timers = Math.max(highest.timers, timers);
    highest.listeners = Math.max(highest.listeners, listeners);
  }
  return highest;
}

it("a store that fails slowly leaves no listener and no timer behind", async () => {
  const virtual = new VirtualClock(0);
  using count = counted(virtual);
  const provider = new SlowlyFailing(count.clock);
  const hello = activity("hello", async () => "hello");
  const runtime = await Runtime.start({
    provider,
    orchestrations: [orchestration("o", async (ctx) => ctx.scheduleActivity(hello))],
    activities: [hello],
    clock: count.clock,
    logger: silentLogger,
    orchestrationConcurrency: 30,
    workerConcurrency: 30,
  });
  await virtual.advance(120_000);
  const before = count.counts();

  provider.isDown = true;
  await virtual.advance(60_000);
  const early = await most(virtual, count.counts, 10_000);
  await virtual.advance(1_000_000);
  expect(provider.faults).toBeGreaterThan(500);
  expect(await most(virtual, count.counts, 10_000)).toEqual(early);
  expect(early.listeners).toBeLessThanOrEqual(before.listeners);
  // The slots that wait have one timer together.
  expect(early.timers).toBeLessThan(20);

  provider.isDown = false;
  await virtual.advance(120_000);
  expect(count.counts()).toEqual(before);

  await runtime.shutdown({ graceMs: 0 });
  await virtual.settle();
  expect(count.counts()).toEqual({ timers: 0, listeners: 0 });
});
