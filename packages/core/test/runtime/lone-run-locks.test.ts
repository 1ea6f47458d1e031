/**
 * The lock of a lone run may end before the run (docs/decisions/attempts-and-blocked-work.md). Its delivery was taken
 * off the attempt count, so the next delivery of the same work has the same count (running-activities.A1,
 * running-activities.A2).
 */
import {
  activity,
  orchestration,
  Runtime,
  type RuntimeOptions,
  silentLogger,
  sleep,
} from "@duroxide-ts/core";
import { type ActivityOutcome, ProviderError, type RenewOptions } from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { activityItem, startItem } from "../support/work-items.ts";

const LOCK_MS = 10_000;
const WORK = activityItem();
const START = startItem("i", "noop");
const UNAVAILABLE = new ProviderError({ code: "unavailable", operation: "renew", message: "no answer" });

/** A store whose renewals fail while `failure` is set, and that takes locks away from activities that have ended. */
class Store extends MemoryProvider {
  failure: ProviderError | undefined;
  /** Number of the next acknowledgements of activities whose locks it has taken away. */
  taken = 0;

  override async ackWorkItem(token: string, outcome?: ActivityOutcome): Promise<void> {
    if (this.taken > 0) {
      this.taken--;
      await super.abandonWorkItem(token, {});
    }
    return super.ackWorkItem(token, outcome);
  }

  override async renewWorkItemLock(token: string, extendMs: number, options?: RenewOptions): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    return super.renewWorkItemLock(token, extendMs, options);
  }

  override async renewOrchestrationItemLock(
    token: string,
    extendMs: number,
    options: RenewOptions = {},
  ): Promise<void> {
    if (this.failure !== undefined && options.alone === true) throw this.failure;
    return super.renewOrchestrationItemLock(token, extendMs, options);
  }
}

let clock: VirtualClock;
let provider: Store;
beforeEach(() => {
  clock = new VirtualClock();
  provider = new Store({ clock });
  return () => provider[Symbol.asyncDispose]();
});

function start(options: Partial<RuntimeOptions>): Promise<Runtime> {
  return Runtime.start({
    provider,
    clock,
    maxAttempts: 1,
    workerLockTimeoutMs: LOCK_MS,
    orchestratorLockTimeoutMs: LOCK_MS,
    reportWorker: false,
    logger: silentLogger,
    ...options,
  });
}

describe("an activity above its attempt limit", () => {
  /** A process has ended while it ran. */
  beforeEach(async () => {
    await provider.enqueueForWorker(WORK);
    await provider.fetchWorkItem({
      lockTimeoutMs: 1_000,
      pollTimeoutMs: 0,
      tagFilter: { kind: "default-only" },
    });
    await clock.advance(1_000);
  });

  async function runFor(handlerMs: number, failsFromMs: number, failsForMs: number): Promise<number> {
    let runs = 0;
    const work = activity("work", async () => {
      runs++;
      await sleep(clock, handlerMs);
    });
    await using _runtime = await start({ activities: [work] });
    await clock.advance(failsFromMs);
    provider.failure = UNAVAILABLE;
    await clock.advance(failsForMs);
    provider.failure = undefined;
    await clock.advance(handlerMs + 2 * LOCK_MS);
    expect(
      await provider.fetchWorkItem({ lockTimeoutMs: 1, pollTimeoutMs: 0, tagFilter: { kind: "any" } }),
    ).toBe(undefined);
    return runs;
  }

  // activity-dispatcher.D4: above the attempt limit, too.
  it("keeps its outcome when its lock has ended, and the next delivery stores it", async () => {
    expect(await runFor(LOCK_MS + 5_000, 0, LOCK_MS + 5_000)).toBe(1);
  });

  // activity-dispatcher.D4
  it("goes on under its next delivery when its lock ends after the process fetches again", async () => {
    expect(await runFor(90_000, 60_000, LOCK_MS + 2_000)).toBe(1);
  });
});

describe("an activity whose lone runs lose their locks in processes that live", () => {
  /** The outcome, when it is not stored so often before. `processes` take turns. */
  async function outcomeAfter(taken: number, processes: number): Promise<string | undefined> {
    await provider.enqueueForWorker(WORK);
    await provider.enqueueForOrchestrator(START);
    provider.taken = taken;
    const work = activity("work", async () => {});
    const runtimes = await Promise.all(
      Array.from({ length: processes }, () => start({ activities: [work], workerConcurrency: 1 })),
    );
    await clock.advance(24 * 3_600_000);
    await Promise.all(runtimes.map((runtime) => runtime.shutdown()));
    const batch = await provider.fetchOrchestrationItem({ lockTimeoutMs: 1, pollTimeoutMs: 0 });
    return batch?.item.messages.find(({ kind }) => kind.startsWith("Activity"))?.kind;
  }

  it("is no poison, and has its outcome when a lock lasts (lone-marks.M1)", async () => {
    expect(await outcomeAfter(10, 1)).toBe("ActivityCompleted");
  });

  it("is no poison in several processes", async () => {
    expect(await outcomeAfter(10, 3)).toBe("ActivityCompleted");
  });
});

describe("a turn above its attempt limit", () => {
  const FETCH = { lockTimeoutMs: 1_000, pollTimeoutMs: 0 };

  /** The attempts that are counted after a lone run that could not be marked. */
  async function attemptsAfter(failure: ProviderError): Promise<{ attempts: number; troubles: number }> {
    await provider.enqueueForOrchestrator(START);
    await provider.fetchOrchestrationItem(FETCH);
    await clock.advance(1_000);
    let troubles = 0;
    provider.failure = failure;
    const noop = orchestration("noop", async () => "done");
    const runtime = await start({
      orchestrations: [noop],
      onStoreTrouble: () => {
        troubles++;
      },
    });
    await clock.settle();
    await runtime.shutdown();
    await clock.advance(LOCK_MS);
    const fetched = await provider.fetchOrchestrationItem(FETCH);
    return { attempts: fetched?.attemptCount ?? 0, troubles };
  }

  it("whose lock was lost while it waited is no trouble of the store", async () => {
    const lost = ProviderError.lockLost("renewOrchestrationItemLock");
    expect(await attemptsAfter(lost)).toEqual({ attempts: 2, troubles: 0 });
  });

  it("is taken off the count once when the store fails", async () => {
    expect(await attemptsAfter(UNAVAILABLE)).toEqual({ attempts: 2, troubles: 1 });
  });
});
