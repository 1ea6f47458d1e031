/** The fate of a run whose lock ends (activity-lock.AL1 and activity-lock.AL2). */
import { activity, Runtime, type RuntimeOptions, silentLogger, sleep } from "@duroxide-ts/core";
import {
  type FetchedWork,
  type FetchWorkOptions,
  ProviderError,
  type RenewOptions,
} from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { beforeEach, expect, it } from "vitest";
import { activityItem } from "../support/work-items.ts";

const LOCK_MS = 10_000;
/** More than an outcome is offered while its lock lasts. */
const MOST_ACKS = 20;
const UNAVAILABLE = new ProviderError({ code: "unavailable", operation: "renew", message: "no answer" });

/** A store whose renewals can fail, and which can stop delivering to this process. */
class Store extends MemoryProvider {
  renewalError: ProviderError | undefined;
  ackError: ProviderError | undefined;
  acks = 0;
  stored = 0;
  delivers = true;
  deliveries = 0;

  override async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    if (!this.delivers) return undefined;
    const fetched = await super.fetchWorkItem({ ...options, pollTimeoutMs: 0 });
    if (fetched !== undefined) this.deliveries++;
    return fetched;
  }

  override async renewWorkItemLock(token: string, extendMs: number, options?: RenewOptions): Promise<void> {
    if (this.renewalError !== undefined) throw this.renewalError;
    await super.renewWorkItemLock(token, extendMs, options);
  }

  override async ackWorkItem(...args: Parameters<MemoryProvider["ackWorkItem"]>): Promise<void> {
    if (++this.acks > MOST_ACKS) throw new Error("the outcome is offered again and again");
    if (this.ackError !== undefined) throw this.ackError;
    await super.ackWorkItem(...args);
    this.stored++;
  }
}

let clock: VirtualClock;
let store: Store;
beforeEach(async () => {
  clock = new VirtualClock(0);
  store = new Store({ clock });
  await store.enqueueForWorker(activityItem());
  return () => store[Symbol.asyncDispose]();
});

/** Runs an activity of a minute, and notes when its handler began and when it was asked to stop. */
async function startMinute(options: Partial<RuntimeOptions> = {}) {
  const beganAtMs: number[] = [];
  const stoppedAtMs: number[] = [];
  const work = activity("work", async ({ signal }) => {
    beganAtMs.push(clock.now());
    signal.addEventListener("abort", () => stoppedAtMs.push(clock.now()));
    await sleep(clock, 60_000, signal);
  });
  const runtime = await Runtime.start({
    provider: store,
    clock,
    activities: [work],
    orchestrationConcurrency: 0,
    workerConcurrency: 2,
    workerLockTimeoutMs: LOCK_MS,
    reportWorker: false,
    logger: silentLogger,
    ...options,
  });
  await clock.settle();
  return { beganAtMs, stoppedAtMs, runtime };
}

it("a lock that is gone asks the handler to stop at once (activity-lock.AL1)", async () => {
  const { stoppedAtMs, runtime } = await startMinute();
  store.delivers = false;
  store.renewalError = ProviderError.lockLost("renewWorkItemLock");
  await clock.advance(2 * LOCK_MS);
  expect(stoppedAtMs).toEqual([LOCK_MS / 2]);
  await runtime.shutdown();
});

it("a lock that has expired asks the handler to stop one lock timeout later (activity-lock.AL1)", async () => {
  const { stoppedAtMs, runtime } = await startMinute();
  store.delivers = false;
  store.renewalError = UNAVAILABLE;
  await clock.advance(3 * LOCK_MS);
  expect(stoppedAtMs).toEqual([2 * LOCK_MS]);
  await runtime.shutdown();
});

it("a lock that has expired and was replaced asks for nothing, and the new one is renewed (activity-lock.AL2)", async () => {
  const { beganAtMs, stoppedAtMs, runtime } = await startMinute();
  store.delivers = false;
  store.renewalError = UNAVAILABLE;
  await clock.advance(LOCK_MS + 1_000);
  store.delivers = true;
  store.renewalError = undefined;
  await clock.advance(60_000);
  expect([beganAtMs, stoppedAtMs, store.deliveries]).toEqual([[0], [], 2]);
  await runtime.shutdown();
});

it("an outcome that is stored again is stored under the lock of the last delivery (activity-ack.ts)", async () => {
  let runs = 0;
  const work = activity("work", async () => {
    runs++;
    await sleep(clock, 4_000);
  });
  const { runtime } = await startMinute({
    activities: [work],
    random: { next: () => 0, uuid: () => crypto.randomUUID() },
  });
  store.renewalError = UNAVAILABLE;
  store.ackError = UNAVAILABLE;
  // Offered at 4 s, 4.02 s, 4.06 s, ... 9.1 s, and then at 14.1 s. The lock ends at 10 s.
  await clock.advance(9_500);
  store.ackError = undefined;
  await clock.advance(3_000);
  expect([store.deliveries, runs]).toEqual([2, 1]);
  store.renewalError = undefined;
  await clock.advance(10_000);
  expect(store.stored, "outcomes").toBe(1);
  await runtime.shutdown();
});
