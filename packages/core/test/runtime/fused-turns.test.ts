/**
 * An activity and the turn that it causes are one commit, and whatever is in the way leads to two
 * (docs/decisions/activities.md).
 */
import { describe, expect, it } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { FusedOutcome } from "../../src/contract/provider.ts";
import { ProviderError } from "../../src/contract/provider-error.ts";
import { activity, Client, orchestration, Runtime, type RuntimeOptions } from "../../src/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";
import { WatchedProvider } from "../support/watched-fused-turns.ts";

const runs: number[] = [];
const double = activity("double", async (_ctx, n: number) => {
  runs.push(n);
  return 2 * n;
});
const fails = activity("fails", async (): Promise<number> => {
  throw new Error("no luck");
});
const five = orchestration("five", async (ctx, n: number) => {
  let sum = 0;
  for (let i = 0; i < 5; i++) sum += await ctx.scheduleActivity(double, n + i);
  return sum;
});
const ten = orchestration("ten", async (ctx) => {
  const all = await ctx.all(Array.from({ length: 10 }, (_, i) => ctx.scheduleActivity(double, i)));
  return all.length;
});
const recovers = orchestration("recovers", async (ctx) => {
  try {
    return await ctx.scheduleActivity(fails);
  } catch (error) {
    return (error as Error).message;
  }
});

async function run<T>(
  provider: WatchedProvider,
  body: (client: Client, runtime: Runtime) => Promise<T>,
  options: Partial<RuntimeOptions> = {},
): Promise<T> {
  const runtime = await Runtime.start({
    provider,
    activities: [double, fails],
    orchestrations: [five, ten, recovers],
    logger: new RecordingLogger(),
    ...options,
  });
  try {
    return await body(new Client(provider), runtime);
  } finally {
    await runtime.shutdown();
  }
}

async function runFive(provider: WatchedProvider, options?: Partial<RuntimeOptions>): Promise<unknown> {
  return run(
    provider,
    async (client) => (await client.start(five, { instanceId: "i", input: 1 })).result(),
    options,
  );
}

function eventTypes(provider: WatchedProvider): Promise<readonly string[]> {
  return provider.readHistory("i").then((events) => events.map(({ type }) => type));
}

describe("the outcome of an activity whose orchestration is in memory", () => {
  it("is committed with the turn that it causes, and is no message", async () => {
    const provider = new WatchedProvider();
    expect(await runFive(provider)).toBe(30);
    expect(provider.fusedCounts).toEqual([1, 1, 1, 1, 1]);
    expect(provider.messages).toEqual([]);
  });

  it("is a failure as well", async () => {
    const provider = new WatchedProvider();
    const result = await run(provider, async (client) => (await client.start(recovers)).result());
    expect(result).toBe("no luck");
    expect([provider.fused.length, provider.messages.length]).toEqual([1, 0]);
  });

  it("gives the same history as a message does", async () => {
    const [together, apart] = [new WatchedProvider(), new WatchedProvider()];
    await runFive(together);
    Object.assign(apart, { maxFusedActivities: 0 });
    expect(await runFive(apart)).toBe(30);
    expect([apart.fused.length, apart.messages.length]).toEqual([0, 5]);
    expect(await eventTypes(together)).toEqual(await eventTypes(apart));
  });

  it("is a message where nothing is kept in memory", async () => {
    const provider = new WatchedProvider();
    expect(await runFive(provider, { liveExecutions: 0 })).toBe(30);
    expect([provider.fused.length, provider.messages.length]).toEqual([0, 5]);
  });
});

describe("a fused turn that is not committed", () => {
  const ways: Readonly<Record<string, () => Promise<FusedOutcome>>> = {
    "because another process was faster": async () => ({ kind: "overtaken" }),
    "because the store fails": async () => {
      throw new ProviderError({ code: "unavailable", operation: "ackFusedTurn", message: "busy" });
    },
    "because the store refuses its content": async () => {
      throw new ProviderError({ code: "invalid-input", operation: "ackFusedTurn", message: "too large" });
    },
    "because of a defect": async () => {
      throw new TypeError("x is not a function");
    },
  };

  // fused-turns.F2
  it.each(Object.entries(ways))(
    "leaves the outcome as a message, and runs nothing twice, %s",
    async (_, way) => {
      const provider = new WatchedProvider();
      provider.instead = way;
      runs.length = 0;
      expect(await runFive(provider)).toBe(30);
      expect(runs).toEqual([1, 2, 3, 4, 5]);
      expect([provider.fused.length, provider.messages.length]).toEqual([0, 5]);
      expect(await eventTypes(provider)).toHaveLength(12);
    },
  );

  // fused-turns.F6
  it("is tried less and less often where another process is faster again and again", async () => {
    const provider = new WatchedProvider();
    let tried = 0;
    provider.instead = async () => {
      tried++;
      return { kind: "overtaken" };
    };
    const many = orchestration("many", async (ctx) => {
      for (let i = 0; i < 15; i++) await ctx.scheduleActivity(double, i);
    });
    const options = { orchestrations: [many] };
    await run(provider, async (client) => (await client.start(many)).result(), options);
    // Before the 1st, 3rd, 6th and 11th outcome: the pauses double.
    expect(tried).toBe(4);
    expect(provider.messages).toHaveLength(15);
  });

  it("reports its activity once, and the store's failure not at all where the store then works", async () => {
    const provider = new WatchedProvider();
    provider.instead = ways["because the store fails"];
    const logger = new RecordingLogger();
    await runFive(provider, { logger });
    expect(logger.of("activity_completed")).toHaveLength(5);
    expect(logger.of("orchestration_completed")).toHaveLength(1);
  });

  it("whose answer was lost leaves an activity that is gone, and one history", async () => {
    const provider = new WatchedProvider();
    let lost = 0;
    provider.instead = (ack) => {
      if (lost++ > 0) return undefined;
      return MemoryProvider.prototype.ackFusedTurn.call(provider, ack).then(() => {
        throw new ProviderError({ code: "unavailable", operation: "ackFusedTurn", message: "no answer" });
      });
    };
    runs.length = 0;
    expect(await runFive(provider)).toBe(30);
    expect(runs).toEqual([1, 2, 3, 4, 5]);
    expect(await eventTypes(provider)).toHaveLength(12);
  });
});

describe("outcomes of one instance", () => {
  it("that come together go into one turn", async () => {
    const provider = new WatchedProvider();
    expect(await run(provider, async (client) => (await client.start(ten)).result())).toBe(10);
    const counts = provider.fusedCounts;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10);
    expect(counts.length).toBeLessThan(10);
    expect(provider.messages).toEqual([]);
  });

  // fused-turns.F4
  it("that come in one round of the event loop go into one turn, however far they are apart in it", async () => {
    const provider = new WatchedProvider();
    const gate = Promise.withResolvers<void>();
    const gated = activity("gated", async (_ctx, n: number) => {
      await gate.promise;
      for (let i = 0; i < 20 * n; i++) await undefined;
    });
    const all = orchestration("all", async (ctx) => {
      await ctx.all([0, 1, 2].map((n) => ctx.scheduleActivity(gated, n)));
    });
    const body = async (client: Client): Promise<void> => {
      const handle = await client.start(all);
      // Until all three run.
      await new Promise((resolve) => setTimeout(resolve, 20));
      gate.resolve();
      await handle.result();
    };
    await run(provider, body, { activities: [gated], orchestrations: [all] });
    expect(provider.fusedCounts).toEqual([3]);
  });

  // fused-turns.F3
  it("wait while a commit of it is under way, and then go together", async () => {
    const provider = new WatchedProvider();
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const gated = activity("gated", async (_ctx, n: number) => gates[n]?.promise);
    const all = orchestration("all", async (ctx) => {
      await ctx.all([0, 1, 2].map((n) => ctx.scheduleActivity(gated, n)));
    });
    const begun = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    provider.instead = (ack) => {
      if (provider.fused.length > 0) return undefined;
      begun.resolve();
      return free.promise.then(() => MemoryProvider.prototype.ackFusedTurn.call(provider, ack));
    };
    const body = async (client: Client): Promise<void> => {
      const handle = await client.start(all);
      gates[0]?.resolve();
      await begun.promise;
      gates[1]?.resolve();
      gates[2]?.resolve();
      // Both have ended, and have nothing to wait for but the commit.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      free.resolve();
      await handle.result();
    };
    await run(provider, body, { activities: [gated], orchestrations: [all] });
    expect(provider.fusedCounts).toEqual([1, 2]);
  });

  it("are as many in one commit as the store allows", async () => {
    const provider = Object.assign(new WatchedProvider(), { maxFusedActivities: 24 });
    const many = orchestration("many", async (ctx) => {
      await ctx.all(Array.from({ length: 60 }, (_, i) => ctx.scheduleActivity(double, i)));
    });
    const options = { orchestrations: [many] };
    await run(provider, async (client) => (await client.start(many)).result(), options);
    const counts = provider.fusedCounts;
    expect(Math.max(...counts)).toBeLessThanOrEqual(24);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
  });
});

describe("no fused turn begins", () => {
  it("while as many turns run as may", async () => {
    const provider = new WatchedProvider();
    let most = 0;
    let now = 0;
    const counted = async <T>(call: () => Promise<T>): Promise<T> => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      return call().finally(() => now--);
    };
    provider.instead = (ack) => counted(() => MemoryProvider.prototype.ackFusedTurn.call(provider, ack));
    const ack = provider.ackOrchestrationItem.bind(provider);
    provider.ackOrchestrationItem = (item) => counted(() => ack(item));
    const body = async (client: Client): Promise<void> => {
      const handles = await Promise.all(
        Array.from({ length: 8 }, (_, i) => client.start(five, { instanceId: `i${i}`, input: i })),
      );
      for (const handle of handles) await handle.result();
    };
    await run(provider, body, { orchestrationConcurrency: 2 });
    expect(most).toBeLessThanOrEqual(2);
  });

  it("during a shutdown: what ends by then is stored for the next process", async () => {
    const provider = new WatchedProvider();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = activity("slow", async () => {
      begun.resolve();
      await gate.promise;
      return 7;
    });
    const one = orchestration("one", async (ctx) => ctx.scheduleActivity(slow));
    const options = { activities: [slow], orchestrations: [one] };
    await run(
      provider,
      async (client, runtime) => {
        await client.start(one, { instanceId: "i" });
        await begun.promise;
        const stopped = runtime.shutdown({ graceMs: 10_000 });
        gate.resolve();
        await stopped;
      },
      options,
    );
    expect([provider.fused.length, provider.messages.length]).toEqual([0, 1]);
    expect(await run(provider, async (client) => client.handle(one, "i").result(), options)).toBe(7);
  });
});
