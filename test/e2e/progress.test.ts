/** Progress of activities and steps: the last report, for clients and for the next delivery. */
import { activity, orchestration, type Progress } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";

const imports = orchestration("imports", async (ctx) =>
  ctx.scheduleActivity("import", undefined, {
    retry: { maxAttempts: 3, backoff: { kind: "fixed", delay: 1_000 } },
  }),
);

describe("progress", () => {
  it("is the last report of each step, the latest first", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const two = orchestration("two", async (ctx) => {
      const part = (name: string, of: number) =>
        ctx.run(name, async (step) => {
          step.progress({ done: 1, of });
          await promise;
        });
      const first = part("first", 3);
      await ctx.scheduleTimer(1_000);
      await ctx.all([first, part("part", 5), part("part", 7)]);
    });
    await using env = await startEnvironment({ orchestrations: [two] });
    const handle = await env.client.start(two, { instanceId: "i" });
    const beganMs = env.clock.now();
    await env.advance(5_000);
    const reports = await handle.progress();
    expect(reports.at(-1)).toEqual({ step: "first", value: { done: 1, of: 3 }, atMs: beganMs, attempt: 1 });
    const parts = reports.slice(0, 2).map(({ step, value: { of } }) => [step, of]);
    expect(parts).toContainEqual(["part", 5]);
    expect(parts).toContainEqual([expect.stringMatching(/^part#\d+$/), 7]);
    resolve();
    await env.finish(handle);
    expect(await handle.progress()).toHaveLength(3);
    expect(await env.client.handle(two, "nobody").progress()).toEqual([]);
  });

  it("is stored once a second at most, and the last report before the result", async () => {
    const stored: unknown[] = [];
    const faults = new Faults();
    faults.on("reportProgress", (_call, [report]) => {
      stored.push((JSON.parse((report as { value: string }).value) as Progress).done);
    });
    for (const method of ["ackWorkItem", "ackFusedTurn"] as const)
      faults.on(method, () => void stored.push("result"));
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = activity("import", async (ctx) => {
      for (let done = 0; done < 10; done++) ctx.progress({ done });
      await promise;
      for (let done = 10; done < 20; done++) ctx.progress({ done });
    });
    await using env = await startEnvironment({
      orchestrations: [imports],
      activities: [work],
      wrap: faults.wrap,
    });
    const handle = await env.begin(imports);
    expect(stored).toEqual([0]);
    await env.advance(999);
    expect(stored).toEqual([0]);
    await env.advance(1);
    expect(stored).toEqual([0, 9]);
    resolve();
    await env.finish(handle);
    expect(stored).toEqual([0, 9, 19, "result"]);
  });

  it("is known to the next attempt, and to the next delivery of the same one", async () => {
    const began: unknown[] = [];
    let runs = 0;
    const work = activity("import", async (ctx) => {
      began.push(ctx.lastProgress);
      runs++;
      ctx.progress({ done: runs * 10, cursor: `c${runs}` });
      if (runs === 1) throw new Error("again");
      if (runs === 2) await new Promise(() => {});
    });
    await using env = await startEnvironment({ orchestrations: [imports], activities: [work] });
    const handle = await env.client.start(imports, { instanceId: "i" });
    await env.advance(2_000);
    expect(await handle.progress()).toMatchObject([{ step: "import", value: { done: 20 }, attempt: 2 }]);
    await env.kill();
    await env.start();
    await env.advance(60_000);
    await env.finish(handle);
    expect(began).toEqual([undefined, { done: 10, cursor: "c1" }, { done: 20, cursor: "c2" }]);
    expect(await handle.progress()).toMatchObject([{ value: { done: 30 }, attempt: 3 }]);
  });

  it("of one call is not that of another call of the activity", async () => {
    const began: unknown[] = [];
    const work = activity("import", async (ctx) => {
      began.push(ctx.lastProgress);
      ctx.progress({ done: 1 });
    });
    const twice = orchestration("twice", async (ctx) => {
      await ctx.scheduleActivity(work);
      await ctx.scheduleActivity(work);
    });
    await using env = await startEnvironment({ orchestrations: [twice], activities: [work] });
    await env.run(twice);
    expect(began).toEqual([undefined, undefined]);
  });

  it("of an execution takes the place of that of the one before", async () => {
    const rounds = orchestration("rounds", async (ctx, round: number): Promise<unknown> => {
      await ctx.run("work", (step) => step.progress({ done: round }));
      return round === 3 ? "done" : ctx.continueAsNew("rounds", round + 1);
    });
    await using env = await startEnvironment({ orchestrations: [rounds] });
    const handle = await env.client.start(rounds, { instanceId: "i", input: 1 });
    await env.finish(handle);
    expect((await handle.progress()).map(({ value }) => value)).toEqual([{ done: 3 }]);
    await env.client.admin.delete("i", { reason: "test" });
    expect(await handle.progress()).toEqual([]);
  });

  it.each(["invalid-input", "lock-lost"] as const)(
    "that cannot be stored (%s) is no fault of the activity",
    async (code) => {
      const faults = new Faults();
      faults.on("reportProgress", () => {
        throw fault("reportProgress", code);
      });
      let runs = 0;
      const work = activity("import", async (ctx) => {
        runs++;
        ctx.progress({ done: 1 });
        await new Promise<void>((resolve) => env.clock.schedule(1_000, resolve));
        expect(ctx.signal.aborted).toBe(false);
        return "done";
      });
      await using env = await startEnvironment({
        orchestrations: [imports],
        activities: [work],
        wrap: faults.wrap,
      });
      expect(await env.run(imports)).toBe("done");
      expect(runs).toBe(1);
      expect(env.log.entries.map(({ fields }) => fields["event"])).toContain("progress_not_stored");
    },
  );
});
