/**
 * A shutdown ends the wait for a lone run (docs/decisions/attempts-and-blocked-work.md): its hand-out is taken off
 * the count once, not twice.
 */
import { expect, it } from "vitest";
import type {
  AbandonOptions,
  FetchedOrchestration,
  Provider,
  RenewOptions,
} from "../../src/contract/provider.ts";
import { orchestration } from "../../src/define/definitions.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { VirtualClock } from "../../src/testing/index.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { startItem } from "../support/work-items.ts";

const MAX_ATTEMPTS = 3;
const noop = orchestration("noop", async () => "done");

function begins(instance: string, attemptCount: number, loneRuns: number): FetchedOrchestration {
  return {
    lockToken: instance,
    attemptCount,
    loneRuns,
    item: {
      instanceId: instance,
      orchestrationName: "noop",
      version: "1.0.0",
      executionId: 1,
      history: [],
      kvSnapshot: new Map(),
      messages: [startItem(instance, "noop")],
    },
  };
}

/** Counts the attempts of the suspect as a store does, and holds back the commit of its neighbour. */
class CountingProvider extends ScriptedProvider {
  attempts: number;
  readonly waits = Promise.withResolvers<void>();
  readonly committed = Promise.withResolvers<void>();

  constructor(attempts: number, loneRuns: number) {
    super([begins("neighbour", 1, 0), begins("suspect", attempts, loneRuns)], { live: false });
    this.attempts = attempts;
  }

  override async ackOrchestrationItem(): Promise<object> {
    this.waits.resolve();
    await this.committed.promise;
    return {};
  }

  override async renewOrchestrationItemLock(token: string, _ms: number, options: RenewOptions = {}) {
    if (token === "suspect" && options.ignoreAttempt === true) this.attempts--;
  }

  override async abandonOrchestrationItem(token: string, options: AbandonOptions = {}): Promise<void> {
    if (token === "suspect" && options.ignoreAttempt === true) this.attempts--;
    await super.abandonOrchestrationItem(token, options);
  }
}

it.each([
  { attempts: MAX_ATTEMPTS + 1, loneRuns: 0, left: MAX_ATTEMPTS },
  { attempts: MAX_ATTEMPTS + 1, loneRuns: 1, left: MAX_ATTEMPTS },
])("of hand-out $attempts, $loneRuns lone runs, $left attempts are left", async (given) => {
  const provider = new CountingProvider(given.attempts, given.loneRuns);
  const clock = new VirtualClock();
  const runtime = await Runtime.start({
    provider: provider as CountingProvider & Provider,
    orchestrations: [noop],
    clock,
    orchestrationConcurrency: 2,
    workerTagFilter: { kind: "none" },
    maxAttempts: MAX_ATTEMPTS,
  });
  await provider.waits.promise;
  await clock.settle();
  const stopped = runtime.shutdown();
  await provider.finished;
  provider.committed.resolve();
  await stopped;
  expect(provider.answers).toHaveLength(1);
  expect(provider.attempts).toBe(given.left);
});
