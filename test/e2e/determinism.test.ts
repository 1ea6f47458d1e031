/** Checks that every replay gives the same: time, chance, system calls, log lines, generators. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";
import { failureOf, outputOf, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, value: unknown) => value);

// context.X4
describe("ctx.now", () => {
  engineScenario("stands still between two events and moves with them", async (start) => {
    const watches = orchestration("watches", async (ctx) => {
      const started = ctx.now();
      const same = ctx.now() - started;
      await ctx.scheduleTimer(1_000);
      const moved = ctx.now() - started;
      // The recorded input would not match if replays saw other times.
      await ctx.scheduleActivity(echo, ctx.now());
      return [same, moved];
    });

    expect(await outputOf(start, watches, { activities: [echo] })).toEqual([0, 1_000]);
  });
});

// context.X4
describe("ctx.random", () => {
  engineScenario(
    "gives the same numbers on replay, others to other instances and executions",
    async (start) => {
      const draws = orchestration("draws", async (ctx, round: number): Promise<unknown> => {
        const numbers = [ctx.random(), ctx.random()];
        await ctx.scheduleActivity(echo, numbers);
        numbers.push(ctx.random());
        await ctx.scheduleActivity(echo, numbers);
        return round === 0 ? ctx.continueAsNew("draws", 1) : numbers;
      });
      const env = await start({ orchestrations: [draws], activities: [echo] });
      const run = async (instanceId: string, input: number) =>
        (await env.run(draws, { instanceId, input })) as number[];

      const results = [await run("a", 1), await run("b", 1), await run("a2", 0)];

      const all = results.flat();
      expect(new Set(all).size).toBe(9);
      expect(all.every((n) => n >= 0 && n < 1)).toBe(true);
    },
  );
});

describe("ctx.deterministic", () => {
  engineScenario(
    "gives a library the same time and numbers in every replay, across durable calls",
    async (start) => {
      const library = orchestration("library", async (ctx) =>
        ctx.deterministic(async () => {
          const first = [Date.now(), Math.random(), crypto.randomUUID()];
          await ctx.scheduleActivity(echo, first);
          await ctx.scheduleTimer(1_000);
          const second = [Date.now() - Number(first[0]), Math.random()];
          await ctx.scheduleActivity(echo, second);
          return second[0];
        }),
      );

      expect(await outputOf(start, library, { activities: [echo] })).toBe(1_000);
    },
  );

  engineScenario("leaves a step its own clock", async (start) => {
    const steps = orchestration("steps", async (ctx) =>
      ctx.deterministic(() =>
        ctx.run("clock", () => Math.abs(Date.now() - performance.timeOrigin) < 3_600_000),
      ),
    );

    expect(await outputOf(start, steps)).toBe(true);
  });
});

describe("system calls", () => {
  scenario("give recorded ids and times", async (start) => {
    const calls = orchestration("calls", async (ctx) => {
      const [first, second, now] = await ctx.all([ctx.newGuid(), ctx.newGuid(), ctx.utcNow()]);
      const winner = await ctx.race([ctx.newGuid(), ctx.scheduleTimer(60_000)]);
      await ctx.scheduleActivity(echo, [first, second, now, winner.value]);
      return [first, second, now, winner.value] as const;
    });
    const env = await start({ orchestrations: [calls], activities: [echo] });
    const nowMs = env.needsVirtualTime("it compares times").now();

    const [first, second, now, third] = await env.run(calls);

    expect(new Set([first, second, third]).size).toBe(3);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(now).toBe(nowMs);
    expect((await env.history("i"))[1]).toBe("2 ActivityScheduled: __duroxide_syscall:new_guid ");
  });

  engineScenario("are served by a runtime without any activity", async (start) => {
    const calls = orchestration("calls", async (ctx) => typeof (await ctx.utcNow()));

    expect(await outputOf(start, calls)).toBe("number");
  });

  engineScenario("may be pending when the instance is cancelled", async (start) => {
    const calls = orchestration("calls", async (ctx) => ctx.newGuid());
    const env = await start({ orchestrations: [calls], options: { workerTagFilter: { kind: "none" } } });
    const handle = await env.begin(calls);
    await handle.cancel("stop");

    expect((await env.failure(handle)).message).toBe("canceled: stop");
    expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0 });
  });
});

describe("ctx.log", () => {
  scenario("says each line once, across turns and restarts", async (start) => {
    const talks = orchestration("talks", async (ctx) => {
      ctx.log.info("begin");
      for (let round = 0; round < 3; round++) {
        await ctx.scheduleTimer(1_000);
        ctx.log.info({ replaying: ctx.isReplaying }, `round ${round}`);
      }
      await ctx.waitForEvent("go");
      ctx.log.warn("end");
    });
    const { env } = await started(start, talks, { file: true });
    await env.advance(1_500);
    await env.restart();
    await env.advance(5_000);
    await env.restart();
    const handle = env.client.handle(talks, "i");
    await handle.enqueue("noise", "that wakes the instance");
    await env.settle();
    await handle.raise("go");
    await env.finish(handle);

    const lines = env.log.entries.filter(
      ({ fields }) => "orchestration_version" in fields && !("event" in fields),
    );
    expect(lines.map(({ message }) => message)).toEqual(["begin", "round 0", "round 1", "round 2", "end"]);
    expect(lines[1]).toEqual({
      level: "info",
      message: "round 0",
      fields: {
        instance_id: "i",
        execution_id: 1,
        orchestration_name: "talks",
        orchestration_version: "1.0.0",
        replaying: false,
      },
    });
  });

  it("of an activity carries its identity", async () => {
    const talks = activity("talks", async (ctx) => ctx.log.info({ extra: 1 }, "working"));
    await using env = await startEnvironment({
      orchestrations: [orchestration("calls", async (ctx) => ctx.scheduleActivity(talks))],
      activities: [talks],
    });
    await env.run("calls");

    expect(env.log.entries.find(({ message }) => message === "working")?.fields).toMatchObject({
      extra: 1,
      instance_id: "i",
      activity_name: "talks",
      activity_id: 2,
    });
  });
});

describe("a generator", () => {
  engineScenario("runs like an async function: yield is await", async (start) => {
    const fails = activity("fails", async (): Promise<string> => {
      throw new Error("as expected");
    });
    const steps = orchestration("steps", function* (ctx, n: number) {
      const doubled: number = yield ctx.scheduleActivity(echo, n * 2);
      let caught = "";
      try {
        yield ctx.scheduleActivity(fails);
      } catch (error) {
        caught = (error as Error).message;
      }
      const winner: { readonly index: number } = yield ctx.race([
        ctx.scheduleTimer(10),
        ctx.waitForEvent("e"),
      ]);
      const plain: string = yield "no promise";
      return [doubled, caught, winner.index, plain];
    });

    expect(await outputOf(start, steps, { activities: [echo, fails], input: 21 })).toEqual([
      42,
      "as expected",
      0,
      "no promise",
    ]);
  });

  engineScenario("that throws fails the instance", async (start) => {
    // biome-ignore lint/correctness/useYield: a generator that ends before its first step
    const broken = orchestration("broken", function* () {
      throw new Error("not even once");
    });

    expect(await failureOf(start, broken)).toMatchObject({
      message: "not even once",
    });
  });
});
