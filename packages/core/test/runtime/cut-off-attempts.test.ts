/**
 * Runs that a shutdown cuts off are no attempts, also if the process ends as soon as the shutdown has resolved; and the
 * store is asked within the grace, so a store that hangs does not make the shutdown longer.
 */
import { activity, Runtime, silentLogger } from "@duroxide-ts/core";
import type { RenewOptions } from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { activityItem } from "../support/work-items.ts";

const LOCK_MS = 10_000;
const ANSWER_MS = 300;
/** Its second half is enough for the answer. */
const GRACE_MS = 1_000;

/** A store that answers a while after the request that takes an attempt off, and then only if the process still runs. */
class SlowStore extends MemoryProvider {
  readonly #clock: VirtualClock;
  processRuns = true;

  constructor(clock: VirtualClock) {
    super({ clock });
    this.#clock = clock;
  }

  override async renewWorkItemLock(token: string, extendMs: number, options?: RenewOptions): Promise<void> {
    if (options?.ignoreAttempt === true) {
      await new Promise<void>((resolve) => this.#clock.schedule(ANSWER_MS, resolve));
      if (!this.processRuns) return;
    }
    await super.renewWorkItemLock(token, extendMs, options);
  }
}

async function serve(provider: MemoryProvider, clock: VirtualClock, handler: () => Promise<unknown>) {
  const runtime = await Runtime.start({
    provider,
    clock,
    activities: [activity("work", handler)],
    orchestrationConcurrency: 0,
    workerLockTimeoutMs: LOCK_MS,
    reportWorker: false,
    logger: silentLogger,
  });
  await clock.settle();
  return runtime;
}

const hangs = (): Promise<never> => new Promise(() => {});

/** One deployment: a process fetches the activity, is shut down, a while later perhaps again, and ends. */
async function deploy(store: SlowStore, clock: VirtualClock, ...graces: readonly number[]): Promise<void> {
  const runtime = await serve(store, clock, hangs);
  for (const graceMs of graces) {
    void runtime.shutdown({ graceMs }).then(() => {
      store.processRuns = false;
    });
    await clock.advance(0.6 * GRACE_MS);
  }
  await clock.advance(LOCK_MS);
  store.processRuns = true;
}

async function attemptsOf(store: MemoryProvider): Promise<number | undefined> {
  const options = { lockTimeoutMs: 1, pollTimeoutMs: 0, tagFilter: { kind: "any" } } as const;
  return (await store.fetchWorkItem(options))?.attemptCount;
}

it("a shutdown resolves when the store has taken its cut-off runs off the count", async () => {
  const clock = new VirtualClock();
  await using store = new SlowStore(clock);
  await store.enqueueForWorker(activityItem());
  for (let deployments = 0; deployments < 12; deployments++) await deploy(store, clock, GRACE_MS);
  expect(await attemptsOf(store)).toBe(1);
});

it("a shutdown that is called again takes a run off the count once", async () => {
  const clock = new VirtualClock();
  await using store = new SlowStore(clock);
  await store.enqueueForWorker(activityItem());
  for (let crashes = 0; crashes < 2; crashes++) await deploy(store, clock, 0);
  await deploy(store, clock, GRACE_MS, GRACE_MS / 4);
  expect(await attemptsOf(store)).toBe(3);
});

it("an activity may end, and is stored, until the grace is over", async () => {
  const clock = new VirtualClock();
  await using store = new MemoryProvider({ clock });
  await store.enqueueForWorker(activityItem());
  const runtime = await serve(
    store,
    clock,
    () => new Promise((resolve) => clock.schedule(GRACE_MS, () => resolve(1))),
  );
  await clock.advance(1);
  const down = runtime.shutdown({ graceMs: GRACE_MS });
  await clock.advance(GRACE_MS);
  await down;
  await clock.advance(LOCK_MS);
  expect(await attemptsOf(store)).toBeUndefined();
});

it.each([500, 20_000])(
  "a shutdown with a grace of %i ms takes no longer while the store hangs",
  async (graceMs) => {
    const clock = new VirtualClock();
    await using store = new MemoryProvider({ clock });
    await store.enqueueForWorker(activityItem());
    const runtime = await serve(store, clock, hangs);
    store.renewWorkItemLock = hangs;
    const startedMs = clock.now();
    let tookMs: number | undefined;
    void runtime.shutdown({ graceMs }).then(() => {
      tookMs = clock.now() - startedMs;
    });
    await clock.advance(graceMs);
    expect(tookMs).toBe(graceMs);
  },
);
