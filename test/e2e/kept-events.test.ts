/** An event with `keep` is an event in every tool, and one that is raised by its name reaches an open wait for it. */
import { event, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const approved = event<string>("approved", { keep: true });
const asks = orchestration("asks", async (ctx) => [
  await ctx.waitForEvent(approved),
  await ctx.waitForEvent(approved),
]);

describe("a kept event", () => {
  scenario("that is raised by its name reaches a wait that is open", async (start) => {
    const { env, handle } = await begun(start, asks);

    await handle.raise("approved", "Ada");
    await env.settle();
    await handle.raise("approved", "Grace");

    expect(await env.finish(handle)).toEqual(["Ada", "Grace"]);
  });

  scenario(
    "that is raised by its name goes to no read of a queue, and to a wait by name first",
    async (start) => {
      const both = orchestration("both", async (ctx) => {
        const read = ctx.dequeue<string>("approved");
        const kept = ctx.waitForEvent(approved);
        const named = ctx.waitForEvent<string>("approved");
        return [await named, await kept, await read];
      });
      const { env, handle } = await begun(start, both);

      for (const by of ["first", "second"]) {
        await handle.raise("approved", by);
        await env.settle();
      }
      await handle.enqueue("approved", "third");

      expect(await env.finish(handle)).toEqual(["first", "second", "third"]);
    },
  );

  scenario("that is raised by its name before the wait is open is lost", async (start) => {
    const { env, handle } = await begun(start, late);
    await handle.raise("approved", "early");
    await env.settle();
    await handle.raise("go");
    await env.settle();
    await handle.raise(approved, "Ada");

    expect(await env.finish(handle)).toBe("Ada");
  });

  scenario(
    "is an event among the waits, the steps and what is unread, also when it is carried over",
    async (start) => {
      const env = await start({ orchestrations: [moves] });
      const { admin } = env.client;
      const handle = await env.begin(moves, { instanceId: "i", input: 0 });
      await handle.raise(approved, "early");
      await env.settle();
      expect((await admin.timeline("i")).unread).toMatchObject([{ kind: "event", name: "approved" }]);

      await handle.raise("go");
      await env.settle();
      expect(await admin.timeline("i")).toMatchObject({
        executionId: 2,
        unread: [{ kind: "event", name: "approved" }],
      });
      await handle.raise("go");
      await env.settle();
      expect(await admin.timeline("i")).toMatchObject({
        waits: [{ kind: "event", name: "approved", keep: true }],
        steps: [{ kind: "event" }, { kind: "event", name: "approved", data: '"early"' }, { kind: "event" }],
      });
    },
  );
});

const late = orchestration("late", async (ctx) => {
  await ctx.waitForEvent("go");
  return ctx.waitForEvent(approved);
});

const moves = orchestration("moves", async (ctx: OrchestrationContext, round: number) => {
  await ctx.waitForEvent("go");
  if (round === 0) return ctx.continueAsNew("moves", 1);
  await ctx.waitForEvent(approved);
  return ctx.waitForEvent(approved);
});
