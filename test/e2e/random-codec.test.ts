/**
 * A codec whose text differs from call to call, as one that encrypts with a random nonce does: replays compare values
 * where texts differ (docs/decisions/payloads.md).
 */
import {
  activity,
  Client,
  event,
  type OrchestrationContext,
  orchestration,
  type PayloadCodec,
  queue,
} from "@duroxide-ts/core";
import { replay, TestEnvironment } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import type { Environment } from "../support/environment.ts";
import { onEveryStore } from "../support/scenario.ts";

/** Draws from the global that the determinism guard watches. */
const nonceCodec: PayloadCodec = {
  name: "nonce",
  encode: (value) => `${crypto.randomUUID()}|${JSON.stringify(value) ?? "null"}`,
  decode: (text) => JSON.parse(text.slice(text.indexOf("|") + 1)),
};

const add = activity("add", async (_ctx, { a, b }: { a: number; b: number }) => a + b);
const child = orchestration("child", async (ctx, { a }: { a: number }) => {
  const sum = await ctx.scheduleActivity(add, { a, b: 1 });
  await ctx.scheduleTimer(10);
  return { sum };
});
const aside = orchestration("aside", async (_ctx, input: { from: string }) => input.from);
const go = event<{ by: string }>("go");
const box = queue<{ n: number }>("box");

const everything = orchestration("everything", async (ctx, round: { number: number }) => {
  const first = await ctx.scheduleActivity(add, { a: round.number, b: 1 });
  ctx.setCustomStatus({ first });
  ctx.kv.set("first", { first });
  ctx.startOrchestration(aside, { instanceId: `aside-${round.number}`, input: { from: ctx.instanceId } });
  const { sum } = await ctx.scheduleSubOrchestration(child, { a: first });
  const { by } = await ctx.waitForEvent(go);
  const { n } = await ctx.dequeue(box);
  if (round.number === 1) return ctx.continueAsNew("everything", { number: 2 });
  return { first, sum, by, n, kept: ctx.kv.get("first"), status: ctx.getCustomStatus() };
});
const orchestrations = [everything, child, aside];
const activities = [add];
const RESULT = { first: 3, sum: 4, by: "b", n: 2, kept: { first: 3 }, status: { first: 3 } };

/** Waits for the instance to stand at its event in the given execution. */
async function runToEvent(env: Environment, execution: number): Promise<void> {
  await env.advance(1_000);
  const events = await env.events("i", execution);
  expect(events.at(-1)?.type).toBe("ExternalSubscribed");
}

async function runThrough(env: Environment, between: () => Promise<void>): Promise<unknown> {
  const handle = await env.client.start(everything, { instanceId: "i", input: { number: 1 } });
  await runToEvent(env, 1);
  await between();
  await handle.raise(go, { by: "a" });
  await handle.enqueue(box, { n: 1 });
  await runToEvent(env, 2);
  await between();
  const again = env.client.handle(everything, "i");
  await again.raise(go, { by: "b" });
  await again.enqueue(box, { n: 2 });
  return env.finish(again);
}

describe("a codec whose text differs from call to call", () => {
  const modes = { "kept in memory": 1_000, "replayed at every turn": 0 };
  for (const [mode, liveExecutions] of Object.entries(modes)) {
    onEveryStore(`is harmless for executions that are ${mode}`, async (start) => {
      const env = await start({ orchestrations, activities, options: { codec: nonceCodec, liveExecutions } });
      expect(await runThrough(env, async () => {})).toEqual(RESULT);
      expect(await env.client.handle(aside, "aside-2").result()).toBe("i");
    });
  }

  onEveryStore("is harmless for a runtime that takes over, and its histories replay", async (start) => {
    const env = await start({ orchestrations, activities, options: { codec: nonceCodec } });
    expect(await runThrough(env, () => env.restart())).toEqual(RESULT);
    const history = [...(await env.events("i", 1)), ...(await env.events("i", 2))];
    const { executions } = await replay(history, { orchestrations, codec: nonceCodec });
    expect(executions.map(({ status }) => status)).toEqual(["ContinuedAsNew", "Completed"]);
  });

  it("is harmless in the test environment", async () => {
    await using env = await TestEnvironment.create({ orchestrations, activities, codec: nonceCodec });
    const handle = await env.client.start(everything, { instanceId: "i", input: { number: 2 } });
    await env.advance(1_000);
    await env.restart();
    await handle.raise(go, { by: "b" });
    await handle.enqueue(box, { n: 2 });
    await env.advance(1_000);
    expect(await handle.result()).toEqual(RESULT);
  });

  type Body = (ctx: OrchestrationContext) => Promise<unknown>;
  const changes: Readonly<Record<string, readonly [before: Body, after: Body]>> = {
    "input of an activity": [
      (ctx) => ctx.scheduleActivity(add, { a: 1, b: 1 }),
      (ctx) => ctx.scheduleActivity(add, { a: 1, b: 2 }),
    ],
    "input of a child": [
      (ctx) => ctx.scheduleSubOrchestration(child, { a: 1 }),
      (ctx) => ctx.scheduleSubOrchestration(child, { a: 2 }),
    ],
    "input of a detached start": [
      async (ctx) => ctx.startOrchestration(aside, { instanceId: "x", input: { from: "a" } }),
      async (ctx) => ctx.startOrchestration(aside, { instanceId: "x", input: { from: "b" } }),
    ],
    "value of a key": [async (ctx) => ctx.kv.set("k", { v: 1 }), async (ctx) => ctx.kv.set("k", { v: 2 })],
  };
  for (const [what, [before, after]] of Object.entries(changes)) {
    onEveryStore(`does not hide another ${what}`, async (start) => {
      const job = (body: Body) =>
        orchestration("job", async (ctx) => {
          await body(ctx);
          await ctx.waitForEvent(go);
        });
      const env = await start({
        orchestrations: [job(before), child, aside],
        activities,
        options: { codec: nonceCodec, onNondeterminism: "fail" },
      });
      const handle = await env.client.start("job", { instanceId: "i" });
      await env.advance(1_000);
      await env.restart({ orchestrations: [job(after), child, aside] });
      await handle.raise(go, { by: "a" });
      expect((await env.failure(handle)).message).toMatch(/^nondeterministic: /);
      await expect(
        replay(await env.events("i"), { orchestrations: [job(after), child, aside], codec: nonceCodec }),
      ).rejects.toMatchObject({ name: "ReplayDivergenceError" });
    });
  }
});

describe("a codec that does not keep values", () => {
  const broken: Readonly<Record<string, readonly [Partial<PayloadCodec>, RegExp]>> = {
    "loses what it encodes": [{ encode: () => "null" }, /comes back from it as null/],
    "returns no text": [
      { encode: () => undefined as never },
      /returns undefined where it must return a text/,
    ],
    "is asynchronous": [{ encode: (async () => "") as never }, /returns a promise.*a codec is synchronous/],
    throws: [
      {
        encode: () => {
          throw new TypeError("no key");
        },
      },
      /encode of .* throws TypeError: no key/,
    ],
    "cannot read what it wrote": [
      {
        decode: () => {
          throw new Error("wrong tag");
        },
      },
      /decode of what it encoded .* throws Error: wrong tag/,
    ],
  };

  for (const [what, [part, message]] of Object.entries(broken)) {
    onEveryStore(`because it ${what} is refused by the runtime and by the client`, async (start) => {
      const codec = { ...nonceCodec, ...part };
      const env = await start({ orchestrations, activities });
      const refusal = { code: "configuration", message: expect.stringMatching(message) };
      expect(() => new Client(env.provider, { codec })).toThrow(expect.objectContaining(refusal));
      await expect(env.startAnother({ activities, codec })).rejects.toMatchObject(refusal);
    });
  }
});
