/** Rewinding instances to an event, and beginning them anew (docs/decisions/verbs.md). */
import { activity, Client, event, key, orchestration, RefusedError } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { withoutRunId } from "../support/call-key.ts";
import { afterEachRevision, beforeEachRevision } from "../support/changed-provider.ts";
import { begun, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));
const count = key<number>("n");

/** Waits in its second execution, and sets a key-value in each. */
const counts = orchestration("counts", async (ctx): Promise<unknown> => {
  const n = (ctx.kv.get(count) ?? 0) + 1;
  ctx.kv.set(count, n);
  if (n === 1) return ctx.continueAsNew("counts");
  return ctx.waitForEvent<string>("go");
});

/** Notes what it is called with, and the key. */
function noting(name: string, calls: string[]) {
  return activity(name, async (ctx, text: string) => {
    calls.push(`${text} ${withoutRunId(ctx.idempotencyKey)}`);
    return text;
  });
}

describe("rewinding an instance", () => {
  scenario("does again what came after the event, with other keys", async (start) => {
    const calls: string[] = [];
    const note = noting("note", calls);
    const notes = orchestration("notes", async (ctx) => [
      await ctx.scheduleActivity(note, "a"),
      await ctx.scheduleActivity(note, "b"),
      await ctx.scheduleActivity(note, "c"),
    ]);
    const { env, handle } = await started(start, notes, { activities: [note] });
    await env.finish(handle);

    // Event 4 schedules "b"; its completion is event 5.
    const result = await env.client.admin.rewind("i", { toEvent: 4, by: "ada", reason: "b was wrong" });

    expect(result).toEqual({ executionId: 2, activities: [{ name: "note", eventId: 4 }], children: [] });
    expect(await env.finish(handle)).toEqual(["a", "b", "c"]);
    expect(calls).toEqual(["a i:1:2", "b i:1:4", "c i:1:6", "b i:2:4", "c i:2:6"]);
    expect((await env.client.admin.execution("i", 1)).status).toBe("Completed");
  });

  scenario(
    "moves the cut to the beginning of a turn, and sends again what the turn had received",
    async (start) => {
      const calls: string[] = [];
      const note = noting("note", calls);
      const races = orchestration("races", async (ctx) => {
        const winner = await ctx.race([ctx.waitForEvent<string>("go"), ctx.scheduleTimer({ hours: 1 })]);
        return [winner.value, await ctx.scheduleActivity(note, "after")];
      });
      const { env, handle } = await begun(start, races, { activities: [note] });
      await handle.raise("go", "now");
      await env.finish(handle);
      const went = (await env.client.admin.history("i")).find(({ type }) => type === "ExternalEvent");

      await env.client.admin.rewind("i", { toEvent: Number(went?.event_id) });

      expect(await env.finish(handle)).toEqual(["now", "after"]);
      expect(calls).toHaveLength(2);
    },
  );

  scenario("gives a raised event to its wait, also where the code comes there later", async (start) => {
    const note = noting("note", []);
    const approval = orchestration("approval", async (ctx) => {
      const noted = await ctx.scheduleActivity(note, "a");
      await ctx.scheduleTimer({ seconds: 1 });
      return [noted, await ctx.waitForEvent("go")];
    });
    const { env, handle } = await begun(start, approval, { activities: [note] });
    await handle.raise("go", "before the wait");
    await env.advance(1_000);
    await handle.raise("go", "on");
    expect(await env.finish(handle)).toEqual(["a", "on"]);

    await env.client.admin.rewind("i", { toEvent: 2 });
    await env.settle();
    // It has not come to its wait again.
    await env.client.admin.rewind("i", { toEvent: 2 });

    expect(await env.finish(handle)).toEqual(["a", "on"]);
    const waits = (await env.client.admin.timeline("i"))?.steps.filter(({ kind }) => kind === "event");
    expect(waits).toMatchObject([{ name: "go", outcome: "completed" }]);
  });

  scenario("gives an event that was raised by name to its wait for the kept event", async (start) => {
    const note = noting("note", []);
    const go = event<string>("go", { keep: true });
    const approval = orchestration("approval", async (ctx) => [
      await ctx.scheduleActivity(note, "a"),
      await ctx.waitForEvent(go),
    ]);
    const { env, handle } = await begun(start, approval, { activities: [note] });
    await handle.raise("go", "by name");
    expect(await env.finish(handle)).toEqual(["a", "by name"]);

    await env.client.admin.rewind("i", { toEvent: 2 });

    expect(await env.finish(handle)).toEqual(["a", "by name"]);
  });

  scenario("gives messages back to their queue", async (start) => {
    const reads = orchestration("reads", async (ctx) => [await ctx.dequeue("q"), await ctx.dequeue("q")]);
    const { env, handle } = await begun(start, reads);
    await handle.enqueue("q", 1);
    await env.settle();
    await handle.enqueue("q", 2);
    await env.finish(handle);

    await env.client.admin.rewind("i", { toEvent: 2 });

    expect(await env.finish(handle)).toEqual([1, 2]);
  });

  scenario(
    "ends the children that an earlier rewind, whose process died, has left suspended",
    async (start) => {
      const calls: string[] = [];
      const note = noting("note", calls);
      const child = orchestration("child", async (ctx) => ctx.scheduleSubOrchestration(waits));
      const parent = orchestration("parent", async (ctx) => {
        const noted = await ctx.scheduleActivity(note, "a");
        return [noted, await ctx.scheduleSubOrchestration(child)];
      });
      const env = await start({ orchestrations: [parent, child, waits], activities: [note] });
      const handle = await env.begin(parent, { instanceId: "p" });
      let revisions = 0;
      const dying = afterEachRevision(env.provider, async () => {
        // The parent was ended and begun again, and its child was ended.
        if (++revisions === 3) throw new Error("the process died");
      });
      const operator = new Client(dying, { clock: env.clock });
      await expect(operator.admin.rewind("p", { toEvent: 4 })).rejects.toThrow("the process died");
      expect((await env.client.admin.info("p::sub::4")).suspended).toBeDefined();

      // It does not keep the child.
      await env.client.admin.rewind("p", { toEvent: 2 });
      await env.settle();

      for (const dropped of ["p::sub::4", "p::sub::4::sub::2"]) {
        expect((await env.failure(env.client.handle(waits, dropped))).message).toMatch(/^canceled: parent/);
        expect((await env.client.admin.info(dropped)).suspended).toBeUndefined();
      }
      await env.client.handle(waits, "p::sub::3_4::sub::2").raise("go", "on");
      expect(await env.finish(handle)).toEqual(["a", "on"]);
    },
  );

  scenario("ends a running execution first, and cancels children that were begun later", async (start) => {
    const calls: string[] = [];
    const note = noting("note", calls);
    const parent = orchestration("parent", async (ctx) => {
      const noted = await ctx.scheduleActivity(note, "a");
      return [noted, await ctx.scheduleSubOrchestration(waits)];
    });
    const env = await start({ orchestrations: [parent, waits], activities: [note] });
    const handle = await env.begin(parent, { instanceId: "p" });

    await env.client.admin.rewind("p", { toEvent: 2 });
    await env.settle();

    expect((await env.failure(env.client.handle(waits, "p::sub::4"))).message).toBe(
      "canceled: parent was rewound",
    );
    await env.client.handle(waits, "p::sub::2_4").raise("go", "on");
    expect(await env.finish(handle)).toEqual(["a", "on"]);
    expect(calls).toHaveLength(2);
    expect((await env.client.admin.execution("p", 1)).status).toBe("Failed");
  });

  scenario("keeps a message that comes between the end of an execution and the next one", async (start) => {
    const reads = orchestration("reads", async (ctx) => [await ctx.dequeue("q"), await ctx.dequeue("q")]);
    const { env, handle } = await begun(start, reads);
    await handle.enqueue("q", 1);
    await env.settle();
    const provider = afterEachRevision(env.provider, async () => {
      if ((await env.client.admin.info("i")).currentExecutionId > 1) return;
      await handle.enqueue("q", 2);
      await env.advance(60_000);
    });

    await new Client(provider, { clock: env.clock }).admin.rewind("i", { toEvent: 2 });

    expect(await env.finish(handle)).toEqual([1, 2]);
  });

  scenario("is possible again where the end of an execution cancelled its activity", async (start) => {
    let runs = 0;
    const hangs = activity("hangs", async ({ signal }) => {
      if (++runs > 2) return;
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const counting = orchestration("counting", async (ctx) => {
      const n = (ctx.kv.get(count) ?? 0) + 1;
      ctx.kv.set(count, n);
      await ctx.scheduleActivity(hangs);
      return n;
    });
    const { env, handle } = await started(start, counting, { activities: [hangs] });
    for (const _ of [1, 2]) {
      await env.settle();
      await env.until(env.client.admin.rewind("i", { toEvent: 1 }));
    }
    expect(await env.finish(handle)).toBe(1);
  });

  scenario("keeps children that were begun before, and gets their results", async (start) => {
    const calls: string[] = [];
    const note = noting("note", calls);
    const child = orchestration("child", async (ctx) => ctx.scheduleActivity(note, "child"));
    const parent = orchestration("parent", async (ctx) => [
      await ctx.scheduleSubOrchestration(child),
      await ctx.scheduleActivity(note, "parent"),
    ]);
    const env = await start({ orchestrations: [parent, child], activities: [note] });
    const handle = await env.client.start(parent, { instanceId: "p" });
    await env.finish(handle);

    await env.client.admin.rewind("p", { toEvent: 2 });

    expect(await env.finish(handle)).toEqual(["child", "parent"]);
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["child", "parent", "parent"]);
  });

  scenario("gets the result of a child that ends by itself just before it would be ended", async (start) => {
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(waits));
    const { env, handle } = await begun(start, parent, { orchestrations: [parent, waits], instanceId: "p" });
    const child = env.client.handle(waits, "p::sub::2");
    const ended = Promise.withResolvers<void>();
    const provider = beforeEachRevision(env.provider, async (instanceId) => {
      if (instanceId !== child.instanceId) return;
      await child.raise("go", "on");
      await env.settle();
      ended.resolve();
    });

    const rewinding = new Client(provider, { clock: env.clock }).admin.rewind("p", { toEvent: 2 });
    await ended.promise;
    await env.advance(1_000);

    expect((await rewinding).children).toEqual([]);
    expect(await env.finish(handle)).toBe("on");
    expect((await env.client.admin.info(child.instanceId)).currentExecutionId).toBe(1);
  });

  scenario("is completed by a retry where its process died and a child has ended since", async (start) => {
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(waits));
    const { env, handle } = await begun(start, parent, { orchestrations: [parent, waits], instanceId: "p" });
    const dying = afterEachRevision(env.provider, async () => {
      if ((await env.client.admin.info("p")).currentExecutionId === 2) throw new Error("the process died");
    });
    const operator = new Client(dying, { clock: env.clock });
    await expect(operator.admin.rewind("p", { toEvent: 2 })).rejects.toThrow("the process died");
    await env.client.handle(waits, "p::sub::2").raise("go", "on");
    await env.settle();

    const result = await env.client.admin.retry("p");

    expect(result).toEqual({ executionId: 2, activities: [], children: [] });
    expect(await env.finish(handle)).toBe("on");
    await expect(env.client.admin.retry("p")).rejects.toThrow(/it is Completed/);
  });

  scenario("is what helps after code that failed by itself", async (start) => {
    const calls: string[] = [];
    const note = noting("note", calls);
    const of = (fails: boolean) =>
      orchestration("fixed", async (ctx) => {
        const noted = await ctx.scheduleActivity(note, "a");
        if (fails) throw new Error("a mistake");
        return noted;
      });
    const env = await start({ orchestrations: [of(true)], activities: [note] });
    await env.failureOf("fixed");
    await env.restart({ orchestrations: [of(false)] });

    await env.client.admin.rewind("i", { toEvent: 3 });

    expect(await env.finish(env.client.handle("fixed", "i"))).toBe("a");
    expect(calls).toHaveLength(1);
  });

  scenario("goes back to before the failure of each of many, once their code is corrected", async (start) => {
    const calls: string[] = [];
    const note = noting("note", calls);
    const of = (fails: boolean) =>
      orchestration("order", async (ctx, id: string) => {
        await ctx.scheduleActivity(note, id);
        const by = await ctx.waitForEvent<string>("approved");
        void ctx.scheduleActivity(note, "before the mistake");
        if (fails) throw new Error("a mistake");
        return by;
      });
    const env = await start({ orchestrations: [of(true), counts], activities: [note] });
    for (const id of ["a", "b"]) {
      const handle = await env.begin("order", { instanceId: id, input: id });
      await handle.raise("approved", `ada ${id}`);
      await env.failure(handle);
    }
    await env.begin(counts, { instanceId: "runs" });
    await env.restart({ orchestrations: [of(false), counts] });
    const { admin } = env.client;

    const result = await admin.forEach({}, (id) =>
      admin.rewind(id, { beforeFailure: true, idempotencyKeys: "same", by: "ada" }),
    );

    expect(result).toMatchObject({ done: 2, refused: 1, failed: 0 });
    expect(result.errors).toMatchObject([{ instanceId: "runs", error: { code: "refused" } }]);
    for (const id of ["a", "b"]) {
      expect(await env.finish(env.client.handle("order", id))).toBe(`ada ${id}`);
    }
    expect(calls.filter((call) => !call.startsWith("before"))).toHaveLength(2);
  });

  engineScenario("is refused for two places, or none", async (start) => {
    const env = await start({ orchestrations: [counts] });
    const rewind = async (options: object): Promise<unknown> =>
      env.client.admin.rewind("i", options as { toEvent: number });
    await expect(rewind({})).rejects.toThrow(/toEvent must be a whole number/);
    await expect(rewind({ beforeFailure: true, toEvent: 3 })).rejects.toThrow(
      /give toEvent, or beforeFailure/,
    );
    await expect(rewind({ beforeFailure: false })).rejects.toThrow(/give toEvent, or beforeFailure/);
  });

  scenario("leaves a running instance alone where it is refused", async (start) => {
    const { env, handle } = await begun(start, counts);
    await env.client.admin.prune("i", { keepLast: 1 });

    await expect(env.client.admin.rewind("i", { toEvent: 1 })).rejects.toThrow(/was pruned/);

    expect((await env.client.admin.info("i")).suspended).toBeUndefined();
    await handle.raise("go", "on");
    expect(await env.finish(handle)).toBe("on");
  });

  scenario("leaves all alone where a running child could not begin again", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      const running = ctx.scheduleSubOrchestration(counts, undefined, { instanceId: "c" });
      await ctx.waitForEvent("begun");
      return running;
    });
    const { env, handle } = await begun(start, parent, { orchestrations: [parent, counts] });
    await handle.raise("begun");
    await env.settle();
    await env.client.admin.prune("c", { keepLast: 1 });

    // The child was begun before event 4.
    await expect(env.client.admin.rewind("i", { toEvent: 4 })).rejects.toThrow(/child "c".*was pruned/);

    expect(await env.client.admin.info("i")).toMatchObject({ currentExecutionId: 1, status: "Running" });
    expect(await env.client.admin.info("c")).toMatchObject({ currentExecutionId: 2, status: "Running" });
    await env.client.handle(counts, "c").raise("go", "on");
    expect(await env.finish(handle)).toBe("on");
  });

  scenario("is refused for an event that is not there", async (start) => {
    const { env } = await begun(start, waits);

    await expect(env.client.admin.rewind("i", { toEvent: 3 })).rejects.toThrow(/no event 3; the last is 2/);
    await expect(env.client.admin.rewind("i", { toEvent: 0 })).rejects.toThrow(
      /toEvent must be a whole number/,
    );
    expect((await env.client.admin.info("i")).status).toBe("Running");
  });
});

describe("restarting an instance", () => {
  scenario("begins with its first input, without what it had stored, and keeps the record", async (start) => {
    const calls: string[] = [];
    const note = noting("note", calls);
    const counts = orchestration("counts", async (ctx, input: string): Promise<unknown> => {
      const n = (ctx.kv.get(count) ?? 0) + 1;
      ctx.kv.set(count, n);
      await ctx.scheduleActivity(note, input);
      return n === 1 ? ctx.continueAsNew("counts", "second") : [n, input];
    });
    const { env, handle } = await started(start, counts, { activities: [note], input: "first" });
    await env.finish(handle);

    expect(await env.client.admin.restart("i", { by: "ada" })).toEqual({ instanceId: "i", executionId: 3 });

    expect(await env.finish(handle)).toEqual([2, "second"]);
    expect(calls).toEqual(["first i:1:3", "second i:2:3", "first i:3:3", "second i:4:3"]);
    expect(await env.client.admin.executions("i")).toEqual([1, 2, 3, 4]);
  });

  scenario("may take another id", async (start) => {
    const echo = orchestration("echo", async (_ctx, input: string) => input);
    const env = await start({ orchestrations: [echo, waits] });
    await env.run(echo, { instanceId: "i", input: "hi" });
    await env.begin(waits, { instanceId: "taken" });

    expect(await env.client.admin.restart("i", { newId: "j" })).toEqual({ instanceId: "j", executionId: 1 });

    expect(await env.finish(env.client.handle(echo, "j"))).toBe("hi");
    await expect(env.client.admin.restart("i", { newId: "taken" })).rejects.toMatchObject({
      code: "already-exists",
    });
    await expect(env.client.admin.restart("taken")).rejects.toThrow(RefusedError);
  });
});
