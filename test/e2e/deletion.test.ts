/** Deleting and pruning under a running runtime: what is in flight comes to nothing, and nothing breaks. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));

describe("a forced deletion", () => {
  scenario(
    "of an instance that waits for a timer, an event or an activity leaves nothing behind",
    async (start) => {
      const gate = Promise.withResolvers<string>();
      const slow = activity("slow", async () => gate.promise);
      const busy = orchestration("busy", async (ctx) =>
        ctx.all([ctx.scheduleTimer(60_000), ctx.waitForEvent("e"), ctx.scheduleActivity(slow)]),
      );
      const { env, handle } = await begun(start, busy, { orchestrations: [busy, waits], activities: [slow] });

      await env.client.admin.delete("i", { force: true });
      gate.resolve("for nobody");
      await handle.raise("e", undefined, { ifMissing: "keep" });
      await env.advance(300_000);

      expect(await handle.status()).toEqual({ status: "NotFound" });
      expect(await env.client.admin.queueDepths()).toMatchObject({ workerQueue: 0 });
      const next = await env.begin(waits, { instanceId: "next" });
      await next.raise("go", "the loops go on");
      expect(await env.finish(next)).toBe("the loops go on");
    },
  );

  scenario("frees the id at once: a new instance sees nothing of the old", async (start) => {
    const remembers = orchestration("remembers", async (ctx, word: string) => {
      const before = ctx.kv.keys();
      ctx.kv.set(word, 1);
      ctx.setCustomStatus(word);
      await ctx.waitForEvent("go");
      return before;
    });
    const { env, handle: first } = await begun(start, remembers, { input: "first" });
    await env.client.admin.delete("i", { force: true });
    const second = await env.begin(remembers, { instanceId: "i", input: "second" });
    expect(await second.status()).toMatchObject({ customStatus: "second", executionId: 1 });
    await first.raise("go");

    expect(await env.finish(second)).toEqual([]);
  });

  scenario("takes the children, with what they own", async (start) => {
    const child = orchestration("child", async (ctx) => {
      ctx.kv.set("k", 1);
      return ctx.waitForEvent<string>("never");
    });
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    const { env } = await begun(start, parent, { orchestrations: [parent, child], instanceId: "p" });
    const childHandle = env.client.handle(child, "p::sub::2");
    expect(await childHandle.get("k")).toBe(1);
    await expect(env.client.admin.delete("p::sub::2", { force: true })).rejects.toMatchObject({
      code: "sub-orchestration",
    });

    await env.client.admin.delete("p", { force: true });

    expect(await childHandle.status()).toEqual({ status: "NotFound" });
    expect(await childHandle.get("k")).toBeUndefined();
  });
});

describe("pruning", () => {
  scenario("while a chain goes on keeps the running execution and every entry", async (start) => {
    const chain = orchestration("chain", async (ctx, round: number): Promise<unknown> => {
      ctx.kv.set(`round ${round}`, round);
      await ctx.waitForEvent("next");
      return round < 4 ? ctx.continueAsNew("chain", round + 1) : ctx.kv.keys().length;
    });
    const { env, handle } = await started(start, chain, { input: 0 });
    for (let round = 0; round < 4; round++) {
      await env.settle();
      await handle.raise("next");
      await env.settle();
      await env.client.admin.prune("i", { keepLast: 1 });
      expect(await env.client.admin.executions("i")).toEqual([round + 2]);
    }
    await handle.raise("next");

    expect(await env.finish(handle)).toBe(5);
  });
});
