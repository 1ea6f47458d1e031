/** Code that changed under a running instance: what is noticed, and what need not be. */
import { type AnyOrchestration, activity, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";

/** Option that makes such an instance fail; by default it waits for fitting code (blocked.test.ts). */
const FAIL = { onNondeterminism: "fail" } as const;

type Body = (ctx: OrchestrationContext) => Promise<unknown>;

const echo = activity("echo", async (_ctx, value: unknown) => value);
const other = activity("other", async (_ctx, value: unknown) => value);
const child = orchestration("child", async (_ctx, input: unknown) => input);
const child2 = orchestration("child-2", async (_ctx, input: unknown) => input);

/** Runs `before` until it waits for "go", then goes on with the code of `after`; what that ends with. */
async function change(before: Body, after: Body): Promise<string> {
  const job = (body: Body): readonly AnyOrchestration[] => [
    orchestration("job", async (ctx) => {
      const result = await body(ctx);
      await ctx.waitForEvent("go");
      return result ?? "went on";
    }),
    child,
    child2,
  ];
  await using env = await startEnvironment({
    orchestrations: job(before),
    activities: [echo, other],
    options: FAIL,
  });
  const handle = await env.client.start("job", { instanceId: "i" });
  await env.advance(1_000);
  await env.restart({ orchestrations: job(after) });
  await handle.raise("go");
  return await env.finish(handle).then(String, (error: Error) => error.message);
}

describe("is noticed as nondeterminism:", () => {
  const cases: Readonly<Record<string, readonly [before: Body, after: Body]>> = {
    "another activity": [
      async (ctx) => ctx.scheduleActivity(echo, 1),
      async (ctx) => ctx.scheduleActivity(other, 1),
    ],
    "another input": [
      async (ctx) => ctx.scheduleActivity(echo, 1),
      async (ctx) => ctx.scheduleActivity(echo, 2),
    ],
    "another session": [
      async (ctx) => ctx.scheduleActivity(echo, 1, { session: "a" }),
      async (ctx) => ctx.scheduleActivity(echo, 1, { session: "b" }),
    ],
    "a tag that was not there": [
      async (ctx) => ctx.scheduleActivity(echo, 1),
      async (ctx) => ctx.scheduleActivity(echo, 1, { tag: "gpu" }),
    ],
    "a timer instead of an activity": [
      async (ctx) => ctx.scheduleActivity(echo, 1),
      async (ctx) => ctx.scheduleTimer(1),
    ],
    "an activity instead of a timer": [
      async (ctx) => ctx.scheduleTimer(1),
      async (ctx) => ctx.scheduleActivity(echo, 1),
    ],
    "another child": [
      async (ctx) => ctx.scheduleSubOrchestration(child, 1),
      async (ctx) => ctx.scheduleSubOrchestration(child2, 1),
    ],
    "another input of a child": [
      async (ctx) => ctx.scheduleSubOrchestration(child, 1),
      async (ctx) => ctx.scheduleSubOrchestration(child, 2),
    ],
    "another event": [async (ctx) => void ctx.waitForEvent("a"), async (ctx) => void ctx.waitForEvent("b")],
    "another queue": [async (ctx) => void ctx.dequeue("a"), async (ctx) => void ctx.dequeue("b")],
    "a queue instead of an event": [
      async (ctx) => void ctx.waitForEvent("a"),
      async (ctx) => void ctx.dequeue("a"),
    ],
    "another detached start": [
      async (ctx) => ctx.startOrchestration(child, { instanceId: "x" }),
      async (ctx) => ctx.startOrchestration(child, { instanceId: "y" }),
    ],
    "another receiver of a message": [async (ctx) => ctx.raise("x", "a"), async (ctx) => ctx.raise("y", "a")],
    "a message of a queue instead of an event": [
      async (ctx) => ctx.raise("x", "a"),
      async (ctx) => ctx.enqueue("x", "a"),
    ],
    "another key": [async (ctx) => ctx.kv.set("a", 1), async (ctx) => ctx.kv.set("b", 1)],
    "another value": [async (ctx) => ctx.kv.set("a", 1), async (ctx) => ctx.kv.set("a", 2)],
    "another key to delete": [async (ctx) => ctx.kv.delete("a"), async (ctx) => ctx.kv.delete("b")],
    "a step in front": [
      async (ctx) => ctx.scheduleActivity(echo, 1),
      async (ctx) => {
        await ctx.scheduleActivity(other, 0);
        await ctx.scheduleActivity(echo, 1);
      },
    ],
    "a step left out": [
      async (ctx) => {
        await ctx.scheduleActivity(other, 0);
        await ctx.scheduleActivity(echo, 1);
      },
      async (ctx) => ctx.scheduleActivity(echo, 1),
    ],
    "an order turned round": [
      async (ctx) => ctx.all([ctx.scheduleActivity(echo, 1), ctx.scheduleActivity(other, 1)]),
      async (ctx) => ctx.all([ctx.scheduleActivity(other, 1), ctx.scheduleActivity(echo, 1)]),
    ],
  };

  it.each(Object.entries(cases))("%s", async (_what, [before, after]) => {
    expect(await change(before, after)).toMatch(/^nondeterministic: /);
  });

  it("and says what the code asks for and what history has", async () => {
    const message = await change(
      async (ctx) => ctx.scheduleActivity(echo, "old"),
      async (ctx) => ctx.scheduleActivity(other, "new"),
    );

    expect(message).toContain('the code asks for activity "other" with input "new"');
    expect(message).toContain('history has event 2 ActivityScheduled "echo" with input "old"');
  });
});

describe("is noticed as nondeterminism, too:", () => {
  it("code that now ends before its history does", async () => {
    const long = orchestration("job", async (ctx) => {
      await ctx.scheduleActivity(echo, 1);
      await ctx.waitForEvent("go");
      return "long";
    });
    const short = orchestration("job", async (ctx) => {
      await ctx.scheduleActivity(echo, 1);
      return "short";
    });
    await using env = await startEnvironment({
      orchestrations: [long],
      activities: [echo],
      options: FAIL,
    });
    const handle = await env.begin(long);
    await env.restart({ orchestrations: [short] });
    await handle.raise("go");

    const { message } = await env.failure(handle);
    expect(message).toMatch(
      /^nondeterministic: history schedule but no emitted action: the code has returned/,
    );
    expect(message).toContain('history has event 4 ExternalSubscribed "go"');
  });
});

describe("may change under a running instance:", () => {
  const cases: Readonly<Record<string, readonly [before: Body, after: Body]>> = {
    "the duration of a timer": [
      async (ctx) => ctx.scheduleTimer(1),
      async (ctx) => ctx.scheduleTimer(999_999),
    ],
    "the version of a child": [
      async (ctx) => ctx.scheduleSubOrchestration(child, 1),
      async (ctx) => ctx.scheduleSubOrchestration(child, 1, { version: "1.0.0" }),
    ],
    "the id of a child, for the recorded one counts": [
      async (ctx) => ctx.scheduleSubOrchestration(child, 1),
      async (ctx) => ctx.scheduleSubOrchestration(child, 1, { instanceId: "explicit" }),
    ],
    "the text of a custom status": [
      async (ctx) => ctx.setCustomStatus("a"),
      async (ctx) => ctx.setCustomStatus("b"),
    ],
    "what it does with results": [
      async (ctx) => `1 ${await ctx.scheduleActivity(echo, 1)}`,
      async (ctx) => `2 ${await ctx.scheduleActivity(echo, 1)}`,
    ],
  };

  it.each(Object.entries(cases))("%s", async (_what, [before, after]) => {
    expect(await change(before, after)).not.toMatch(/nondeterministic/);
  });
});

describe("nondeterminism", () => {
  it("is a call that history gave up and the code does not", async () => {
    const job = (cancels: boolean) =>
      orchestration("job", async (ctx) => {
        const call = ctx.waitForEvent("a");
        await ctx.scheduleTimer(1);
        if (cancels) call.cancel();
        await ctx.waitForEvent("go");
        await ctx.waitForEvent("end");
      });
    await using env = await startEnvironment({ orchestrations: [job(true)], options: FAIL });
    const handle = await env.client.start("job", { instanceId: "i" });
    await env.advance(1_000);
    await env.restart({ orchestrations: [job(false)] });
    await handle.raise("go");

    expect((await env.failure(handle)).message).toMatch(/^nondeterministic: cancellation mismatch/);
  });

  it("fails the parent of the child that it strikes, past its catch", async () => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration("fickle", null).catch(() => "swallowed"),
    );
    const fickle = (name: string) =>
      orchestration("fickle", async (ctx) => {
        await ctx.scheduleActivity(name, 1);
        await ctx.waitForEvent("go");
      });
    await using env = await startEnvironment({
      orchestrations: [parent, fickle("echo")],
      activities: [echo, other],
      options: FAIL,
    });
    const handle = await env.begin(parent, { instanceId: "p" });
    await env.restart({ orchestrations: [parent, fickle("other")] });
    await env.client.handle("fickle", "p::sub::2").raise("go");

    expect(await env.failure(handle)).toMatchObject({
      message: expect.stringMatching(/^nondeterministic: /),
      details: { Configuration: { kind: "Nondeterminism" } },
    });
  });

  it("is a completion of something that was never scheduled", async () => {
    const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));
    await using env = await startEnvironment({ orchestrations: [waits], options: FAIL });
    const messages = [
      { kind: "ActivityCompleted", result: "1", text: "no matching schedule for completion id=77" },
      { kind: "TimerFired", fire_at_ms: 0, text: "no matching schedule for timer id=77" },
    ] as const;
    for (const { text, ...message } of messages) {
      const handle = await env.begin(waits, { instanceId: message.kind });
      await env.provider.enqueueForOrchestrator({
        instance: message.kind,
        execution_id: 1,
        id: 77,
        ...message,
      });

      expect((await env.failure(handle)).message).toBe(`nondeterministic: ${text}`);
    }
  });

  it("is not a completion for another execution, nor one that comes twice", async () => {
    const twoSteps = orchestration("two-steps", async (ctx) => {
      const value = await ctx.scheduleActivity(echo, 1);
      await ctx.waitForEvent("go");
      return value;
    });
    await using env = await startEnvironment({ orchestrations: [twoSteps], activities: [echo] });
    const handle = await env.begin(twoSteps);
    const completion = { kind: "ActivityCompleted", instance: "i", result: "2" } as const;
    await env.provider.enqueueForOrchestrator({ ...completion, execution_id: 5, id: 2 });
    await env.provider.enqueueForOrchestrator({ ...completion, execution_id: 1, id: 2 });
    await env.provider.enqueueForOrchestrator({
      kind: "ActivityFailed",
      instance: "i",
      execution_id: 1,
      id: 2,
      details: { Application: { kind: "ActivityFailed", message: "late", retryable: false } },
    });
    await env.settle();
    await handle.raise("go");

    expect(await env.finish(handle)).toBe(1);
    expect(await env.history("i")).toHaveLength(6);
  });
});
