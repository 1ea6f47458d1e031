/** The instance's key-value entries: local at once, the same on replay, visible to clients after the turn. */
import { activity, key, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { z } from "zod";
import { begun, outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const counter = key<number>("counter");
const tick = activity("tick", async () => {});

describe("KV entries", () => {
  scenario("are read back at once, and by clients after the turn", async (start) => {
    const writes = orchestration("writes", async (ctx) => {
      ctx.kv.set(counter, 1);
      ctx.kv.set("note", { text: "hi" });
      ctx.kv.set("", "an empty key");
      await ctx.waitForEvent("go");
      return [ctx.kv.get(counter), ctx.kv.get("note"), ctx.kv.get("missing") === undefined, ctx.kv.keys()];
    });
    const { env, handle } = await begun(start, writes);
    expect(await handle.get(counter)).toBe(1);
    expect(await handle.get("missing")).toBeUndefined();
    await handle.raise("go");

    expect(await env.finish(handle)).toEqual([1, { text: "hi" }, true, ["", "counter", "note"]]);
    expect(await handle.entries()).toEqual(
      new Map<string, unknown>([
        ["counter", 1],
        ["note", { text: "hi" }],
        ["", "an empty key"],
      ]),
    );
  });

  scenario("count right across executions, too", async (start) => {
    const counts = orchestration("counts", async (ctx, execution: number): Promise<unknown> => {
      for (let round = 0; round < 3; round++) {
        ctx.kv.set(counter, (ctx.kv.get(counter) ?? 0) + 1);
        await ctx.scheduleActivity(tick);
      }
      return execution < 3 ? ctx.continueAsNew("counts", execution + 1) : ctx.kv.get(counter);
    });

    expect(await outputOf(start, counts, { activities: [tick], input: 1 })).toBe(9);
  });

  scenario("are deleted singly or all together, also those of earlier executions", async (start) => {
    const deletes = orchestration("deletes", async (ctx, execution: number): Promise<unknown> => {
      if (execution === 1) {
        for (const name of ["a", "b", "c"]) ctx.kv.set(name, 1);
        return ctx.continueAsNew("deletes", 2);
      }
      ctx.kv.delete("a");
      ctx.kv.delete("never there");
      await ctx.scheduleActivity(tick);
      const left = ctx.kv.keys();
      ctx.kv.clear();
      ctx.kv.set("d", 1);
      await ctx.scheduleActivity(tick);
      return [left, ctx.kv.keys()];
    });
    const { env, handle } = await started(start, deletes, { activities: [tick], input: 1 });

    expect(await env.finish(handle)).toEqual([["b", "c"], ["d"]]);
    expect([...(await handle.entries()).keys()]).toEqual(["d"]);
  });

  scenario("are pruned by the time of their last write", async (start) => {
    const prunes = orchestration("prunes", async (ctx) => {
      ctx.kv.set("old", 1);
      await ctx.scheduleTimer(10_000);
      const cutoffMs = ctx.now();
      ctx.kv.set("new", 1);
      const none = ctx.kv.deleteUpdatedBefore(0);
      const some = ctx.kv.deleteUpdatedBefore(cutoffMs);
      await ctx.scheduleActivity(tick);
      const left = ctx.kv.keys();
      const all = ctx.kv.deleteUpdatedBefore(Number.MAX_SAFE_INTEGER);
      await ctx.scheduleActivity(tick);
      return [none, some, left, all, ctx.kv.keys()];
    });

    expect(await outputOf(start, prunes, { activities: [tick] })).toEqual([0, 1, ["new"], 1, []]);
  });

  scenario("may be 150, and no more, whenever they were set", async (start) => {
    const fills = orchestration("fills", async (ctx, count: number) => {
      for (let n = 0; n < count; n++) {
        ctx.kv.set(`key ${n}`, n);
        if (n % 100 === 50) await ctx.scheduleActivity(tick);
      }
      ctx.kv.set("key 0", "again");
      ctx.kv.clear();
      ctx.kv.set("key after the clearing", 1);
    });
    const env = await start({ orchestrations: [fills], activities: [tick] });

    await env.run(fills, { instanceId: "fits", input: 150 });
    expect(await env.failureOf(fills, { instanceId: "too-many", input: 151 })).toMatchObject({
      message: "KV key count (151) exceeds limit (150)",
      cause: { name: "LimitExceededError" },
    });
  });

  scenario("may have 64 KiB each and no byte more", async (start) => {
    const fills = orchestration("fills", async (ctx, letters: number) =>
      ctx.kv.set("k", "x".repeat(letters)),
    );
    const env = await start({ orchestrations: [fills] });

    await env.run(fills, { instanceId: "fits", input: 65_534 });
    const tooLong = await env.client.start(fills, { instanceId: "too-long", input: 65_535 });
    expect(await env.failure(tooLong)).toMatchObject({
      message: "KV value for key 'k' (65537 bytes) exceeds limit (65536 bytes)",
    });
    expect(await tooLong.get("k")).toBeUndefined();
  });

  scenario("outlive completion and failure, but not deletion", async (start) => {
    const ends = orchestration("ends", async (ctx, how: string) => {
      ctx.kv.set(counter, 7);
      if (how === "fail") throw new Error("failed");
    });
    const env = await start({ orchestrations: [ends] });
    const completed = await env.client.start(ends, { instanceId: "completed", input: "complete" });
    const failed = await env.client.start(ends, { instanceId: "failed", input: "fail" });
    await env.finish(completed);
    await env.failure(failed);

    expect([await completed.get(counter), await failed.get(counter)]).toEqual([7, 7]);
    await env.client.admin.delete("completed");
    expect(await completed.get(counter)).toBeUndefined();
  });

  scenario("belong to their instance alone", async (start) => {
    const child = orchestration("child", async (ctx) => {
      ctx.kv.set(counter, 99);
      return ctx.kv.keys().length;
    });
    const parent = orchestration("parent", async (ctx) => {
      ctx.kv.set(counter, 1);
      await ctx.scheduleSubOrchestration(child);
      return ctx.kv.get(counter);
    });

    expect(await outputOf(start, parent, { orchestrations: [parent, child], instanceId: "p" })).toBe(1);
  });

  scenario("are waited for by a client", async (start) => {
    const answers = orchestration("answers", async (ctx) => {
      const question = await ctx.dequeue<string>("questions");
      await ctx.scheduleTimer(5_000);
      ctx.kv.set("answer", `${question}: 42`);
      await ctx.waitForEvent("bye");
    });
    const { env, handle } = await begun(start, answers);
    await handle.enqueue("questions", "life");

    expect(await env.until(handle.waitFor<string>("answer"))).toBe("life: 42");
  });

  scenario("with a schema are checked when they are written and read", async (start) => {
    const positive = key("positive", { schema: z.number().positive() });
    const writes = orchestration("writes", async (ctx) => {
      const messages: string[] = [];
      const attempt = (what: () => void) => {
        try {
          what();
        } catch (error) {
          messages.push((error as Error).message);
        }
      };
      attempt(() => ctx.kv.set(positive, -1));
      const afterRefusal = ctx.kv.keys();
      ctx.kv.set("positive", "not a number");
      attempt(() => ctx.kv.get(positive));
      return [messages, afterRefusal];
    });
    const env = await start({ orchestrations: [writes] });

    const [messages, afterRefusal] = (await env.run(writes)) as [string[], string[]];
    expect(messages).toEqual([
      expect.stringContaining('"positive" is not valid'),
      expect.stringContaining('"positive" is not valid'),
    ]);
    expect(afterRefusal).toEqual([]);
  });
});

describe("another instance's entry", () => {
  scenario("is read as of the read, and stays so on replay", async (start) => {
    const source = orchestration("source", async (ctx) => {
      ctx.kv.set(counter, 1);
      await ctx.waitForEvent("go");
      ctx.kv.set(counter, 2);
    });
    const reader = orchestration("reader", async (ctx) => {
      const before = await ctx.kv.getFromInstance("s", counter);
      await ctx.waitForEvent("go");
      const after = await ctx.kv.getFromInstance("s", counter);
      return [before, after, before];
    });
    const env = await start({ orchestrations: [source, reader] });
    const sourceHandle = await env.begin(source, { instanceId: "s" });
    const readerHandle = await env.begin(reader, { instanceId: "r" });
    await sourceHandle.raise("go");
    await env.finish(sourceHandle);
    await readerHandle.raise("go");

    expect(await env.finish(readerHandle)).toEqual([1, 2, 1]);
  });

  scenario("is undefined where the key or the instance is unknown", async (start) => {
    const reader = orchestration("reader", async (ctx) => [
      (await ctx.kv.getFromInstance("nobody", counter)) === undefined,
      (await ctx.kv.getFromInstance(ctx.instanceId, "missing")) === undefined,
    ]);

    expect(await outputOf(start, reader, { instanceId: "r" })).toEqual([true, true]);
  });

  scenario("may be one's own, as committed", async (start) => {
    const reader = orchestration("reader", async (ctx) => {
      ctx.kv.set(counter, 5);
      return ctx.kv.getFromInstance(ctx.instanceId, counter);
    });

    expect(await outputOf(start, reader, { instanceId: "r" })).toBe(5);
  });
});
