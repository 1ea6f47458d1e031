/** Children: their ids, results and failures, and what happens when ids collide. */
import { activity, orchestration, SubOrchestrationFailedError } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, outputOf } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const square = orchestration("square", async (_ctx, n: number) => n * n);
const broken = orchestration("broken", { onDefect: "fail" }, async (_ctx, why: string): Promise<string> => {
  throw new RangeError(why);
});
const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));

describe("a child", () => {
  scenario("gives its parent its result", async (start) => {
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(square, 7));
    const env = await start({ orchestrations: [parent, square] });

    expect(await env.run(parent, { instanceId: "p" })).toBe(49);
    expect(await env.history("p")).toEqual([
      "1 OrchestrationStarted: parent@1.0.0 null",
      "2 SubOrchestrationScheduled: square sub::2 7",
      "3 SubOrchestrationCompleted of 2: 49",
      "4 OrchestrationCompleted: 49",
    ]);
    expect((await env.events("p::sub::2"))[0]).toMatchObject({
      parent_instance: "p",
      parent_id: 2,
      parent_execution_id: 1,
    });
  });

  scenario("may have children itself, whose ids nest", async (start) => {
    const middle = orchestration("middle", async (ctx, n: number) => ctx.scheduleSubOrchestration(square, n));
    const root = orchestration("root", async (ctx) => ctx.scheduleSubOrchestration(middle, 3));
    const env = await start({ orchestrations: [root, middle, square] });

    expect(await env.run(root, { instanceId: "r" })).toBe(9);
    expect(await env.client.admin.tree("r")).toMatchObject({
      allIds: ["r::sub::2::sub::2", "r::sub::2", "r"],
    });
  });

  scenario("of a later execution has the execution in its id", async (start) => {
    const eternal = orchestration("eternal", async (ctx, round: number): Promise<unknown> => {
      await ctx.scheduleSubOrchestration(square, round);
      return round < 3 ? ctx.continueAsNew("eternal", round + 1) : "done";
    });
    const env = await start({ orchestrations: [eternal, square] });

    await env.run(eternal, { instanceId: "e", input: 1 });

    const ids: string[] = [];
    for await (const id of env.client.admin.instances()) ids.push(id);
    expect(ids.toSorted()).toEqual(["e", "e::sub::2", "e::sub::2_2", "e::sub::3_2"]);
  });

  scenario("may be given an id, also one that contains the marker of automatic ids", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      await ctx.scheduleSubOrchestration(square, 1, { instanceId: "my-child" });
      await ctx.scheduleSubOrchestration(square, 2, { instanceId: "x::sub::y" });
    });
    const env = await start({ orchestrations: [parent, square] });

    await env.run(parent, { instanceId: "p" });

    expect(await env.client.handle(square, "my-child").result()).toBe(1);
    expect(await env.client.handle(square, "x::sub::y").result()).toBe(4);
  });

  scenario("may not have an id that begins with the marker: nothing is scheduled", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx
        .scheduleSubOrchestration(square, 1, { instanceId: "sub::mine" })
        .catch((error: Error) => error.message),
    );
    const env = await start({ orchestrations: [parent, square] });

    expect(await env.run(parent, { instanceId: "p" })).toContain("'sub::mine'");
    expect(await env.history("p")).toHaveLength(2);
  });

  scenario("that fails rejects with its message, name and data", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      const error = await ctx.scheduleSubOrchestration(broken, "too big").catch((thrown: unknown) => thrown);
      if (!(error instanceof SubOrchestrationFailedError)) return "?";
      return [error.code, error.message, error.orchestrationName, (error.cause as Error).name];
    });

    expect(await outputOf(start, parent, { orchestrations: [parent, broken], instanceId: "p" })).toEqual([
      "sub-orchestration-failed",
      "too big",
      "broken",
      "RangeError",
    ]);
  });

  scenario("that no code catches fails its parents up to the root", async (start) => {
    const middle = orchestration("middle", async (ctx) => ctx.scheduleSubOrchestration(broken, "deep down"));
    const root = orchestration("root", async (ctx) => ctx.scheduleSubOrchestration(middle));
    const env = await start({ orchestrations: [root, middle, broken] });

    expect(await env.failureOf(root, { instanceId: "r" })).toMatchObject({
      message: "deep down",
    });
  });

  scenario("that is cancelled by a client fails its parent's call", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx
        .scheduleSubOrchestration(waits, undefined, { instanceId: "child" })
        .catch((error: Error) => error.message),
    );
    const { env, handle } = await begun(start, parent, { orchestrations: [parent, waits], instanceId: "p" });

    await env.client.handle(waits, "child").cancel("not needed");

    expect(await env.finish(handle)).toBe("canceled: not needed");
  });

  scenario("may continue as new: its parent gets the final result", async (start) => {
    const countdown = orchestration("countdown", async (ctx, n: number): Promise<unknown> => {
      await ctx.scheduleTimer(10);
      return n > 0 ? ctx.continueAsNew("countdown", n - 1) : "lift-off";
    });
    const atOnce = orchestration(
      "at-once",
      async (ctx, n: number): Promise<unknown> =>
        n > 0 ? ctx.continueAsNew("at-once", n - 1) : "immediately",
    );
    const parent = orchestration("parent", async (ctx) =>
      ctx.all([ctx.scheduleSubOrchestration(countdown, 3), ctx.scheduleSubOrchestration(atOnce, 2)]),
    );
    const env = await start({ orchestrations: [parent, countdown, atOnce] });

    expect(await env.run(parent, { instanceId: "p" })).toEqual(["lift-off", "immediately"]);
    expect(await env.client.admin.executions("p::sub::2")).toEqual([1, 2, 3, 4]);
    expect((await env.events("p::sub::2", 4))[0]).toMatchObject({ parent_instance: "p", parent_id: 2 });
  });

  scenario("whose parent fails meanwhile is cancelled", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      void ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "child" });
      await ctx.scheduleTimer(1_000);
      throw new Error("gave up");
    });
    const env = await start({ orchestrations: [parent, waits] });

    await env.failureOf(parent, { instanceId: "p" });
    await env.settle();

    expect(await env.client.handle(waits, "child").status()).toMatchObject({ status: "Cancelled" });
  });

  scenario("whose parent continues as new goes on, and its late result is dropped", async (start) => {
    const parent = orchestration("parent", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return ctx.waitForEvent("end");
      void ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "child" });
      await ctx.scheduleTimer(1_000);
      return ctx.continueAsNew("parent", 1);
    });
    const env = await start({ orchestrations: [parent, waits] });
    const handle = await env.client.start(parent, { instanceId: "p", input: 0 });
    await env.advance(2_000);
    const child = env.client.handle(waits, "child");
    expect(await child.status()).toMatchObject({ status: "Running" });

    await child.raise("go", "late");
    expect(await env.finish(child)).toBe("late");
    await handle.raise("end", "unimpressed");

    expect(await env.finish(handle)).toBe("unimpressed");
    expect(await env.history("p", 2)).toEqual([
      "1 OrchestrationStarted: parent@1.0.0 1",
      "2 ExternalSubscribed: end",
      '3 ExternalEvent: end "unimpressed"',
      '4 OrchestrationCompleted: "unimpressed"',
    ]);
  });

  scenario("that survives a restart answers the parent's recorded call", async (start) => {
    const echo = activity("echo", async (_ctx, text: string) => text);
    const parent = orchestration("parent", async (ctx) => {
      const said = await ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "child" });
      return ctx.scheduleActivity(echo, said);
    });
    const env = await start({ orchestrations: [parent, waits], activities: [echo], file: true });
    await env.begin(parent, { instanceId: "p" });
    await env.restart();

    await env.client.handle(waits, "child").raise("go", "hello again");

    expect(await env.finish(env.client.handle(parent, "p"))).toBe("hello again");
  });
});

describe("an id that is taken", () => {
  scenario("by a finished instance fails the call", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(square, 2, { instanceId: "taken" }),
    );
    const env = await start({ orchestrations: [parent, square] });
    await env.run(square, { instanceId: "taken", input: 1 });

    expect(await env.failureOf(parent, { instanceId: "p" })).toMatchObject({
      message: "sub-orchestration instance id 'taken' already exists and is terminal",
    });
  });

  scenario("by a running instance fails the call and leaves that instance alone", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(square, 2, { instanceId: "taken" }),
    );
    const env = await start({ orchestrations: [parent, square, waits] });
    const running = await env.begin(waits, { instanceId: "taken" });

    expect(await env.failureOf(parent, { instanceId: "p" })).toMatchObject({
      message: "sub-orchestration instance id 'taken' already exists",
    });
    await running.raise("go", "undisturbed");
    expect(await env.finish(running)).toBe("undisturbed");
  });

  scenario("by a running instance cannot change its handler, name or input", async (start) => {
    const { env, handle: first } = await begun(start, waits, { orchestrations: [square, waits] });
    await expect(env.client.start(square, { instanceId: "i", input: 3 })).rejects.toThrow(
      /"waits".*"square"/,
    );
    await env.settle();

    await first.raise("go", "still the first");

    expect(await env.finish(first)).toBe("still the first");
  });

  scenario("is free again once the instance is deleted", async (start) => {
    const env = await start({ orchestrations: [square] });
    await env.run(square, { instanceId: "i", input: 3 });
    await env.client.admin.delete("i");

    expect(await env.run(square, { instanceId: "i", input: 4 })).toBe(16);
  });
});

describe("a detached orchestration", () => {
  scenario("runs by itself under its own id", async (start) => {
    const starter = orchestration("starter", async (ctx) => {
      ctx.startOrchestration(square, { instanceId: "alone", input: 5 });
      return "started";
    });
    const env = await start({ orchestrations: [starter, square] });

    expect(await env.run(starter, { instanceId: "s" })).toBe("started");
    expect(await env.finish(env.client.handle(square, "alone"))).toBe(25);
    expect((await env.events("alone"))[0]).toMatchObject({ parent_instance: null, parent_id: null });
  });

  scenario("keeps later calls in their places on replay", async (start) => {
    const starter = orchestration("starter", async (ctx) => {
      ctx.startOrchestration(square, { instanceId: "alone", input: 5 });
      await ctx.scheduleTimer(1_000);
      ctx.startOrchestration(square, { instanceId: "alone-2", input: 6 });
      return ctx.scheduleSubOrchestration(square, 2);
    });

    expect(await outputOf(start, starter, { orchestrations: [starter, square], instanceId: "s" })).toBe(4);
  });

  scenario("is not cancelled with its starter", async (start) => {
    const starter = orchestration("starter", async (ctx) => {
      ctx.startOrchestration(waits, { instanceId: "alone" });
      await ctx.waitForEvent("never");
    });
    const env = await start({ orchestrations: [starter, waits] });
    const handle = await env.begin(starter, { instanceId: "s" });
    await handle.cancel("enough");
    await env.failure(handle);

    await env.client.handle(waits, "alone").raise("go", "alive");

    expect(await env.finish(env.client.handle(waits, "alone"))).toBe("alive");
  });

  // turn.T4
  scenario("is started, too, by a turn that continues as new", async (start) => {
    const starter = orchestration("starter", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return "done";
      ctx.startOrchestration(square, { instanceId: "alone", input: 5 });
      return ctx.continueAsNew("starter", 1);
    });
    const env = await start({ orchestrations: [starter, square] });

    await env.run(starter, { instanceId: "s", input: 0 });

    expect(await env.finish(env.client.handle(square, "alone"))).toBe(25);
  });

  scenario("may not have an id of a child's form", async (start) => {
    const starter = orchestration("starter", async (ctx, instanceId: string) =>
      ctx.startOrchestration(square, { instanceId, input: 5 }),
    );
    const env = await start({ orchestrations: [starter, square] });

    for (const id of ["sub::1", "x::sub::1"]) {
      const handle = await env.client.start(starter, { instanceId: `s-${id.length}`, input: id });
      expect((await env.failure(handle)).message).toContain("reserved");
    }
  });
});
