/** The execution after a continue-as-new begins without a read of the one that this process has just ended. */
import { describe, expect, it } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { FetchedOrchestration, FetchOrchestrationOptions } from "../../src/contract/provider.ts";
import { activity, Client, orchestration, Runtime, type RuntimeOptions } from "../../src/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";

/**
 * Records of what was fetched with the start of a further execution: whether its history and key-values were left out.
 */
class WatchedProvider extends MemoryProvider {
  readonly omitted: boolean[] = [];

  override async fetchOrchestrationItem(
    options: FetchOrchestrationOptions,
  ): Promise<FetchedOrchestration | undefined> {
    // A fetch that waits is answered within the commit, before the runtime knows of it.
    const fetched = await super.fetchOrchestrationItem({ ...options, pollTimeoutMs: 0 });
    if (fetched?.item.messages.some(({ kind }) => kind === "ContinueAsNew") === true) {
      this.omitted.push(fetched.item.historyOmitted === true);
    }
    return fetched;
  }
}

const double = activity("double", async (_ctx, n: number) => 2 * n);
const rounds = orchestration("rounds", async (ctx, round: number): Promise<unknown> => {
  ctx.kv.set(`key-${round}`, await ctx.scheduleActivity(double, round));
  if (round === 2) ctx.kv.delete("key-1");
  if (round < 4) return ctx.continueAsNew("rounds", round + 1);
  return [1, 2, 3, 4].map((n) => ctx.kv.get<number>(`key-${n}`) ?? null);
});

async function run(provider: MemoryProvider, options: Partial<RuntimeOptions> = {}): Promise<unknown> {
  const runtime = await Runtime.start({
    provider,
    activities: [double],
    orchestrations: [rounds],
    logger: new RecordingLogger(),
    minPollIntervalMs: 1,
    ...options,
  });
  try {
    const client = new Client(provider);
    return await (await client.start(rounds, { instanceId: "i", input: 1 })).result();
  } finally {
    await runtime.shutdown();
  }
}

describe("an execution that continues as new", () => {
  it.each([true, false])(
    "leaves its key-values in memory for the next one (fused turns: %s)",
    async (fusedTurns) => {
      const provider = new WatchedProvider();
      if (!fusedTurns) Object.assign(provider, { maxFusedActivities: 0 });
      expect(await run(provider)).toEqual([null, 4, 6, 8]);
      expect(provider.omitted).toEqual([true, true, true]);
    },
  );

  it("is read where nothing is kept in memory", async () => {
    const provider = new WatchedProvider();
    expect(await run(provider, { liveExecutions: 0 })).toEqual([null, 4, 6, 8]);
    expect(provider.omitted).toEqual([false, false, false]);
  });
});
