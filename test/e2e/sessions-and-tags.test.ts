/** Routing of activities: sessions stick to a worker, tags choose among workers. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { outputOf } from "../support/one-program.ts";
import { onEveryStore, type Start, scenario } from "../support/scenario.ts";

const whereAmI = activity("where", async (ctx) => ({
  session: ctx.sessionId ?? "none",
  tag: ctx.tag ?? "none",
}));

describe("a session", () => {
  scenario("is known to its activities; others run beside it", async (start) => {
    const mixed = orchestration("mixed", async (ctx) =>
      ctx.all([
        ctx.scheduleActivity(whereAmI, undefined, { session: "a" }),
        ctx.scheduleActivity(whereAmI, undefined, { session: "b" }),
        ctx.scheduleActivity(whereAmI),
      ]),
    );
    const env = await start({ orchestrations: [mixed], activities: [whereAmI] });

    const results = await env.run(mixed);

    expect(results.map(({ session }) => session)).toEqual(["a", "b", "none"]);
    expect(await env.history("i")).toContain("2 ActivityScheduled: where null session=a");
  });

  /** How many of `count` activities of the given sessions are in flight at once. */
  async function mostAtOnce(start: Start, sessions: readonly string[], options: object): Promise<number> {
    let inFlight = 0;
    let most = 0;
    const env = await start({
      orchestrations: [
        orchestration("fan", async (ctx) =>
          ctx.all(sessions.map((session) => ctx.scheduleActivity("busy", null, { session }))),
        ),
      ],
      activities: [
        activity("busy", async () => {
          most = Math.max(most, ++inFlight);
          await new Promise<void>((resolve) => env.clock.schedule(1_000, resolve));
          inFlight--;
        }),
      ],
      options,
    });
    await env.run("fan");
    return most;
  }

  onEveryStore("runs one activity at a time where each slot owns its own sessions", async (start) => {
    expect(await mostAtOnce(start, ["s", "s", "s"], {})).toBe(1);
  });

  onEveryStore("runs on all slots of a node with a stable name", async (start) => {
    expect(await mostAtOnce(start, ["s", "s", "s"], { workerNodeId: "node-1" })).toBe(3);
  });

  onEveryStore("is not the only one: different sessions run at once", async (start) => {
    expect(await mostAtOnce(start, ["a", "b", "c"], {})).toBe(3);
  });

  onEveryStore("runs as soon as a slot is free, where there are more sessions than slots", async (start) => {
    const sessions = Array.from({ length: 60 }, (_, n) => `session-${n}`);
    const ran: string[] = [];
    const env = await start({
      orchestrations: [
        orchestration("one", async (ctx, session: string) =>
          ctx.scheduleActivity("note", session, { session }),
        ),
      ],
      activities: [
        activity("note", async (_ctx, session: string) => {
          ran.push(session);
          await new Promise<void>((resolve) => env.clock.schedule(100, resolve));
        }),
      ],
      options: { workerConcurrency: 30 },
    });
    env.needsVirtualTime("it shows that nothing waits for the end of a long poll");
    await Promise.all(
      sessions.map((session) => env.client.start("one", { instanceId: session, input: session })),
    );
    await env.advance(8_000);

    expect(new Set(ran).size).toBe(60);
  });

  onEveryStore("stays with its worker while that one lives, and moves when its lease ends", async (start) => {
    const ran: string[] = [];
    const on = (node: string) =>
      activity("step", async () => {
        ran.push(node);
      });
    const env = await start({
      orchestrations: [
        orchestration("steps", async (ctx) => {
          for (let step = 0; step < 4; step++) {
            await ctx.scheduleActivity("step", null, { session: "s" });
            await ctx.waitForEvent("next");
          }
        }),
      ],
      activities: [on("first")],
      options: { workerNodeId: "first", workerConcurrency: 1 },
    });
    const handle = await env.begin("steps");
    await env.startAnother({
      activities: [on("second")],
      workerNodeId: "second",
      workerConcurrency: 1,
      orchestrations: [],
    });
    for (let step = 0; step < 2; step++) {
      await handle.raise("next");
      await env.advance(20_000);
    }
    expect(ran).toEqual(["first", "first", "first"]);

    await env.kill();
    await env.advance(60_000);
    await env.start({ options: { workerTagFilter: { kind: "none" } } });
    await handle.raise("next");
    await env.advance(60_000);

    expect(ran).toEqual(["first", "first", "first", "second"]);
  });
});

describe("a tag", () => {
  const tagged = orchestration("tagged", async (ctx, tag: string) =>
    ctx.scheduleActivity(whereAmI, undefined, { tag }),
  );

  scenario("brings an activity to a worker that accepts it", async (start) => {
    const env = await start({
      orchestrations: [tagged],
      activities: [whereAmI],
      options: { workerTagFilter: { kind: "default-and", tags: ["gpu"] } },
    });

    expect(await env.run(tagged, { input: "gpu" })).toMatchObject({ tag: "gpu" });
    expect(await env.history("i")).toContain("2 ActivityScheduled: where null tag=gpu");
  });

  scenario("may be used in the next execution", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      const { tag } = await ctx.scheduleActivity(whereAmI, undefined, { tag: "gpu" });
      return round === 0 ? ctx.continueAsNew("moves", 1) : tag;
    });
    const options = { workerTagFilter: { kind: "tags", tags: ["gpu"] } } as const;

    expect(await outputOf(start, moves, { activities: [whereAmI], options, input: 0 })).toBe("gpu");
  });

  scenario("that no runtime serves loses to a timer", async (start) => {
    const safe = orchestration("safe", async (ctx) => {
      const task = ctx.scheduleActivity(whereAmI, undefined, { tag: "unobtainable" });
      const winner = await ctx.race([task, ctx.scheduleTimer(10_000)]);
      return winner.index;
    });
    const env = await start({ orchestrations: [safe], activities: [whereAmI] });

    expect(await env.run(safe)).toBe(1);
    expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0 });
  });

  scenario("may have 256 bytes and no more", async (start) => {
    const env = await start({
      orchestrations: [tagged],
      activities: [whereAmI],
      options: { workerTagFilter: { kind: "any" } },
    });
    const fits = await env.client.start(tagged, { instanceId: "fits", input: "ä".repeat(128) });
    const tooLong = await env.client.start(tagged, { instanceId: "too-long", input: `${"ä".repeat(128)}x` });

    expect(await env.finish(fits)).toMatchObject({ tag: "ä".repeat(128) });
    expect((await env.failure(tooLong)).message).toBe(
      "Activity 'where' tag size (257 bytes) exceeds limit (256 bytes)",
    );
  });

  onEveryStore("lets an orchestrator and a worker of another kind share one store", async (start) => {
    const ran: string[] = [];
    const work = (node: string) => activity("work", async () => void ran.push(node));
    const env = await start({
      orchestrations: [
        orchestration("mixed", async (ctx) => {
          await ctx.scheduleActivity("work", null, { tag: "gpu" });
          await ctx.scheduleActivity("work", null, { tag: "cpu" });
          await ctx.scheduleActivity("work", null);
        }),
      ],
      activities: [work("default")],
    });
    await env.startAnother({ activities: [work("gpu")], workerTagFilter: { kind: "tags", tags: ["gpu"] } });
    await env.startAnother({ activities: [work("cpu")], workerTagFilter: { kind: "tags", tags: ["cpu"] } });

    await env.run("mixed");

    expect(ran).toEqual(["gpu", "cpu", "default"]);
    expect(env.log.messages("warn"), "nobody bounces what another node has").toEqual([]);
  });
});
