/** Races: who wins is decided by the order of history, and what becomes of the losers. */
import { activity, CancelledError, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, failureOf, outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, text: string) => text);
const hang = activity("hang", async (ctx) => {
  const cancelled = new Promise<string>((resolve) => {
    ctx.signal.addEventListener("abort", () => resolve("gave up"), { once: true });
  });
  return cancelled;
});

describe("a race", () => {
  scenario("is won by the first to settle, whatever its place among the arguments", async (start) => {
    const race = orchestration("race", async (ctx) => {
      const winner = await ctx.race([ctx.waitForEvent<string>("a"), ctx.waitForEvent<string>("b")]);
      return winner;
    });
    const { env, handle } = await begun(start, race);
    await Promise.all([handle.raise("b", "second"), handle.raise("a", "first")]);

    expect(await env.finish(handle)).toEqual({ index: 1, value: "second" });
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: race@1.0.0 null",
      "2 ExternalSubscribed: a",
      "3 ExternalSubscribed: b",
      '4 ExternalEvent: b "second"',
      '5 ExternalEvent: a "first"',
      "6 ExternalSubscribedCancelled of 2: dropped_future",
      '7 OrchestrationCompleted: {"index":1,"value":"second"}',
    ]);
  });

  scenario("between settled tasks is won by the first argument", async (start) => {
    const late = orchestration("late", async (ctx) => {
      const a = ctx.scheduleActivity(echo, "a");
      const b = ctx.scheduleActivity(echo, "b");
      await ctx.all([a, b]);
      return ctx.race([b, a]);
    });

    expect(await outputOf(start, late, { activities: [echo] })).toEqual({
      index: 0,
      value: "b",
    });
  });

  scenario("cancels the losers: an activity is told to stop", async (start) => {
    const signalled: boolean[] = [];
    const watched = hang.mock(async (ctx) => {
      await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
      signalled.push(ctx.signal.aborted);
      return "too late";
    });
    const impatient = orchestration("impatient", async (ctx) => {
      const winner = await ctx.race([ctx.scheduleActivity(hang), ctx.scheduleTimer(1_000)]);
      await ctx.scheduleTimer(1_000);
      return winner.index;
    });
    const { env, handle } = await started(start, impatient, { activities: [watched] });

    expect(await env.finish(handle)).toBe(1);
    expect(signalled).toEqual([true]);
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: impatient@1.0.0 null",
      "2 ActivityScheduled: hang null",
      "3 TimerCreated",
      "4 TimerFired of 3",
      "5 TimerCreated",
      "6 ActivityCancelRequested of 2: dropped_future",
      "7 TimerFired of 5",
      "8 OrchestrationCompleted: 1",
    ]);
  });

  scenario("cancels the losers: a child is cancelled", async (start) => {
    const child = orchestration("child", async (ctx) => ctx.waitForEvent<string>("never"));
    const parent = orchestration("parent", async (ctx) => {
      await ctx.race([ctx.scheduleSubOrchestration(child), ctx.scheduleTimer(1_000)]);
      return ctx.waitForEvent<string>("go");
    });
    const { env, handle } = await started(start, parent, { orchestrations: [parent, child] });
    await env.advance(2_000);
    await handle.raise("go", "on");

    expect(await env.finish(handle)).toBe("on");
    expect((await env.history("i::sub::2")).slice(-2)).toEqual([
      "4 ExternalSubscribedCancelled of 2: orchestration_terminal",
      "5 OrchestrationFailed: canceled: parent dropped sub-orchestration future",
    ]);
  });

  scenario("cancels the losers: a losing timer leaves no trace", async (start) => {
    const quick = orchestration("quick", async (ctx) => {
      const winner = await ctx.race([ctx.scheduleTimer(5_000), ctx.scheduleActivity(echo, "quick")]);
      await ctx.waitForEvent("end");
      return winner.value;
    });
    const { env, handle } = await started(start, quick, { activities: [echo] });
    await env.advance(10_000);
    await handle.raise("end");

    expect(await env.finish(handle)).toBe("quick");
    expect((await env.history("i")).slice(3)).toEqual([
      '4 ActivityCompleted of 3: "quick"',
      "5 ExternalSubscribed: end",
      "6 ExternalEvent: end null",
      '7 OrchestrationCompleted: "quick"',
    ]);
  });

  scenario("rejects with the winner's error, and cancels the losers all the same", async (start) => {
    const refuse = activity("refuse", async (): Promise<string> => {
      throw new Error("refused");
    });
    const unlucky = orchestration("unlucky", async (ctx) => {
      const wait = ctx.waitForEvent("never");
      const message = await ctx
        .race([wait, ctx.scheduleActivity(refuse)])
        .catch((error: Error) => error.message);
      const fate = await wait.catch((error: Error) => error instanceof CancelledError);
      return [message, fate];
    });

    expect(await outputOf(start, unlucky, { activities: [refuse] })).toEqual(["refused", true]);
  });

  scenario("with keep leaves the losers alone", async (start) => {
    const patient = orchestration("patient", async (ctx) => {
      const answer = ctx.waitForEvent<string>("answer");
      const first = await ctx.race([answer, ctx.scheduleTimer(1_000)], { keep: true });
      return [first.index, await answer];
    });
    const { env, handle } = await started(start, patient);
    await env.advance(2_000);
    await handle.raise("answer", "late, but welcome");

    expect(await env.finish(handle)).toEqual([1, "late, but welcome"]);
  });

  scenario("as Promise.race leaves the losers alone, too", async (start) => {
    const patient = orchestration("patient", async (ctx) => {
      const answer = ctx.waitForEvent<string>("answer");
      const first = await Promise.race([answer, ctx.scheduleTimer(1_000)]);
      return [first, await answer];
    });
    const { env, handle } = await started(start, patient);
    await env.advance(2_000);
    await handle.raise("answer", "yes");

    expect(await env.finish(handle)).toEqual([null, "yes"]);
  });

  scenario("may be nested, and a losing race cancels its members", async (start) => {
    const nested = orchestration("nested", async (ctx) => {
      const inner = ctx.race([ctx.waitForEvent("a"), ctx.waitForEvent("b")]);
      const outer = await ctx.race([inner, ctx.scheduleTimer(1_000)]);
      await ctx.waitForEvent("end");
      return outer.index;
    });
    const { env, handle } = await started(start, nested);
    await env.advance(2_000);
    await handle.raise("end");

    expect(await env.finish(handle)).toBe(1);
    expect((await env.history("i")).slice(5, 8)).toEqual([
      "6 ExternalSubscribed: end",
      "7 ExternalSubscribedCancelled of 2: dropped_future",
      "8 ExternalSubscribedCancelled of 3: dropped_future",
    ]);
  });

  scenario("whose loser completes later replays", async (start) => {
    const gate = Promise.withResolvers<string>();
    const slow = activity("slow", async () => gate.promise);
    const twoSlow = orchestration("two-slow", async (ctx) => {
      const winner = await ctx.race([ctx.waitForEvent("go"), ctx.scheduleActivity(slow)], { keep: true });
      const next = await ctx.scheduleActivity(echo, `after ${winner.index}`);
      await ctx.waitForEvent("end");
      return next;
    });
    const { env, handle } = await begun(start, twoSlow, { activities: [slow, echo] });
    await handle.raise("go");
    await env.settle();
    gate.resolve("late");
    await env.settle();
    await handle.raise("end");

    expect(await env.finish(handle)).toBe("after 0");
  });

  scenario("without entries is refused, for it would never end", async (start) => {
    const nobody = orchestration("nobody", async (ctx) => ctx.race([]));

    expect((await failureOf(start, nobody)).message).toContain("at least one entry");
  });
});

describe("a branch of several steps", () => {
  scenario("goes no further once it has lost", async (start) => {
    const steps: string[] = [];
    const step = echo.mock(async (_ctx, text) => {
      steps.push(text);
      return text;
    });
    const branches = orchestration("branches", async (ctx) => {
      const winner = await ctx.race([
        ctx.waitForEvent<string>("stop"),
        async (branch) => {
          for (let round = 0; ; round++) {
            await branch.scheduleTimer(1_000);
            await branch.scheduleActivity(echo, `round ${round}`);
          }
        },
      ]);
      await ctx.scheduleTimer(10_000);
      return winner.value;
    });
    const { env, handle } = await started(start, branches, { activities: [step] });
    await env.advance(2_500);
    await handle.raise("stop", "enough");

    expect(await env.finish(handle)).toBe("enough");
    expect(steps).toEqual(["round 0", "round 1"]);
  });

  scenario("that has lost runs neither its catch nor its finally", async (start) => {
    const seen: string[] = [];
    const branches = orchestration("branches", async (ctx) => {
      await ctx.race([
        async (branch) => {
          try {
            await branch.scheduleActivity(hang);
          } catch {
            seen.push("catch");
          } finally {
            seen.push("finally");
          }
        },
        ctx.scheduleTimer(1_000),
      ]);
      await ctx.scheduleTimer(1_000);
    });
    const { env, handle } = await started(start, branches, { activities: [hang] });

    await env.finish(handle);
    expect(seen).toEqual([]);
    expect(await env.history("i")).toContain("6 ActivityCancelRequested of 3: dropped_future");
  });

  // context.X2
  scenario("that has lost changes nothing any more, even where it goes on by itself", async (start) => {
    const changed = orchestration("changed", async (ctx) => {
      const shared = ctx.waitForEvent<string>("go");
      await ctx.race([
        shared,
        async (branch) => {
          await shared;
          branch.kv.set("loser", true);
          branch.setCustomStatus("loser");
          branch.log.info("loser");
          await branch.scheduleActivity(echo, "loser");
        },
      ]);
      return ctx.kv.keys();
    });
    const { env, handle } = await begun(start, changed, { activities: [echo] });
    await handle.raise("go");

    expect(await env.finish(handle)).toEqual([]);
    expect(env.log.messages("info")).not.toContain("loser");
  });

  scenario("that wins gives its result", async (start) => {
    const branches = orchestration("branches", async (ctx) =>
      ctx.race([
        ctx.scheduleTimer(60_000),
        async (branch) => {
          const first = await branch.scheduleActivity(echo, "one");
          return `${first} ${await branch.scheduleActivity(echo, "two")}`;
        },
      ]),
    );

    expect(await outputOf(start, branches, { activities: [echo] })).toEqual({
      index: 1,
      value: "one two",
    });
  });

  scenario("that throws at once rejects the race and cancels the rest", async (start) => {
    const branches = orchestration("branches", async (ctx) => {
      const message = await ctx
        .race([
          ctx.waitForEvent("never"),
          () => {
            throw new Error("at once");
          },
        ])
        .catch((error: Error) => error.message);
      await ctx.scheduleTimer(1);
      return message;
    });
    const env = await start({ orchestrations: [branches] });

    expect(await env.run(branches)).toBe("at once");
    expect(await env.history("i")).toContain("4 ExternalSubscribedCancelled of 2: dropped_future");
  });
});
