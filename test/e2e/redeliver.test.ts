/** A message that was set aside is delivered again by hand, once (docs/decisions/messages.md). */
import {
  event,
  InvalidInputError,
  NotDeliveredError,
  type OrchestrationContext,
  orchestration,
  queue,
  RefusedError,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { z } from "zod";
import type { Environment } from "../support/environment.ts";
import { begun, started } from "../support/one-program.ts";
import { onEveryStore, scenario } from "../support/scenario.ts";

const approved = event("approved", { schema: z.object({ by: z.string() }) });
const numbers = queue("numbers", { schema: z.number() });
const waits = orchestration("waits", async (ctx) => ctx.waitForEvent(approved));
const reads = orchestration("reads", async (ctx) => [await ctx.dequeue(numbers), await ctx.dequeue(numbers)]);

const setAside = async ({ client }: Environment, executionId?: number) =>
  (await client.admin.timeline("i", executionId)).setAside;

async function idOfOne(env: Environment): Promise<number> {
  const [one] = await setAside(env);
  if (one === undefined) throw new Error("nothing was set aside");
  return one.id;
}

describe("a message that was set aside", () => {
  scenario("is delivered again with a corrected payload", async (start) => {
    const { env, handle } = await begun(start, waits);
    await handle.raise("approved", { by: 5 });
    await env.settle();
    const eventId = await idOfOne(env);
    const { admin } = env.client;
    expect(await admin.redeliver("i", { eventId, message: { by: 6 }, by: "ada", reason: "typo" })).toEqual({
      redelivered: true,
    });
    await env.settle();
    const [first, second] = await setAside(env);
    expect(first).toMatchObject({ id: eventId, replacedBy: second?.id });
    expect(second).toMatchObject({ data: '{"by":6}' });
    await admin.redeliver("i", { eventId: second?.id ?? 0, message: { by: "Ada" } });

    expect(await env.finish(handle)).toEqual({ by: "Ada" });
  });

  scenario("is delivered again as it is, to code that takes it now", async (start) => {
    const env = await start({ orchestrations: [waits] });
    const handle = await env.begin("waits");
    await handle.raise("approved", { by: 5 });
    await env.settle();
    const lenient = event("approved", { schema: z.object({ by: z.union([z.string(), z.number()]) }) });
    await env.restart({
      orchestrations: [orchestration("waits", async (ctx) => ctx.waitForEvent(lenient))],
    });
    await env.client.admin.redeliver("i", { eventId: await idOfOne(env) });

    expect(await env.finish(handle)).toEqual({ by: 5 });
  });

  onEveryStore("is delivered once, unless it is asked for again", async (start) => {
    const { env, handle } = await started(start, reads);
    await handle.enqueue("numbers", "one");
    await env.advance(1_000);
    const { admin } = env.client;
    const eventId = await idOfOne(env);
    // The second is sent before the first has arrived.
    await Promise.all([1, 1].map((message) => admin.redeliver("i", { eventId, message })));
    await env.advance(1_000);
    expect((await env.events("i")).filter((it) => it.type === "ExternalEventPersistent")).toMatchObject([
      { data: '"one"' },
      { data: "1", replaces: { execution_id: 1, event_id: eventId } },
    ]);
    expect(await admin.redeliver("i", { eventId, message: 2 })).toEqual({ redelivered: false });
    // The store has forgotten the id of the message.
    await env.advance(4 * 24 * 3_600_000);
    expect(await admin.redeliver("i", { eventId, message: 2 })).toEqual({ redelivered: false });
    expect(await admin.redeliver("i", { eventId, message: 2, again: true })).toEqual({ redelivered: true });

    expect(await env.finish(handle)).toEqual([1, 2]);
  });

  onEveryStore("is delivered once across executions", async (start) => {
    const rounds = orchestration("rounds", async (ctx: OrchestrationContext, round: number) => {
      const read = await ctx.dequeue(numbers);
      return round < 3 ? ctx.continueAsNew("rounds", round + 1) : read;
    });
    const { env, handle } = await started(start, rounds, { input: 1 });
    for (const message of ["one", 1]) await handle.enqueue("numbers", message);
    await env.advance(1_000);
    const { admin } = env.client;
    expect(await setAside(env)).toEqual([]);
    const [{ id: eventId } = { id: 0 }] = await setAside(env, 1);
    const place = { eventId, executionId: 1 };
    expect(await admin.redeliver("i", { ...place, message: 2 })).toEqual({ redelivered: true });
    await env.advance(4 * 24 * 3_600_000);
    expect(await admin.redeliver("i", { ...place, message: 2 })).toEqual({ redelivered: false });
    await handle.enqueue(numbers, 3);

    expect(await env.finish(handle)).toBe(3);
  });

  scenario("and is none, or of an instance that has ended, is refused", async (start) => {
    const { env, handle } = await begun(start, waits);
    await handle.raise("approved", { by: 5 });
    await env.settle();
    const { admin } = env.client;
    const eventId = await idOfOne(env);
    await expect(admin.redeliver("i", { eventId: 1 })).rejects.toThrow(RefusedError);
    await expect(admin.redeliver("i", { eventId, executionId: 7 })).rejects.toThrow(RefusedError);
    await expect(admin.redeliver("nobody", { eventId })).rejects.toMatchObject({
      code: "instance-not-found",
    });
    for (const wrong of [undefined, {}, { eventId: 0 }, { eventId, again: "yes" }, { eventId, mesage: 1 }]) {
      await expect(admin.redeliver("i", wrong as never)).rejects.toThrow(InvalidInputError);
    }
    await handle.cancel("over");
    await env.settle();
    await expect(admin.redeliver("i", { eventId })).rejects.toThrow(NotDeliveredError);
  });

  scenario("is judged again after a rewind, and kept by a retry", async (start) => {
    const fails = orchestration("fails", async (ctx) => {
      const read = await ctx.dequeue(numbers);
      await ctx.waitForEvent("go");
      throw new Error(`read ${read}`);
    });
    const { env, handle } = await begun(start, fails);
    for (const message of ["one", 1]) await handle.enqueue("numbers", message);
    await env.settle();
    await handle.raise("go");
    await env.finish(handle).catch(() => undefined);
    const { admin } = env.client;
    await admin.rewind("i", { beforeFailure: true });
    await env.settle();
    expect(await setAside(env, 2)).toMatchObject([{ data: '"one"' }]);

    await admin.rewind("i", { toEvent: 2 });
    await env.settle();
    expect(await setAside(env, 3)).toMatchObject([{ data: '"one"' }]);
  });
});
