/** Several runtimes on one store: versions of the runtime, deployments, and the moment between two executions. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { forVersion } from "../support/changed-provider.ts";
import { begun } from "../support/one-program.ts";
import { onEveryStore } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));

describe("an execution begun by another version of the runtime", () => {
  onEveryStore(
    "is left to a runtime that supports it; new instances are for every runtime",
    async (start) => {
      const { env, handle } = await begun(start, waits);
      await env.restart({ options: { provider: forVersion(env.provider, "9.9.9") } });
      await handle.raise("go", "seen");
      await env.advance(5_000);
      expect(await handle.status()).toMatchObject({ status: "Running" });
      const fresh = await env.begin(waits, { instanceId: "fresh" });
      expect(await fresh.status()).toMatchObject({ status: "Running" });

      await env.startAnother({ orchestrations: [waits] });

      expect(await env.finish(handle)).toBe("seen");
    },
  );
});

describe("a rolling deployment", () => {
  onEveryStore("hands an activity on until the node that has it takes it", async (start) => {
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity("new-activity"));
    const old = { orchestrations: [calls], activities: [activity("old-activity", async () => {})] };
    const env = await start({ ...old, options: { workerConcurrency: 1 } });
    await env.startAnother({ ...old, workerConcurrency: 1 });
    const handle = await env.client.start(calls, { instanceId: "i" });
    await env.advance(4_000);
    await env.startAnother({
      orchestrations: [calls],
      activities: [activity("new-activity", async () => "on the new node")],
    });

    expect(await env.finish(handle)).toBe("on the new node");
  });

  onEveryStore("loses no start of an orchestration that only one of four nodes has", async (start) => {
    const known = orchestration("known", async () => {});
    const fresh = orchestration("fresh", async (_ctx, n: number) => n);
    const impatient = { maxAttempts: 1 };
    const env = await start({ orchestrations: [known], options: impatient });
    for (let node = 0; node < 2; node++) await env.startAnother({ orchestrations: [known], ...impatient });
    await env.startAnother({ orchestrations: [known, fresh], ...impatient });
    const handles = [];
    for (let n = 0; n < 40; n++) {
      handles.push(await env.client.start(fresh, { instanceId: `i${n}`, input: n }));
    }

    const outputs = [];
    for (const handle of handles) outputs.push(await env.finish(handle));
    expect(outputs).toEqual(handles.map((_handle, n) => n));
  });

  onEveryStore("of two nodes shares instances without disturbing them", async (start) => {
    const steps = orchestration("steps", async (ctx) => {
      let sum = 0;
      for (let step = 0; step < 5; step++) sum += await ctx.scheduleActivity(one);
      return sum;
    });
    const one = activity("one", async () => 1);
    const node = { orchestrations: [steps], activities: [one] };
    const env = await start(node);
    await env.startAnother(node);
    const ids = Array.from({ length: 12 }, (_, index) => `i${index}`);
    const handles = await Promise.all(ids.map((instanceId) => env.client.start(steps, { instanceId })));

    for (const handle of handles) expect(await env.finish(handle)).toBe(5);
    for (const id of ids) expect(await env.history(id)).toHaveLength(12);
  });

  onEveryStore("works with one slot for turns and one for activities", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.all([1, 2].map((n) => ctx.scheduleSubOrchestration(child, n))),
    );
    const child = orchestration("child", async (ctx, n: number) => {
      await ctx.scheduleTimer(10);
      return ctx.scheduleActivity(double, n);
    });
    const double = activity("double", async (_ctx, n: number) => n * 2);
    const env = await start({
      orchestrations: [parent, child],
      activities: [double],
      options: { orchestrationConcurrency: 1, workerConcurrency: 1 },
    });

    expect(await env.run(parent, { instanceId: "p" })).toEqual([2, 4]);
  });
});

describe("a node for turns and a node for activities", () => {
  onEveryStore("serve an orchestration together, with the same code", async (start) => {
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(work));
    const work = activity("work", async ({ workerId }) => workerId);
    const both = { orchestrations: [calls], activities: [work] };
    const env = await start({ ...both, options: { workerConcurrency: 0 } });
    const handle = await env.begin(calls);
    expect(await env.history("i")).toHaveLength(2);

    await env.startAnother({ ...both, orchestrationConcurrency: 0 });

    expect(await env.finish(handle)).toMatch(/^work-/);
  });
});

describe("an execution that memory had no room for", () => {
  onEveryStore("goes on from history", async (start) => {
    const counts = orchestration("counts", async (ctx) => {
      let sum = 0;
      for (let round = 0; round < 5; round++) sum += await ctx.dequeue<number>("q");
      return sum;
    });
    const env = await start({ orchestrations: [counts], options: { liveExecutions: 1 } });
    const ids = ["a", "b", "c"];
    const handles = await Promise.all(ids.map((instanceId) => env.client.start(counts, { instanceId })));
    for (let round = 0; round < 5; round++) {
      for (const handle of handles) {
        await handle.enqueue("q", round);
        await env.settle();
      }
    }

    for (const handle of handles) expect(await env.finish(handle)).toBe(10);
  });
});

describe("between two executions", () => {
  onEveryStore(
    "a message waits for the second to begin; a client's start cannot take its place",
    async (start) => {
      const missing = orchestration("relay", async (ctx) =>
        ctx.continueAsNew("relay", 1, { version: "2.0.0" }),
      );
      const second = orchestration("relay", { version: "2.0.0" }, async (ctx, round: number) => [
        round,
        await ctx.dequeue("q"),
      ]);
      const { env, handle } = await begun(start, missing);
      await handle.enqueue("q", "sent in between");
      await env.client.start(missing, { instanceId: "i" });
      await env.advance(5_000);
      expect(await env.client.admin.executions("i")).toEqual([1]);
      await env.restart({ orchestrations: [missing, second] });

      expect(await env.finish(handle)).toEqual([1, "sent in between"]);
    },
  );
});
