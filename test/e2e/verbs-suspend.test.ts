/** Suspending, resuming and terminating instances (docs/decisions/verbs.md). */
import { activity, type OrchestrationContext, orchestration, RefusedError } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));

describe("suspending an instance", () => {
  scenario("lets everything that is sent to it wait, in its order", async (start) => {
    const collects = orchestration("collects", async (ctx) => [
      await ctx.dequeue("q"),
      await ctx.dequeue("q"),
      await ctx.waitForEvent("end"),
    ]);
    const { env, handle } = await begun(start, collects);

    const { suspended, note } = await env.client.admin.suspend("i", {
      reason: "the bank is down",
      by: "ada",
    });
    await handle.enqueue("q", 1);
    await handle.enqueue("q", 2);
    await env.advance(600_000);

    expect(note).toContain("Rust");
    expect(suspended).toMatchObject({ reason: "the bank is down", by: "ada" });
    expect((await env.client.admin.info("i")).suspended).toEqual(suspended);
    expect(await env.history("i")).toHaveLength(2);

    expect(await env.client.admin.resume("i", { by: "ada" })).toEqual({ resumed: true });
    await env.settle();
    await handle.raise("end", 3);
    expect(await env.finish(handle)).toEqual([1, 2, 3]);
    expect((await env.client.admin.info("i")).suspended).toBeUndefined();
    expect(await env.client.admin.resume("i")).toEqual({ resumed: false });
  });

  scenario(
    "lets a running activity finish, and its result wait, however often it is asked for",
    async (start) => {
      let finish: (value: string) => void = () => {};
      const began = Promise.withResolvers<void>();
      const work = activity("work", async () => {
        began.resolve();
        return new Promise<string>((resolve) => {
          finish = resolve;
        });
      });
      const works = orchestration("works", async (ctx) => ctx.scheduleActivity(work));
      const { env, handle } = await started(start, works, { activities: [work] });
      await began.promise;

      await env.client.admin.suspend("i", { reason: "wait" });
      finish("done");
      await env.advance(600_000);

      expect(await env.history("i"), "no turn has run").toHaveLength(2);
      expect((await handle.status()).status).toBe("Running");
      await env.client.admin.resume("i");
      expect(await env.finish(handle)).toBe("done");
    },
  );

  scenario("does not end with the process", async (start) => {
    const { env, handle } = await begun(start, waits, { file: true });
    await env.client.admin.suspend("i", { reason: "maintenance" });
    await handle.raise("go", "on");
    await env.restart();
    await env.advance(600_000);

    expect((await env.client.handle(waits, "i").status()).status).toBe("Running");
    await env.client.admin.resume("i");
    expect(await env.finish(env.client.handle(waits, "i"))).toBe("on");
  });

  scenario("lets a cancellation and the deadline wait, and a termination not", async (start) => {
    const { env, handle } = await started(start, waits);
    const other = await env.begin(waits, { instanceId: "j", timeout: { minutes: 1 } });
    for (const id of ["i", "j"]) await env.client.admin.suspend(id, { reason: "wait" });
    await handle.cancel("enough");
    await env.advance(600_000);

    expect([(await handle.status()).status, (await other.status()).status]).toEqual(["Running", "Running"]);
    await env.client.admin.terminate("j", { reason: "no longer needed", by: "ada" });
    expect((await env.failure(other)).message).toBe("canceled: terminated by ada: no longer needed");
    await env.client.admin.resume("i");
    expect((await env.failure(handle)).message).toBe("canceled: enough");
  });

  scenario("is refused for an instance that has ended", async (start) => {
    const instant = orchestration("instant", async () => 1);
    const env = await start({ orchestrations: [instant] });
    await env.run(instant);

    await expect(env.client.admin.suspend("i", { reason: "late" })).rejects.toThrow(RefusedError);
    await expect(env.client.admin.suspend("nobody", { reason: "x" })).rejects.toMatchObject({
      code: "instance-not-found",
    });
    await expect(env.client.admin.suspend("i", { reason: "" })).rejects.toThrow(/reason must be a string/);
  });
});

describe("terminating an instance", () => {
  scenario("ends it without its code, drops its activities and cancels its children", async (start) => {
    const aborted: string[] = [];
    const seen: string[] = [];
    const long = activity("long", async (ctx) => {
      await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
      aborted.push(ctx.instanceId);
    });
    const works = orchestration("works", async (ctx) => {
      try {
        await Promise.all([ctx.scheduleActivity(long), ctx.scheduleSubOrchestration(waits)]);
      } finally {
        seen.push("finally");
      }
    });
    const { env, handle } = await begun(start, works, { orchestrations: [works, waits], activities: [long] });

    await env.client.admin.terminate("i", { reason: "stuck", by: "ada" });

    expect((await env.failure(handle)).message).toBe("canceled: terminated by ada: stuck");
    expect((await env.failure(env.client.handle(waits, "i::sub::3"))).message).toBe(
      "canceled: parent canceled",
    );
    await env.advance(120_000);
    expect(aborted).toEqual(["i"]);
    expect(seen).toEqual([]);
    const end = (await env.client.admin.history("i")).find(
      ({ type }) => type === "OrchestrationCancelRequested",
    );
    expect(end).toMatchObject({ revision: { verb: "terminate", by: "ada", reason: "stuck" } });
    await expect(env.client.admin.terminate("i", { reason: "again" })).rejects.toThrow(RefusedError);
  });

  scenario("tells the parent", async (start) => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(waits).catch((error: Error) => error.message),
    );
    const { env, handle } = await begun(start, parent, { orchestrations: [parent, waits], instanceId: "p" });

    await env.client.admin.terminate("p::sub::2", { reason: "stuck" });

    expect(await env.finish(handle)).toBe("canceled: terminated: stuck");
  });

  scenario("ends an instance between two executions, and drops the next one", async (start) => {
    const code = async (ctx: OrchestrationContext, input: string): Promise<unknown> =>
      input === "second" ? "ran" : ctx.continueAsNew("moves", "second", { version: "2.0.0" });
    const moves = orchestration("moves", code);
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(moves, "first").catch((error: Error) => error.message),
    );
    const env = await start({ orchestrations: [parent, moves], file: true });
    const handle = await env.client.start(parent, { instanceId: "p" });
    await env.advance(5_000);
    const { admin } = env.client;
    expect((await admin.info("p::sub::2")).status, "before").toBe("ContinuedAsNew");

    await admin.terminate("p::sub::2", { reason: "no version fits", by: "ada" });

    expect(await env.finish(handle)).toBe("canceled: terminated by ada: no version fits");
    const history = await admin.history("p::sub::2", 2);
    expect(history.map(({ type }) => type)).toEqual([
      "OrchestrationStarted",
      "OrchestrationCancelRequested",
      "OrchestrationFailed",
    ]);
    expect(history[0], "the beginning").toMatchObject({ name: "moves", input: '"second"', event_id: 1 });
    await expect(admin.retry("p::sub::2")).rejects.toThrow(
      /before a turn of its current execution; restart it/,
    );
    await env.restart({ orchestrations: [parent, orchestration("moves", { version: "2.0.0" }, code)] });
    await env.advance(120_000);
    expect((await env.client.admin.info("p::sub::2")).currentExecutionId, "after").toBe(2);
  });

  scenario(
    "of an execution that a rewind has begun, and no turn has run, can be taken back",
    async (start) => {
      const { env } = await begun(start, waits, { file: true });
      await env.restart({ orchestrations: [orchestration("other", async () => 1)] });
      const { admin } = env.client;
      await admin.rewind("i", { toEvent: 1 });
      await admin.terminate("i", { reason: "wrong one" });

      await admin.retry("i");

      await env.restart({ orchestrations: [waits] });
      await env.advance(60_000);
      await env.client.handle(waits, "i").raise("go", "on");
      expect(await env.finish(env.client.handle(waits, "i"))).toBe("on");
    },
  );

  scenario("ends an instance without fitting code", async (start) => {
    const { env, handle } = await begun(start, waits);
    await env.restart({ orchestrations: [orchestration("other", async () => 1)] });
    const again = env.client.handle(waits, "i");
    await again.raise("go");
    await env.advance(5_000);

    await env.client.admin.terminate("i", { reason: "its code is gone" });

    expect((await env.failure(again)).message).toBe("canceled: terminated: its code is gone");
    expect(handle.instanceId).toBe("i");
  });
});
