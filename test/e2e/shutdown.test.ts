/** Ending a runtime: what is in flight may finish within the grace; the rest is handed out again. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { Faults } from "../support/faulty-provider.ts";
import { onEveryStore, type Start } from "../support/scenario.ts";

const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity("work", null));

/** A running activity that ends when the test says so. */
async function inFlight(start: Start) {
  const gate = Promise.withResolvers<string>();
  let runs = 0;
  const env = await start({
    orchestrations: [calls],
    activities: [
      activity("work", async () => {
        runs++;
        return runs === 1 ? gate.promise : `run ${runs}`;
      }),
    ],
  });
  await env.begin(calls);
  return { env, gate, runs: () => runs };
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol("pending");
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
}

describe("a shutdown", () => {
  onEveryStore("ends idle long polls at once", async (start) => {
    const env = await start({ orchestrations: [calls] });
    await env.settle();
    const startMs = env.clock.now();

    await env.runtime.shutdown();

    expect(env.clock.now()).toBe(startMs);
  });

  onEveryStore("returns as soon as what was in flight has finished, and keeps its outcome", async (start) => {
    const { env, gate, runs } = await inFlight(start);
    const stopped = env.runtime.shutdown({ graceMs: 60_000 });
    await env.advance(5_000);
    expect(await isPending(stopped)).toBe(true);
    gate.resolve("in time");
    await env.settle();
    await stopped;
    await env.start();

    expect(await env.finish(env.client.handle(calls, "i"))).toBe("in time");
    expect(runs()).toBe(1);
  });

  onEveryStore("keeps the lock of what it waits for", async (start) => {
    const { env, gate, runs } = await inFlight(start);
    const stopped = env.runtime.shutdown({ graceMs: 600_000 });
    await env.advance(300_000);
    gate.resolve("after several leases");
    await env.settle();
    await stopped;
    await env.start();

    expect(await env.finish(env.client.handle(calls, "i"))).toBe("after several leases");
    expect(runs()).toBe(1);
  });

  onEveryStore(
    "without grace waits for nothing; the activity is handed out again when its lease ends",
    async (start) => {
      const { env, runs } = await inFlight(start);
      await env.kill();
      await env.start();
      await env.advance(29_000);
      expect(runs()).toBe(1);
      await env.advance(2_000);

      expect(await env.finish(env.client.handle(calls, "i"))).toBe("run 2");
    },
  );

  onEveryStore("after its grace drops what comes too late", async (start) => {
    const { env, gate, runs } = await inFlight(start);
    const stopped = env.runtime.shutdown({ graceMs: 1_000 });
    await env.advance(1_000);
    await stopped;
    gate.resolve("too late");
    await env.settle();
    await env.start();

    expect(await env.finish(env.client.handle(calls, "i"))).toBe("run 2");
    expect(runs()).toBe(2);
  });

  onEveryStore("may be called again and again", async (start) => {
    const env = await start({ orchestrations: [calls] });
    const { runtime } = env;

    await Promise.all([runtime.shutdown(), runtime.shutdown({ graceMs: 0 }), runtime.shutdown()]);
    await runtime.shutdown();
  });

  onEveryStore("with a shorter grace shortens one that is under way", async (start) => {
    const { env } = await inFlight(start);
    const long = env.runtime.shutdown({ graceMs: 3_600_000 });
    await env.advance(1_000);
    await env.runtime.shutdown({ graceMs: 0 });

    await long;
    expect(env.clock.now()).toBeLessThan(1_700_000_000_000 + 3_600_000);
  });

  onEveryStore("in the middle of a commit keeps what was stored", async (start) => {
    const faults = new Faults();
    const env = await start({
      orchestrations: [calls],
      activities: [activity("work", async () => "done")],
      wrap: faults.wrap,
    });
    const gate = Promise.withResolvers<void>();
    faults.on("ackOrchestrationItem", () => gate.promise);
    const handle = await env.begin(calls);
    const stopped = env.runtime.shutdown({ graceMs: 60_000 });
    gate.resolve();
    await env.settle();
    await stopped;
    expect(await env.history("i")).toHaveLength(2);
    await env.start();

    expect(await env.finish(handle)).toBe("done");
  });

  onEveryStore("before a commit that never comes leaves the turn to the next runtime", async (start) => {
    const faults = new Faults();
    const env = await start({
      orchestrations: [calls],
      activities: [activity("work", async () => "done")],
      wrap: faults.wrap,
    });
    faults.on("ackOrchestrationItem", () => new Promise(() => {}));
    const handle = await env.begin(calls);
    await env.kill();
    faults.off("ackOrchestrationItem");
    await env.start();

    expect(await env.finish(handle)).toBe("done");
    expect(await env.history("i")).toHaveLength(4);
  });

  onEveryStore("during a fetch loses nothing of what the fetch has locked", async (start) => {
    const faults = new Faults();
    const env = await start({
      orchestrations: [calls],
      activities: [activity("work", async () => "done")],
      wrap: faults.wrap,
    });
    await env.settle();
    const handle = await env.client.start(calls, { instanceId: "i" });
    await env.runtime.shutdown({ graceMs: 0 });
    await env.start();

    expect(await env.finish(handle)).toBe("done");
  });

  onEveryStore("happens by itself at the end of a block", async (start) => {
    const { env } = await inFlight(start);
    const { runtime } = env;
    const disposed = runtime[Symbol.asyncDispose]();
    await env.advance(1_000);

    await disposed;
  });

  onEveryStore(
    "takes the attempts of what it cuts off back: no deployment makes work poison",
    async (start) => {
      let runs = 0;
      const long = activity("work", async (ctx) => {
        runs++;
        return runs <= 3 ? new Promise<never>(() => {}) : `attempt ${ctx.attempt}`;
      });
      const env = await start({ orchestrations: [calls], activities: [long], options: { maxAttempts: 1 } });
      const handle = await env.client.start(calls, { instanceId: "i" });
      for (let deployment = 0; deployment < 3; deployment++) {
        await env.advance(1_000);
        const stopped = env.runtime.shutdown({ graceMs: 500 });
        await env.advance(1_000);
        await stopped;
        await env.kill();
        await env.start();
        await env.advance(40_000);
      }

      expect(await env.finish(handle)).toBe("attempt 1");
      expect(runs).toBe(4);
    },
  );
});
