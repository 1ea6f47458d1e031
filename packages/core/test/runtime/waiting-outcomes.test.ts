/** The outcome of an activity that waits for the turn of its instance: its lock, and lone work that comes meanwhile. */
import { beforeEach, describe, expect, it } from "vitest";
import { activity, Client, orchestration, Runtime, silentLogger } from "../../src/index.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";
import { WatchedProvider } from "../support/watched-fused-turns.ts";
import { startItem } from "../support/work-items.ts";

const LOCK_MS = 30_000;
/** Time at which the work above its attempt limit is delivered to the runtime, ms. */
const LONE_AT_MS = 60_000;

let clock: VirtualClock;
let provider: WatchedProvider;
let client: Client;
/** Ends the activity of this number. */
let end: (n: number) => Promise<void>;
/** Ends the fused commit of the first activity, which waits for this call. */
let commit: () => Promise<void>;
/** Instances whose code has returned, in order. */
let returned: string[];

/** The first fused turn of instance "both" waits in its commit, and its second activity still runs. */
beforeEach(async () => {
  clock = new VirtualClock();
  provider = new WatchedProvider({ clock });
  client = new Client(provider, { clock });
  returned = [];
  const ends = [0, 1].map(() => Promise.withResolvers<void>());
  const committing = Promise.withResolvers<void>();
  end = (n) => {
    ends[n]?.resolve();
    return clock.settle();
  };
  commit = () => {
    committing.resolve();
    return clock.settle();
  };
  provider.instead = async (ack) => {
    await committing.promise;
    return MemoryProvider.prototype.ackFusedTurn.call(provider, ack);
  };
  const gated = activity("gated", async (_ctx, n: number) => ends[n]?.promise);
  const both = orchestration("both", async (ctx) => {
    await ctx.all([ctx.scheduleActivity(gated, 0), ctx.scheduleActivity(gated, 1)]);
    returned.push("both");
  });
  const alone = orchestration("alone", async () => void returned.push("alone"));
  await deliverOnce("alone");
  const runtime = await Runtime.start({
    provider,
    clock,
    activities: [gated],
    orchestrations: [both, alone],
    maxAttempts: 1,
    orchestrationConcurrency: 2,
    workerConcurrency: 2,
    workerLockTimeoutMs: LOCK_MS,
    reportWorker: false,
    logger: silentLogger,
  });
  await client.start(both, { instanceId: "both" });
  await clock.settle();
  await end(0);
  return async () => {
    await Promise.all([end(1), commit()]);
    await runtime.shutdown();
  };
});

/** A process that ended has used the only attempt of the instance. */
async function deliverOnce(name: string): Promise<void> {
  await provider.enqueueForOrchestrator(startItem(name, name));
  await provider.fetchOrchestrationItem({ lockTimeoutMs: LONE_AT_MS, pollTimeoutMs: 0 });
}

describe("an outcome that waits for a fused turn", () => {
  // fused-turns.F3
  it("keeps its lock, however long the turn before takes", async () => {
    await end(1);
    await clock.advance(LONE_AT_MS - 1);
    await commit();

    expect(provider.fusedCounts).toEqual([1, 1]);
    expect(provider.messages).toEqual([]);
    expect(returned).toEqual(["both"]);
  });

  // fused-turns.F5
  it("is stored as a message if lone work waits by then, and its turn runs after that work", async () => {
    await end(1);
    await clock.advance(LONE_AT_MS);
    await commit();

    expect(provider.fusedCounts).toEqual([1]);
    expect(provider.messages).toHaveLength(1);
    expect(returned).toEqual(["alone", "both"]);
  });
});

describe("an outcome that comes while lone work waits", () => {
  // fused-turns.F5
  it("is stored as a message at once, and does not wait for the turn of its instance", async () => {
    await clock.advance(LONE_AT_MS);
    await end(1);

    expect(provider.messages).toHaveLength(1);
    expect(returned).toEqual([]);
    await commit();
    expect(returned).toEqual(["alone", "both"]);
  });
});
