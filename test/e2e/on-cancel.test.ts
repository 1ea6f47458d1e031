/** Code that cleans up when its instance is cancelled (docs/decisions/sagas.md). */
import { activity, type OrchestrationContext, orchestration, RefusedError } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";
import { begun, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

/** Notes what ran, and answers at once. */
function recorder() {
  const ran: string[] = [];
  const step = activity("step", async (_ctx, what: string) => {
    ran.push(what);
    return what;
  });
  return { ran, step };
}

const undo = (what: string) => async (ctx: OrchestrationContext) =>
  ctx.scheduleActivity("step", `undo ${what}`);

const trip = orchestration("trip", async (ctx) => {
  await ctx.scheduleActivity("step", "flight");
  ctx.onCancel(undo("flight"));
  await ctx.scheduleActivity("step", "hotel");
  ctx.onCancel(undo("hotel"));
  return ctx.waitForEvent<string>("paid");
});

const cancelled = (reason: string, message = "") => ({
  message: `canceled: ${reason}`,
  details: { Application: { kind: { Cancelled: { reason } }, message } },
});

describe("cancelling an instance that has registered a clean-up", () => {
  scenario("stops the handler and undoes what it did, the last first", async (start) => {
    const { ran, step } = recorder();
    const { env, handle } = await begun(start, trip, { activities: [step] });
    await handle.cancel("rain");

    expect(await env.failure(handle)).toMatchObject(cancelled("rain"));
    expect(ran).toEqual(["flight", "hotel", "undo hotel", "undo flight"]);
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: trip@1.0.0 null",
      '2 ActivityScheduled: step "flight"',
      '3 ActivityCompleted of 2: "flight"',
      '4 ActivityScheduled: step "hotel"',
      '5 ActivityCompleted of 4: "hotel"',
      "6 ExternalSubscribed: paid",
      "7 OrchestrationCancelRequested: rain",
      '8 ActivityScheduled: step "undo hotel"',
      "9 ExternalSubscribedCancelled of 6: dropped_future",
      '10 ActivityCompleted of 8: "undo hotel"',
      '11 ActivityScheduled: step "undo flight"',
      '12 ActivityCompleted of 11: "undo flight"',
      "13 OrchestrationFailed: canceled: rain",
    ]);
  });

  scenario("undoes only what was registered before the cancellation, and not withdrawn", async (start) => {
    const { ran, step } = recorder();
    const job = orchestration("job", async (ctx) => {
      ctx.onCancel(undo("a"));
      {
        using _ = ctx.onCancel(undo("b"));
        await ctx.scheduleActivity(step, "b");
      }
      await ctx.waitForEvent("go");
      ctx.onCancel(undo("c"));
    });
    const { env, handle } = await begun(start, job, { activities: [step] });
    await handle.cancel("stop");
    await env.failure(handle);

    expect(ran).toEqual(["b", "undo a"]);
  });

  scenario("ends at once where all clean-ups are withdrawn, or the function has returned", async (start) => {
    const { ran, step } = recorder();
    const job = orchestration("job", async (ctx) => {
      using _ = ctx.onCancel(undo("a"));
      await ctx.scheduleActivity(step, "a");
    });
    const later = orchestration("later", async (ctx) => {
      ctx.onCancel(undo("b"))[Symbol.dispose]();
      await ctx.waitForEvent("never");
    });
    const env = await start({ orchestrations: [job, later], activities: [step] });
    const done = await env.client.start(job, { instanceId: "done" });
    await env.finish(done);
    await done.cancel("too late");
    const handle = await env.begin(later, { instanceId: "later" });
    await handle.cancel("stop");

    expect(await env.failure(handle)).toMatchObject(cancelled("stop"));
    expect((await done.status()).status).toBe("Completed");
    expect(ran).toEqual(["a"]);
  });

  scenario(
    "drops what the handler waits for: its activity is told, its child is cancelled",
    async (start) => {
      const { ran, step } = recorder();
      const told: string[] = [];
      const slow = activity("slow", async (ctx) => {
        await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
        told.push("slow");
      });
      const child = orchestration("child", async (ctx) => {
        ctx.onCancel(undo("child"));
        await ctx.waitForEvent("never");
      });
      const parent = orchestration("parent", async (ctx) => {
        ctx.onCancel(undo("parent"));
        await ctx.all([
          ctx.scheduleActivity(slow),
          ctx.scheduleSubOrchestration(child, undefined, { instanceId: "c" }),
        ]);
      });
      const env = await start({ orchestrations: [parent, child], activities: [step, slow] });
      const handle = await env.begin(parent, { instanceId: "p" });
      await handle.cancel("enough");
      await env.failure(handle);
      await env.settle();

      expect(told).toEqual(["slow"]);
      expect(ran.sort()).toEqual(["undo child", "undo parent"]);
      expect(await env.client.handle(child, "c").status()).toMatchObject({ status: "Cancelled" });
      expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0, orchestratorQueue: 0 });
    },
  );

  scenario("shows that it is being cancelled while it cleans up", async (start) => {
    const job = orchestration("job", async (ctx) => {
      ctx.onCancel(async (ctx) => ctx.waitForEvent("cleaned"));
      await ctx.waitForEvent("never");
    });
    const { env, handle } = await begun(start, job);
    await handle.cancel("stop");
    await env.settle();

    const timeline = await env.client.admin.timeline("i");
    expect(timeline).toMatchObject({ status: "Running", cancelRequested: { reason: "stop" } });
    expect(timeline.waits).toContainEqual(expect.objectContaining({ kind: "event", name: "cleaned" }));
    expect((await handle.status()).status).toBe("Running");
    await handle.raise("cleaned");
    await env.failure(handle);
  });

  engineScenario("tells the clean-up the reason, and gives it variables of the handler", async (start) => {
    const { ran, step } = recorder();
    const job = orchestration("job", async (ctx) => {
      let spent = 0;
      ctx.onCancel(async (ctx, reason) => ctx.scheduleActivity(step, `${reason}: refund ${spent}`));
      for (; ; spent++) await ctx.waitForEvent("spend");
    });
    const { env, handle } = await begun(start, job, { activities: [step] });
    await handle.raise("spend");
    await env.settle();
    await handle.raise("spend");
    await env.settle();
    await handle.cancel("enough");
    await env.failure(handle);

    expect(ran).toEqual(["enough: refund 2"]);
  });

  scenario("begins the clean-up also where the handler has ended in the same turn", async (start) => {
    const { ran, step } = recorder();
    const ends = orchestration("ends", async (ctx, how: string): Promise<unknown> => {
      ctx.onCancel(undo(how));
      await ctx.waitForEvent("go");
      if (how === "throw") throw new Error("failed");
      return how === "return" ? "done" : ctx.continueAsNew("ends", "return");
    });
    const env = await start({ orchestrations: [ends], activities: [step] });
    for (const how of ["return", "continue", "throw"]) {
      const handle = await env.begin(ends, { instanceId: how, input: how });
      await Promise.all([handle.raise("go"), handle.cancel("first things first")]);
      expect(await env.failure(handle)).toMatchObject(cancelled("first things first"));
    }
    expect(ran).toEqual(["undo return", "undo continue", "undo throw"]);
  });

  // live-execution.L5
  it.each(["calls", "returns"])(
    "ignores what the handler in memory does meanwhile, and its end: it %s",
    async (how) => {
      const foreign = Promise.withResolvers<void>();
      const { ran, step } = recorder();
      const goesOn = orchestration("goes-on", async (ctx) => {
        ctx.onCancel(async (clean) => {
          await clean.waitForEvent("go");
          await clean.scheduleActivity(step, "undo");
        });
        await Promise.race([foreign.promise, ctx.waitForEvent("never")]);
        return how === "calls" ? ctx.scheduleActivity(step, "late") : "done";
      });
      await using env = await startEnvironment({ orchestrations: [goesOn], activities: [step] });
      const handle = await env.begin(goesOn);
      await handle.cancel("rain");
      await env.settle();
      foreign.resolve();
      await env.settle();
      await handle.raise("go");

      expect(await env.failure(handle)).toMatchObject(cancelled("rain"));
      expect(ran).toEqual(["undo"]);
    },
  );

  scenario("works before its start is processed", async (start) => {
    const { ran, step } = recorder();
    const env = await start({ orchestrations: [trip], activities: [step] });
    await env.stop();
    const handle = await env.client.start(trip, { instanceId: "i" });
    await handle.cancel("never mind");
    await env.start();

    expect(await env.failure(handle)).toMatchObject(cancelled("never mind"));
    expect(ran).toEqual([]);
  });

  scenario("cleans up at the deadline of the instance, unless it has ended", async (start) => {
    const { ran, step } = recorder();
    const { env, handle } = await started(start, trip, { activities: [step], timeout: { minutes: 10 } });
    await env.advance(700_000);

    expect((await env.failure(handle)).name).toBe("OrchestrationFailedError");
    expect(await handle.status()).toMatchObject({
      details: { Application: { thrown: { name: "TimeoutError" } } },
    });
    expect(ran).toEqual(["flight", "hotel", "undo hotel", "undo flight"]);
  });

  engineScenario("does not clean up in an execution that has not registered it", async (start) => {
    const { ran, step } = recorder();
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round > 0) return ctx.waitForEvent("never");
      ctx.onCancel(undo("first"));
      await ctx.scheduleActivity(step, "first");
      return ctx.continueAsNew("moves", 1);
    });
    const { env, handle } = await begun(start, moves, { activities: [step], input: 0 });
    await handle.cancel("stop");
    await env.failure(handle);

    expect(ran).toEqual(["first"]);
  });

  engineScenario("refuses to continue as new, or to register more, while it cleans up", async (start) => {
    const { ran, step } = recorder();
    const job = orchestration("job", async (ctx) => {
      ctx.onCancel(async (ctx) => {
        const errors = [];
        try {
          await ctx.continueAsNew("job");
        } catch (error) {
          errors.push(error);
        }
        try {
          ctx.onCancel(undo("more"));
        } catch (error) {
          errors.push(error);
        }
        await ctx.scheduleActivity(step, errors.map(String).join("; "));
      });
      await ctx.waitForEvent("never");
    });
    const { env, handle } = await begun(start, job, { activities: [step] });
    await handle.cancel("stop");
    await env.failure(handle);

    expect(ran).toEqual([expect.stringMatching(/continueAsNew: .*; .*onCancel: /)]);
  });
});

describe("a clean-up", () => {
  scenario(
    "that fails, or exceeds its time limit, does not keep the next one from running",
    async (start) => {
      const { ran, step } = recorder();
      const job = orchestration("job", async (ctx) => {
        ctx.onCancel(undo("first"));
        ctx.onCancel(async () => {
          throw new Error("no such flight");
        });
        ctx.onCancel(async (ctx) => ctx.waitForEvent("never"), { timeout: { seconds: 90 } });
        await ctx.waitForEvent("never");
      });
      const { env, handle } = await begun(start, job, { activities: [step] });
      await handle.cancel("stop");
      await env.advance(89_000);
      expect(ran).toEqual([]);
      await env.advance(2_000);

      expect(ran).toEqual(["undo first"]);
      expect(await env.failure(handle)).toMatchObject(
        cancelled("stop", "the clean-up did not end within 90000 ms"),
      );
      expect(env.log.messages("warn")).toEqual([
        expect.stringContaining("did not end within 90000 ms"),
        expect.stringContaining("no such flight"),
      ]);
      expect(env.log.messages("error")).toEqual([
        "orchestration cancelled, clean-up failed: what it was to undo is left",
      ]);
    },
  );

  scenario("goes on after the process has ended in the middle of it", async (start) => {
    const { ran, step } = recorder();
    const job = orchestration("job", async (ctx) => {
      ctx.onCancel(async (ctx) => {
        await ctx.scheduleActivity(step, "one");
        await ctx.scheduleTimer({ seconds: 60 });
        await ctx.scheduleActivity(step, "two");
      });
      await ctx.waitForEvent("never");
    });
    const { env, handle } = await begun(start, job, { activities: [step], file: true });
    await handle.cancel("stop");
    await env.advance(1_000);
    await env.kill();
    await env.start();
    await env.advance(120_000);

    expect(await env.failure(env.client.handle(job, "i"))).toMatchObject(cancelled("stop"));
    expect(ran).toEqual(["one", "two"]);
  });

  scenario(
    "goes on after a crash in the middle of one of its activities, which runs again",
    async (start) => {
      const ran: string[] = [];
      let crashed = false;
      const step = activity("step", async (_ctx, what: string) => {
        ran.push(what);
        if (!crashed && what === "undo flight") await new Promise(() => {});
        return what;
      });
      const { env, handle } = await begun(start, trip, { activities: [step], file: true });
      await handle.cancel("rain");
      await env.settle();
      await env.kill();
      crashed = true;
      await env.start();
      await env.advance(120_000);

      expect(await env.failure(env.client.handle(trip, "i"))).toMatchObject(cancelled("rain"));
      expect(ran).toEqual(["flight", "hotel", "undo hotel", "undo flight", "undo flight"]);
    },
  );

  const stuck = orchestration("stuck", async (ctx) => {
    ctx.onCancel(async (ctx) => ctx.waitForEvent("never"));
    await ctx.waitForEvent("never");
  });

  scenario("is ended by a second cancellation for another reason", async (start) => {
    const { env, handle } = await begun(start, stuck);
    await handle.cancel("one");
    await env.settle();
    await handle.cancel("one");
    await env.settle();
    expect((await handle.status()).status, "the same request again").toBe("Running");
    await handle.cancel("two");
    await env.settle();

    expect(await env.failure(handle)).toMatchObject(cancelled("one"));
    const requests = (await env.history("i")).filter((line) => line.includes("OrchestrationCancelRequested"));
    expect(requests).toHaveLength(2);
  });

  scenario("is ended by terminate", async (start) => {
    const { env, handle } = await begun(start, stuck);
    await handle.cancel("one");
    await env.settle();
    await env.client.admin.terminate("i", { reason: "now" });

    expect(await env.failure(handle)).toMatchObject(cancelled("terminated: now"));
  });

  scenario("is not ended by cancellations that came together", async (start) => {
    const { ran, step } = recorder();
    const { env, handle } = await begun(start, trip, { activities: [step] });
    await env.stop();
    await handle.cancel("one");
    await handle.cancel("two");
    await env.start();
    await env.failure(handle);

    expect(ran.slice(2)).toEqual(["undo hotel", "undo flight"]);
  });

  scenario("is not ended by its parent or its deadline", async (start) => {
    const { ran, step } = recorder();
    const child = orchestration("child", async (ctx) => {
      ctx.onCancel(async (ctx) => {
        await ctx.scheduleTimer({ seconds: 60 });
        await ctx.scheduleActivity(step, "undone");
      });
      await ctx.waitForEvent("never");
    });
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(child, undefined, { instanceId: "c" }),
    );
    const env = await start({ orchestrations: [parent, child], activities: [step] });
    const handle = await env.client.start(parent, { instanceId: "p" });
    const alone = await env.begin(child, { instanceId: "alone", timeout: { seconds: 30 } });
    await env.client.handle(child, "c").cancel("the child first");
    await alone.cancel("before its deadline");
    await env.settle();
    await handle.cancel("then the parent");
    await env.advance(120_000);

    expect(ran).toEqual(["undone", "undone"]);
    expect(await env.failure(alone)).toMatchObject(cancelled("before its deadline"));
    expect(await env.failure(env.client.handle(child, "c"))).toMatchObject(cancelled("the child first"));
  });
});

describe("an instance whose clean-up needs its handler", () => {
  scenario("waits for a process that has it", async (start) => {
    const { ran, step } = recorder();
    const { env } = await begun(start, trip, { activities: [step], file: true });
    await env.restart({ orchestrations: [] });
    await env.client.handle(trip, "i").cancel("rain");
    await env.advance(10_000);
    expect((await env.client.handle(trip, "i").status()).status).toBe("Running");
    expect(ran).toEqual(["flight", "hotel"]);

    await env.restart();
    expect(await env.failure(env.client.handle(trip, "i"))).toMatchObject(cancelled("rain"));
    expect(ran).toEqual(["flight", "hotel", "undo hotel", "undo flight"]);
  });

  scenario("waits for code that fits its history; terminate needs none", async (start) => {
    const { ran, step } = recorder();
    const changed = orchestration("trip", async (ctx) => ctx.scheduleActivity(step, "train"));
    const { env } = await started(start, trip, { activities: [step], file: true });
    await env.begin(trip, { instanceId: "j" });
    await env.restart({ orchestrations: [changed] });
    for (const id of ["i", "j"]) await env.client.handle(trip, id).cancel("rain");
    await env.advance(1_000);
    expect((await env.client.handle(trip, "i").status()).status).toBe("Running");
    await env.client.admin.terminate("j", { reason: "now" });

    await env.restart();
    await env.failure(env.client.handle(trip, "i"));
    expect(ran.filter((what) => what === "undo flight")).toHaveLength(1);
    expect(await env.failure(env.client.handle(trip, "j"))).toMatchObject(cancelled("terminated: now"));
  });

  engineScenario("is marked once, in the turn that registers", async (start) => {
    const { step } = recorder();
    const { env, handle } = await begun(start, trip, { activities: [step] });
    const events = await env.events("i");
    expect(events.filter(({ on_cancel }) => on_cancel !== undefined).map(({ event_id }) => event_id)).toEqual(
      [4],
    );
    await handle.raise("paid", "yes");
    await env.finish(handle);
    expect((await env.events("i")).filter(({ on_cancel }) => on_cancel === true)).toHaveLength(1);
  });
});

describe("trying an instance again that has cleaned up", () => {
  scenario("is refused where the clean-up has ended", async (start) => {
    const { step } = recorder();
    const { env, handle } = await begun(start, trip, { activities: [step] });
    await handle.cancel("rain");
    await env.failure(handle);

    const refused = env.client.admin.retry("i");
    await expect(refused).rejects.toThrow(RefusedError);
    await expect(refused).rejects.toThrow("it was cancelled, and has cleaned up");
  });

  scenario("goes on with the clean-up where an activity of it has failed", async (start) => {
    const ran: string[] = [];
    let down = true;
    const step = activity("step", async (_ctx, what: string) => {
      if (down && what === "undo flight") throw new Error("the airline is down");
      ran.push(what);
      return what;
    });
    const { env, handle } = await begun(start, trip, { activities: [step] });
    await handle.cancel("rain");
    expect(await env.failure(handle)).toMatchObject(cancelled("rain", "the airline is down"));
    down = false;
    await env.client.admin.retry("i");
    await env.settle();

    expect(await env.failure(env.client.handle(trip, "i"))).toMatchObject(cancelled("rain"));
    expect(ran).toEqual(["flight", "hotel", "undo hotel", "undo flight"]);
  });
});

engineScenario(
  "a stored clean-up is replayed by the kit, which finds code that has changed",
  async (start) => {
    const { step } = recorder();
    const { env, handle } = await begun(start, trip, { activities: [step] });
    await handle.cancel("rain");
    await env.failure(handle);
    const history = await env.events("i");

    await replay(history, { orchestrations: [trip] });
    const changed = orchestration("trip", async (ctx) => {
      await ctx.scheduleActivity("step", "flight");
      ctx.onCancel(undo("the flight"));
      await ctx.scheduleActivity("step", "hotel");
      ctx.onCancel(undo("hotel"));
      await ctx.waitForEvent("paid");
    });
    await expect(replay(history, { orchestrations: [changed] })).rejects.toThrow("undo the flight");
  },
);
