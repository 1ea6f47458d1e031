/**
 * The work that a slot for activities may do while an outcome of it is not stored (activity-dispatcher.D1 to
 * activity-dispatcher.D3).
 */
import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { FetchedWork, FetchWorkOptions, FusedAck, FusedOutcome } from "../../src/contract/provider.ts";
import { activity, Client, orchestration, Runtime } from "../../src/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";

/** Holds the fused commits of instance "held" until `release` is called. */
class HoldingProvider extends MemoryProvider {
  fetching = 0;
  held = 0;
  readonly #released = Promise.withResolvers<void>();

  release(): void {
    this.#released.resolve();
  }

  override async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    this.fetching++;
    try {
      return await super.fetchWorkItem(options);
    } finally {
      this.fetching--;
    }
  }

  override async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
    if (ack.instanceId === "held") {
      this.held++;
      await this.#released.promise;
    }
    return super.ackFusedTurn(ack);
  }
}

interface Running {
  readonly provider: HoldingProvider;
  readonly client: Client;
  readonly runtime: Runtime;
  /** The instances of the calls, in their order. */
  readonly calls: readonly string[];
}

async function withOneSlot(body: (running: Running) => Promise<void>): Promise<void> {
  const calls: string[] = [];
  const work = activity("work", async (ctx) => {
    calls.push(ctx.instanceId);
  });
  const twice = orchestration("twice", async (ctx, session: boolean) => {
    const options = session ? { session: "s" } : {};
    await ctx.scheduleActivity(work, undefined, options);
    await ctx.scheduleActivity(work, undefined, options);
  });
  const provider = new HoldingProvider();
  const runtime = await Runtime.start({
    provider,
    activities: [work],
    orchestrations: [twice],
    logger: new RecordingLogger(),
    workerConcurrency: 1,
  });
  try {
    await body({ provider, client: new Client(provider), runtime, calls });
  } finally {
    provider.release();
    await runtime.shutdown();
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 50; round++) await nextRound();
}

describe("a slot whose outcome waits for a fused turn", () => {
  it("fetches meanwhile, and runs one more activity (activity-dispatcher.D1, activity-dispatcher.D2)", async () => {
    await withOneSlot(async ({ provider, client, calls }) => {
      const held = await client.start("twice", { instanceId: "held", input: false });
      await settle();
      expect([provider.held, provider.fetching, calls]).toEqual([1, 1, ["held"]]);
      const other = await client.start("twice", { instanceId: "other", input: false });
      await settle();
      expect([provider.held, provider.fetching, calls]).toEqual([1, 0, ["held", "other"]]);
      provider.release();
      await Promise.all([held.result(), other.result()]);
      expect(calls.toSorted()).toEqual(["held", "held", "other", "other"]);
    });
  });

  it("does not fetch where the activity has a session (activity-dispatcher.D3)", async () => {
    await withOneSlot(async ({ provider, client, calls }) => {
      const held = await client.start("twice", { instanceId: "held", input: true });
      await settle();
      expect([provider.held, provider.fetching, calls]).toEqual([1, 0, ["held"]]);
      provider.release();
      await held.result();
    });
  });

  it("keeps the runtime from stopping", async () => {
    await withOneSlot(async ({ provider, client, runtime, calls }) => {
      await client.start("twice", { instanceId: "held", input: false });
      await settle();
      let stopped = false;
      const stopping = runtime.shutdown().then(() => {
        stopped = true;
      });
      await settle();
      expect([provider.held, provider.fetching, stopped]).toEqual([1, 0, false]);
      provider.release();
      await stopping;
      expect(calls).toEqual(["held"]);
      expect((await provider.readHistory("held")).at(-1)?.type).toBe("ActivityScheduled");
    });
  });
});
