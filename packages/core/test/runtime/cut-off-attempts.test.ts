/** Runs that a shutdown cuts off are no attempts, also if the process ends as soon as the shutdown has resolved. */
import { activity, Runtime, silentLogger } from "@duroxide-ts/core";
import type { RenewOptions } from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { activityItem } from "../support/work-items.ts";

const LOCK_MS = 10_000;
const ANSWER_MS = 300;

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

/** One deployment: a process fetches the activity, is shut down, and ends. */
async function deploy(store: SlowStore, clock: VirtualClock): Promise<void> {
  const runtime = await Runtime.start({
    provider: store,
    clock,
    activities: [activity("work", () => new Promise<never>(() => {}))],
    orchestrationConcurrency: 0,
    workerLockTimeoutMs: LOCK_MS,
    reportWorker: false,
    logger: silentLogger,
  });
  await clock.settle();
  const ended = runtime.shutdown({ graceMs: 50 }).then(() => {
    store.processRuns = false;
  });
  await clock.advance(2 * ANSWER_MS);
  await ended;
  await clock.advance(LOCK_MS);
  store.processRuns = true;
}

it("a shutdown resolves when the store has taken its cut-off runs off the count", async () => {
  const clock = new VirtualClock();
  await using store = new SlowStore(clock);
  await store.enqueueForWorker(activityItem());
  for (let deployments = 0; deployments < 12; deployments++) await deploy(store, clock);
  const fetched = await store.fetchWorkItem({
    lockTimeoutMs: 1,
    pollTimeoutMs: 0,
    tagFilter: { kind: "any" },
  });
  expect(fetched?.attemptCount).toBe(1);
});
