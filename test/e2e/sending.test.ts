/** Messages that orchestrations send, and the client that activities and steps have. */
import { activity, event, InvalidInputError, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const approved = event<{ by: string }>("approved");
const kept = event<number>("kept", { keep: true });
const lines = queue<string>("lines");

const listener = orchestration("listener", async (ctx) => {
  const approval = ctx.waitForEvent(approved);
  const number = ctx.waitForEvent(kept);
  return { ...(await approval), number: await number, line: await ctx.dequeue(lines) };
});

const speaker = orchestration("speaker", async (ctx, to: string) => {
  ctx.raise(to, approved, { by: "Ada" });
  ctx.raise(to, kept, 7);
  ctx.enqueue(to, lines, "A-1");
  ctx.enqueue(to, lines, "A-2");
  return "sent";
});

describe("an orchestration", () => {
  scenario("sends events and messages to another instance, also from its last turn", async (start) => {
    const env = await start({ orchestrations: [listener, speaker] });
    const heard = await env.begin(listener, { instanceId: "listens" });

    expect(await env.run(speaker, { instanceId: "speaks", input: "listens" })).toBe("sent");
    expect(await env.finish(heard)).toEqual({ by: "Ada", number: 7, line: "A-1" });
    const sent = (await env.client.admin.timeline("speaks")).steps;
    expect(sent).toMatchObject([
      { kind: "message", channel: "event", name: "approved", toInstanceId: "listens", outcome: "completed" },
      { kind: "message", channel: "event", name: "kept" },
      { kind: "message", channel: "queue", name: "lines" },
      { kind: "message", channel: "queue", name: "lines" },
    ]);
  });

  scenario("sends a message once, however often its code is repeated", async (start) => {
    const counts = orchestration("counts", async (ctx) => {
      const seen: string[] = [];
      for (let last = ""; last !== "end"; seen.push(last)) last = await ctx.dequeue(lines);
      return seen;
    });
    const slow = orchestration("slow", async (ctx) => {
      ctx.enqueue("counts", lines, "first");
      await ctx.waitForEvent("go");
      ctx.enqueue("counts", lines, "second");
      ctx.enqueue("counts", lines, "end");
      await ctx.waitForEvent("go");
    });
    const env = await start({ orchestrations: [counts, slow] });
    const counted = await env.begin(counts, { instanceId: "counts" });
    const handle = await env.begin(slow, { instanceId: "slow" });
    await env.restart();
    await handle.raise("go");
    await env.settle();
    await env.restart();

    expect(await env.finish(counted)).toEqual(["first", "second", "end"]);
  });

  scenario("sends a message to itself", async (start) => {
    const alone = orchestration("alone", async (ctx) => {
      ctx.enqueue(ctx.instanceId, lines, "note");
      return ctx.dequeue(lines);
    });
    const { env, handle } = await started(start, alone, { instanceId: "alone" });

    expect(await env.finish(handle)).toBe("note");
  });

  scenario("refuses a bad id and a reserved name, and records nothing of it", async (start) => {
    const wrong = orchestration("wrong", async (ctx) => {
      const refused: boolean[] = [];
      const attempt = (call: () => void): void => {
        try {
          call();
        } catch (error) {
          refused.push(InvalidInputError.is(error));
        }
      };
      attempt(() => ctx.raise("", approved, { by: "Ada" }));
      attempt(() => ctx.enqueue("other", "@duroxide-ts/lines", "A-1"));
      attempt(() => ctx.startOrchestration("@duroxide-ts/raise:approved", { instanceId: "other" }));
      return refused;
    });
    const { env, handle } = await started(start, wrong, { instanceId: "wrong" });

    expect(await env.finish(handle)).toEqual([true, true, true]);
    expect((await env.client.admin.timeline("wrong")).steps).toEqual([]);
  });
});

describe("an activity and a step", () => {
  scenario("have a client of their store", async (start) => {
    const tell = activity("tell", async ({ client }, to: string) => {
      await client.handle(listener, to).raise(approved, { by: "Bob" });
    });
    const asks = orchestration("asks", async (ctx, to: string) => {
      await ctx.scheduleActivity(tell, to);
      await ctx.run("send", async ({ client }) => {
        const handle = client.handle(listener, to);
        await handle.raise(kept, 1);
        await handle.enqueue(lines, "B-1");
      });
      return ctx.run("begin", async ({ client }) => {
        const begun = await client.start(speaker, { instanceId: "spoke", input: "nobody" });
        return begun.instanceId;
      });
    });
    const env = await start({ orchestrations: [listener, speaker, asks], activities: [tell] });
    const heard = await env.begin(listener, { instanceId: "listens" });
    const handle = await env.client.start(asks, { instanceId: "asks", input: "listens" });

    expect(await env.finish(handle)).toBe("spoke");
    expect(await env.finish(heard)).toEqual({ by: "Bob", number: 1, line: "B-1" });
    expect(await env.finish(env.client.handle(speaker, "spoke"))).toBe("sent");
  });
});
