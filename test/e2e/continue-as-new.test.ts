/** Endless orchestrations: one execution ends, the next begins with a fresh history. */
import { activity, orchestration, question } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, failureOf, outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, n: number) => n);

describe("continue-as-new", () => {
  scenario("rolls the input forward; each execution has a history of its own", async (start) => {
    const count = orchestration("count", async (ctx, n: number): Promise<string> => {
      await ctx.scheduleActivity(echo, n);
      return n < 3 ? ctx.continueAsNew("count", n + 1) : `counted to ${n}`;
    });
    const env = await start({ orchestrations: [count], activities: [echo] });

    expect(await env.run(count, { instanceId: "i", input: 1 })).toBe("counted to 3");
    expect(await env.client.admin.executions("i")).toEqual([1, 2, 3]);
    expect(await env.history("i", 2)).toEqual([
      "1 OrchestrationStarted: count@1.0.0 2",
      "2 ActivityScheduled: echo 2",
      "3 ActivityCompleted of 2: 2",
      "4 OrchestrationContinuedAsNew: 3",
    ]);
  });

  scenario("never settles, so no catch swallows it and no finally runs", async (start) => {
    const seen: string[] = [];
    const careless = orchestration("careless", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return "second execution";
      try {
        return await ctx.continueAsNew("careless", 1);
      } catch {
        seen.push("catch");
        return "swallowed";
      } finally {
        seen.push("finally");
      }
    });

    expect(await outputOf(start, careless, { input: 0 })).toBe("second execution");
    expect(seen).toEqual([]);
  });

  scenario("counts also where no code awaits it, and beats a finished function", async (start) => {
    const hasty = orchestration("hasty", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return "second execution";
      void ctx.continueAsNew("hasty", 1);
      return "first execution";
    });

    expect(await outputOf(start, hasty, { input: 0 })).toBe("second execution");
  });

  scenario("counts once: the first call says where it goes on", async (start) => {
    const twice = orchestration("twice", async (ctx, from: string): Promise<unknown> => {
      if (from !== "start") return from;
      void ctx.continueAsNew("twice", "first call");
      return ctx.continueAsNew("twice", "second call");
    });

    expect(await outputOf(start, twice, { input: "start" })).toBe("first call");
  });

  scenario("cancels what is in flight, and ignores its late completions", async (start) => {
    const gate = Promise.withResolvers<number>();
    const slow = activity("slow", async () => gate.promise);
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round === 0) {
        void ctx.scheduleActivity(slow);
        void ctx.scheduleTimer(5_000);
        await ctx.scheduleTimer(1_000);
        return ctx.continueAsNew("moves", 1);
      }
      await ctx.scheduleTimer(10_000);
      return "undisturbed";
    });
    const { env, handle } = await started(start, moves, { activities: [slow], input: 0 });
    await env.advance(2_000);
    gate.resolve(1);

    expect(await env.finish(handle)).toBe("undisturbed");
    expect(await env.history("i", 1)).toEqual([
      "1 OrchestrationStarted: moves@1.0.0 0",
      "2 ActivityScheduled: slow null",
      "3 TimerCreated",
      "4 TimerCreated",
      "5 TimerFired of 4",
      "6 OrchestrationContinuedAsNew: 1",
      "7 ActivityCancelRequested of 2: orchestration_terminal_continued_as_new",
    ]);
    expect(await env.history("i", 2)).toHaveLength(4);
  });

  scenario("ends open waits with the execution", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return ctx.waitForEvent("again");
      void ctx.waitForEvent("again");
      void ctx.dequeue("jobs");
      await ctx.scheduleTimer(1_000);
      return ctx.continueAsNew("moves", 1);
    });
    const { env, handle } = await started(start, moves, { input: 0 });
    await env.advance(1_000);
    await handle.raise("again", "for the second execution");

    expect(await env.finish(handle)).toBe("for the second execution");
    expect((await env.history("i", 1)).slice(-3)).toEqual([
      "6 ExternalSubscribedCancelled of 2: orchestration_terminal",
      "7 ExternalSubscribedPersistentCancelled of 3: orchestration_terminal",
      "8 OrchestrationContinuedAsNew: 1",
    ]);
  });

  scenario("stops every branch: later messages of the batch go to the next execution", async (start) => {
    const seen: string[] = [];
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return [await ctx.dequeue("jobs"), ctx.kv.get("jobs"), ctx.getCustomStatus()];
      return ctx.all([
        async (branch) => {
          await branch.dequeue("move");
          return branch.continueAsNew("moves", 1);
        },
        async (branch) => {
          const job = await branch.dequeue<string>("jobs");
          seen.push(job);
          branch.kv.set("jobs", job);
          branch.setCustomStatus(job);
        },
      ]);
    });
    const { env, handle } = await begun(start, moves, { input: 0 });
    await env.stop();
    await handle.enqueue("move");
    await handle.enqueue("jobs", "a");
    await env.start();

    expect(await env.finish(handle)).toEqual(["a", null, null]);
    expect(seen).toEqual([]);
  });

  scenario(
    "leaves later messages and questions to the next execution where the code ends too",
    async (start) => {
      const round = question<void, number>("round");
      const moves = orchestration("moves", async (ctx, n: number): Promise<unknown> => {
        ctx.answer(round, () => n);
        if (n === 1) return [await ctx.dequeue("jobs"), await ctx.dequeue("end")];
        await ctx.dequeue("move");
        void ctx.continueAsNew("moves", 1);
        return "not the result";
      });
      const { env, handle } = await begun(start, moves, { input: 0 });
      await env.stop();
      await handle.enqueue("move");
      await handle.enqueue("jobs", "a");
      const asked = handle.ask(round);
      await env.settle();
      await env.start();
      await env.settle();

      expect(await asked).toBe(1);
      await handle.enqueue("end", "b");
      expect(await env.finish(handle)).toEqual(["a", "b"]);
    },
  );

  scenario("carries out nothing that the code calls afterwards", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return [ctx.kv.get("n"), ctx.getCustomStatus(), await ctx.dequeue("jobs")];
      await ctx.scheduleTimer(1_000);
      void ctx.continueAsNew("moves", 1);
      ctx.kv.set("n", 1);
      ctx.setCustomStatus("moved");
      ctx.setTags({ moved: true });
      ctx.enqueue(ctx.instanceId, "jobs", "from itself");
      return ctx.dequeue("jobs");
    });
    const { env, handle } = await started(start, moves, { input: 0 });
    await handle.enqueue("jobs", "from outside");

    expect(await env.finish(handle)).toEqual([null, null, "from outside"]);
    expect((await env.client.admin.info("i")).tags).toBeUndefined();
    expect((await env.events("i", 1)).map(({ type }) => type).sort()).toEqual([
      "ExternalEventPersistent",
      "OrchestrationContinuedAsNew",
      "OrchestrationStarted",
      "TimerCreated",
      "TimerFired",
    ]);
  });

  scenario("moves to the newest version, unless one is named", async (start) => {
    const v1 = orchestration("job", async (ctx, round: string): Promise<unknown> => {
      if (round === "stay") return "1.0.0";
      await ctx.scheduleTimer(1_000);
      const options = round === "pin" ? { version: "1.0.0" } : {};
      return ctx.continueAsNew("job", "stay", options);
    });
    const v2 = orchestration("job", { version: "2.0.0" }, async () => "2.0.0");
    const { env, handle: moving } = await started(start, v1, { instanceId: "moving", input: "move" });
    const pinned = await env.begin(v1, { instanceId: "pinned", input: "pin" });
    await env.restart({ orchestrations: [v1, v2] });

    expect(await env.finish(moving)).toBe("2.0.0");
    expect(await env.finish(pinned)).toBe("1.0.0");
  });

  scenario("may go on as another orchestration", async (start) => {
    const second = orchestration("second", async (ctx, n: number) => `${ctx.orchestrationName} ${n}`);
    const first = orchestration("first", async (ctx) => ctx.continueAsNew(second, 5));

    expect(await outputOf(start, first, { orchestrations: [first, second] })).toBe("second 5");
  });

  scenario("that cannot be encoded is refused where it is called", async (start) => {
    const bad = orchestration("bad", async (ctx) =>
      ctx.continueAsNew("bad", { n: 1n }).catch((error: Error) => error.name),
    );

    expect(await failureOf(start, bad)).toMatchObject({
      cause: { name: "InvalidInputError" },
    });
  });
});
