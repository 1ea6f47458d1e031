/** Programs whose parts run in two processes: two providers on one container, which know nothing of each other. */
import { activity, orchestration } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";

type Options = Parameters<Environment["startElsewhere"]>[0];

const NO_ACTIVITIES = { workerTagFilter: { kind: "none" } } as const;

/** Starts the first process with the first options, and the others. */
async function onProcesses(
  [first, ...others]: readonly [Options, ...Options[]],
  use: (env: Environment) => Promise<void>,
): Promise<void> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { orchestrations = [], activities = [], ...options } = first;
  await using env = await startEnvironment({
    store: cosmosOn(emulator),
    orchestrations,
    activities,
    options,
  });
  for (const other of others) await env.startElsewhere(other);
  await use(env);
}

const double = activity("double", async (_ctx, n: number) => n * 2);
const where = activity("where", async () => "nowhere");

const child = orchestration("child", async (ctx, n: number) => {
  await ctx.scheduleTimer(100);
  return ctx.scheduleActivity(double, n);
});

const parent = orchestration("parent", async (ctx, children: number) => {
  const tasks = Array.from({ length: children }, (_, n) => ctx.scheduleSubOrchestration(child, n));
  const values = await ctx.all(tasks);
  return values.reduce((sum, value) => sum + value, 0);
});

describe("two processes", () => {
  it("share the work of a parent and its children", async () => {
    const ran = { one: 0, two: 0 };
    const on = (process: keyof typeof ran): Options => ({
      orchestrations: [parent, child],
      activities: [
        double.mock(async (_ctx, n) => {
          ran[process]++;
          return n * 2;
        }),
      ],
    });

    await onProcesses([on("one"), on("two")], async (env) => {
      expect(await env.run(parent, { instanceId: "p", input: 20 })).toBe(380);
      expect(ran.one + ran.two).toBe(20);
    });
  });

  it("divide orchestrations and tagged activities between them", async () => {
    const tagged = orchestration("tagged", async (ctx) => [
      await ctx.scheduleActivity(where, undefined, { tag: "gpu" }),
      await ctx.scheduleActivity(where),
    ]);
    const on = (process: string) => where.mock(async (ctx) => `${process} ${ctx.tag ?? "plain"}`);
    const first = { orchestrations: [tagged], activities: [on("one")] };
    const second = {
      activities: [on("two")],
      workerTagFilter: { kind: "tags", tags: ["gpu"] },
    } as const;

    await onProcesses([first, second], async (env) => {
      expect(await env.run(tagged)).toEqual(["two gpu", "one plain"]);
    });
  });

  it("keep each session on one of them", async () => {
    const talk = orchestration("talk", async (ctx, session: string) => {
      const answers: string[] = [];
      for (let n = 0; n < 4; n++) answers.push(await ctx.scheduleActivity(where, undefined, { session }));
      return answers;
    });
    const on = (process: string): Options => ({
      orchestrations: [talk],
      activities: [where.mock(async () => process)],
      workerNodeId: process,
    });

    await onProcesses([on("one"), on("two")], async (env) => {
      const sessions = ["a", "b", "c", "d"];
      const handles = await Promise.all(
        sessions.map((session) => env.client.start(talk, { instanceId: session, input: session })),
      );

      for (const handle of handles) expect(new Set(await env.finish(handle)).size).toBe(1);
    });
  });

  it("hand events, queue messages and cancellations to the process that runs the instance", async () => {
    const listens = orchestration("listens", async (ctx) => {
      const messages = [await ctx.dequeue<number>("q"), await ctx.dequeue<number>("q")];
      await ctx.waitForEvent("go");
      await ctx.scheduleSubOrchestration(sleeps, undefined, { instanceId: "idle" }).catch(() => {});
      return messages;
    });
    const sleeps = orchestration("sleeps", async (ctx) => ctx.waitForEvent("never"));
    // The client's process runs no orchestrations at all.
    const first = { activities: [activity("idle", async () => {})] };
    const second = { orchestrations: [listens, sleeps], ...NO_ACTIVITIES };

    await onProcesses([first, second], async (env) => {
      const handle = await env.client.start(listens, { instanceId: "i" });
      for (const n of [1, 2]) await handle.enqueue("q", n);
      await env.advance(3_000);
      await handle.raise("go");
      await env.advance(3_000);
      await env.client.handle(sleeps, "idle").cancel("enough");

      expect(await env.finish(handle)).toEqual([1, 2]);
    });
  });

  it("take over from each other when one of them dies", async () => {
    const ran: string[] = [];
    const steps = orchestration("steps", async (ctx) => {
      for (const step of ["first", "second", "third"]) await ctx.scheduleActivity("work", step);
    });
    const hangs = activity("work", async (_ctx, step: string) => {
      ran.push(`one ${step}`);
      if (step === "second") await new Promise(() => {});
    });
    const works = activity("work", async (_ctx, step: string) => void ran.push(`two ${step}`));

    await onProcesses([{ orchestrations: [steps], activities: [hangs] }], async (env) => {
      const handle = await env.client.start(steps, { instanceId: "i" });
      await env.settle();
      await env.kill();
      await env.startElsewhere({ orchestrations: [steps], activities: [works] });

      await env.finish(handle);
      expect(ran).toEqual(["one first", "one second", "two second", "two third"]);
    });
  });
});
