/** Starts with messages, with a rule for a taken id, and with a deadline; events that are kept until they are awaited. */
import {
  type AlreadyExistsError,
  activity,
  DuroxideError,
  event,
  OrchestrationFailedError,
  orchestration,
  queue,
} from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import { started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const approved = event<string>("approved", { keep: true });
const jobs = queue<number>("jobs");

/** Waits for nothing before its first activity has ended, so that early arrivals come too early. */
const order = orchestration("order", async (ctx, label: string) => {
  await ctx.scheduleActivity("prepare");
  const by = await ctx.waitForEvent(approved);
  const job = await ctx.dequeue(jobs);
  return `${label} by ${by} as ${job}`;
});
const prepare = activity("prepare", async () => undefined);
const setup = { orchestrations: [order], activities: [prepare] };

describe("a start with messages", () => {
  scenario("brings them along, and none is lost", async (start) => {
    const env = await start(setup);
    const handle = await env.client.start(order, {
      instanceId: "i",
      input: "chair",
      raise: [{ event: approved, data: "Ada" }],
      enqueue: [{ queue: jobs, message: 7 }],
    });

    expect(await env.finish(handle)).toBe("chair by Ada as 7");
    expect((await env.history("i")).slice(0, 3)).toEqual([
      '1 OrchestrationStarted: order@1.0.0 "chair"',
      '2 ExternalEventPersistent: approved "Ada"',
      "3 ExternalEventPersistent: jobs 7",
    ]);
  });

  scenario("reaches an instance that is there", async (start) => {
    const env = await start(setup);
    const first = await env.client.start(order, { instanceId: "i", input: "chair" });
    const again = await env.client.start(order, {
      instanceId: "i",
      input: "table",
      raise: [{ event: approved, data: "Ada" }],
      enqueue: [{ queue: "jobs", message: 7 }],
    });

    expect(await env.finish(again)).toBe("chair by Ada as 7");
    expect(await first.result()).toBe("chair by Ada as 7");
  });

  scenario("is carried out once under its id", async (start) => {
    const env = await start(setup);
    for (const data of ["Ada", "Bob"]) {
      await env.client.start(order, {
        instanceId: "i",
        input: "chair",
        messageId: "start-1",
        raise: [{ event: approved, data }],
      });
    }
    const handle = env.client.handle(order, "i");
    await handle.enqueue(jobs, 1);

    expect(await env.finish(handle)).toBe("chair by Ada as 1");
    expect((await env.history("i")).filter((line) => line.includes("approved"))).toHaveLength(2);
  });

  scenario("raises no event that would be lost, and no more than one commit takes", async (start) => {
    const env = await start(setup);
    const lost = event<string>("approved") as typeof approved;
    const tooEarly = env.client.start(order, {
      instanceId: "i",
      input: "chair",
      raise: [{ event: lost, data: "Ada" }],
    });
    await expect(tooEarly).rejects.toThrow(/"approved" would be lost.*keep: true/s);
    const messages = Array.from({ length: 51 }, (_, message) => ({ queue: jobs, message }));
    const tooMany = env.client.start(order, { instanceId: "i", input: "chair", enqueue: messages });
    await expect(tooMany).rejects.toMatchObject({ code: "limit-exceeded" });
    const large = [1, 2].map(() => ({ queue: "texts", message: "x".repeat(1_000_000) }));
    const tooLarge = env.client.start(order, { instanceId: "i", input: "chair", enqueue: large });
    await expect(tooLarge).rejects.toMatchObject({ code: "limit-exceeded" });
    expect(await env.client.handle(order, "i").status()).toEqual({ status: "NotFound" });
  });
});

describe("an event that is kept", () => {
  scenario("reaches the wait however early it comes, in the order of arrival", async (start) => {
    const twice = orchestration("twice", async (ctx) => {
      await ctx.scheduleActivity("prepare");
      return [await ctx.waitForEvent(approved), await ctx.waitForEvent(approved)];
    });
    const env = await start({ orchestrations: [twice], activities: [prepare] });
    const handle = await env.client.start(twice, {
      instanceId: "i",
      raise: [{ event: approved, data: "Ada" }],
    });
    await handle.raise(approved, "Bob");

    expect(await env.finish(handle)).toEqual(["Ada", "Bob"]);
  });

  scenario("survives a continue-as-new that does not await it", async (start) => {
    const rounds = orchestration("rounds", async (ctx, round: number): Promise<string> => {
      if (round < 3) return ctx.continueAsNew("rounds", round + 1);
      return ctx.waitForEvent(approved);
    });
    const env = await start({ orchestrations: [rounds] });

    expect(await env.run(rounds, { input: 1, raise: [{ event: approved, data: "Ada" }] })).toBe("Ada");
  });

  scenario("that lost a race is there for the next wait", async (start) => {
    const patient = orchestration("patient", async (ctx) => {
      const first = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer(100)]);
      await ctx.scheduleActivity("prepare");
      return [first.index, await ctx.waitForEvent(approved)];
    });
    const { env, handle } = await started(start, patient, { activities: [prepare] });
    await env.advance(200);
    await handle.raise(approved, "Ada");

    expect(await env.finish(handle)).toEqual([1, "Ada"]);
  });
});

describe("a start whose id is taken", () => {
  const quick = orchestration("quick", async (_ctx, label: string) => label);
  const waits = orchestration("waits", async (ctx, label: string) => {
    await ctx.waitForEvent(approved);
    return label;
  });
  const both = { orchestrations: [quick, waits] };

  scenario("is refused with what to do", async (start) => {
    const env = await start(both);
    const begin = (ifExists: "fail" | "restart") =>
      env.client.start(waits, { instanceId: "i", input: "new", ifExists }).catch((error: unknown) => error);
    const handle = await begin("fail");
    expect(handle).not.toBeInstanceOf(Error);
    await env.client.handle(waits, "i").raise(approved, "Ada");
    await env.finish(env.client.handle(waits, "i"));

    const refused = await begin("fail");
    expect(DuroxideError.is(refused, "already-exists")).toBe(true);
    expect(refused).toMatchObject({ instanceId: "i", status: "Completed" });
    expect((refused as Error).message).toContain('ifExists: "reuse"');
  });

  scenario("restarts what has ended, and nothing else", async (start) => {
    const env = await start(both);
    expect(await env.run(quick, { instanceId: "i", input: "old" })).toBe("old");
    const restarted = await env.client.start(waits, {
      instanceId: "i",
      input: "new",
      ifExists: "restart",
    });
    const running = await env.client
      .start(waits, { instanceId: "i", input: "newer", ifExists: "restart" })
      .catch((error: unknown) => error as AlreadyExistsError);
    expect(running).toMatchObject({ code: "already-exists" });
    expect(["Queued", "Running"]).toContain((running as AlreadyExistsError).status);
    await restarted.raise(approved, "Ada");

    expect(await env.finish(restarted)).toBe("new");
    expect((await env.history("i"))[0]).toBe('1 OrchestrationStarted: waits@1.0.0 "new"');
  });

  scenario("goes on with the instance that is there by default", async (start) => {
    const env = await start(both);
    await env.run(quick, { instanceId: "i", input: "old" });

    expect(await env.run(quick, { instanceId: "i", input: "new" })).toBe("old");
  });

  scenario("by another input is a debug line", async (start) => {
    const env = await start(both);
    for (const input of ["old", "old", "new"]) await env.client.start(waits, { instanceId: "i", input });
    const handle = env.client.handle(waits, "i");
    await handle.raise(approved, "Ada");
    await env.finish(handle);

    const told = env.log.entries.filter(({ fields }) => fields["event"] === "start_ignored");
    expect(told.map(({ level, fields }) => [level, fields["instance_id"]])).toEqual([["debug", "i"]]);
  });
});

describe("a deadline of an instance", () => {
  const endless = orchestration("endless", async (ctx, round: number): Promise<string> => {
    await ctx.scheduleTimer({ minutes: 1 });
    return ctx.continueAsNew("endless", round + 1);
  });
  const child = orchestration("child", async (ctx) => ctx.waitForEvent("never"));
  const parent = orchestration("parent", async (ctx) =>
    ctx.scheduleSubOrchestration(child, undefined, { instanceId: "c" }),
  );
  const waits = orchestration("waits", async (ctx) => ctx.waitForEvent(approved));
  const all = { orchestrations: [endless, parent, child, waits] };

  scenario("ends it with a timeout, across continue-as-new", async (start) => {
    const env = await start(all);
    const handle = await env.client.start(endless, { instanceId: "i", input: 1, timeout: 150_000 });
    env.needsVirtualTime("it takes minutes");
    await env.advance(130_000);
    expect(await handle.status()).toMatchObject({ status: "Running", executionId: 3 });

    const error = await env.failure(handle);
    expect(error.message).toBe("timeout: the instance did not end within 150000 ms");
    expect((error.cause as Error).name).toBe("TimeoutError");
    expect(error).toBeInstanceOf(OrchestrationFailedError);
    expect((await env.history("i")).at(-1)).toBe(`4 OrchestrationFailed: ${error.message}`);
  });

  scenario("survives a restart, and holds for time in which nothing ran", async (start) => {
    const env = await start({ ...all, file: true });
    await env.client.start(waits, { instanceId: "i", timeout: 60_000 });
    env.needsVirtualTime("it takes a minute");
    await env.settle();
    await env.stop();
    await env.advance(120_000);
    await env.start();

    expect((await env.failure(env.client.handle(waits, "i"))).message).toContain("timeout: ");
  });

  scenario("cancels its children", async (start) => {
    const env = await start(all);
    // Where time is real the child has to begin before it is over.
    const handle = await env.client.start(parent, { instanceId: "i", timeout: 5_000 });
    await env.failure(handle);

    expect((await env.failure(env.client.handle(child, "c"))).message).toBe("canceled: parent canceled");
  });

  scenario("that it does not reach changes nothing", async (start) => {
    const env = await start(all);
    const handle = await env.client.start(waits, { instanceId: "i", timeout: 3_000 });
    await handle.raise(approved, "Ada");

    expect(await env.finish(handle)).toBe("Ada");
    env.needsVirtualTime("it waits for the deadline");
    await env.advance(10_000);
    expect(await handle.status()).toMatchObject({ status: "Completed" });
  });

  scenario("does not beat an end that came before it", async (start) => {
    const env = await start({ ...all, file: true });
    const handle = await env.client.start(waits, { instanceId: "i", timeout: 60_000 });
    env.needsVirtualTime("it takes a minute");
    await env.settle();
    await env.runtime.shutdown({ graceMs: 1_000 });
    await handle.raise(approved, "Ada");
    await env.stop();
    await env.advance(120_000);
    await env.start();

    expect(await env.finish(env.client.handle(waits, "i"))).toBe("Ada");
  });

  scenario("of a start that reuses an instance does not limit it", async (start) => {
    const env = await start(all);
    const handle = await env.client.start(waits, { instanceId: "i" });
    await env.client.start(waits, { instanceId: "i", timeout: 50 });
    env.needsVirtualTime("it waits for the deadline");
    await env.advance(10_000);
    expect(await handle.status()).toMatchObject({ status: "Running" });
    await handle.raise(approved, "Ada");

    expect(await env.finish(handle)).toBe("Ada");
  });

  scenario("ends an instance whose code fits no more, or is missing", async (start) => {
    const env = await start(all);
    const handle = await env.client.start("nowhere", { instanceId: "i", timeout: 300 });

    expect((await env.failure(handle)).message).toContain("timeout: ");
  });

  scenario("leaves a history that replays", async (start) => {
    const env = await start(all);
    await env.failureOf(waits, { instanceId: "i", timeout: 300 });
    const history = await env.client.admin.history("i");

    const { executions } = await replay(history, { orchestrations: all.orchestrations });
    expect(executions).toMatchObject([{ status: "Failed" }]);
  });
});
