/** Positional events: an arrival goes to a wait that is open already, and to no later one. */
import { activity, event, InvalidInputError, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { z } from "zod";
import { begun, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const approved = event<boolean>("approved");
const echo = activity("echo", async (_ctx, text: string) => text);

describe("an event", () => {
  scenario("wakes the wait for it", async (start) => {
    const asks = orchestration("asks", async (ctx) => ctx.waitForEvent(approved));
    const { env, handle } = await begun(start, asks);
    await handle.raise(approved, true);

    expect(await env.finish(handle)).toBe(true);
  });

  // turn.T5, receive-messages.V3
  scenario("that comes before the wait is recorded and lost", async (start) => {
    const late = orchestration("late", async (ctx) => {
      await ctx.waitForEvent("go");
      const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer(1_000)]);
      return winner.index;
    });
    const { env, handle } = await begun(start, late);
    await handle.raise(approved, true);
    await env.settle();
    await handle.raise("go");

    expect(await env.finish(handle)).toBe(1);
    expect(await env.history("i")).toContain("3 ExternalEvent: approved true");
  });

  scenario("in the batch of the start is lost, too", async (start) => {
    const asks = orchestration("asks", async (ctx) => {
      const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer(1_000)]);
      return winner.index;
    });
    const env = await start({ orchestrations: [asks] });
    await env.stop();

    await env.client.start(asks, { instanceId: "i" });
    await env.client.handle(asks, "i").raise(approved, true);
    await env.start();

    expect(await env.finish(env.client.handle(asks, "i"))).toBe(1);
  });

  scenario("goes to the waits of its name in order", async (start) => {
    const two = orchestration("two", async (ctx) => {
      const first = ctx.waitForEvent<string>("e");
      const second = ctx.waitForEvent<string>("e");
      return Promise.all([second, first]);
    });
    const { env, handle } = await begun(start, two);
    await handle.raise("e", "one");
    await handle.raise("e", "two");

    expect(await env.finish(handle)).toEqual(["two", "one"]);
  });

  scenario("that comes with the timer that ends its wait goes to no wait", async (start) => {
    const patient = orchestration("patient", async (ctx) => {
      await ctx.race([ctx.waitForEvent("e"), ctx.scheduleTimer(1_000)]);
      return ctx.waitForEvent<string>("e");
    });
    const { env } = await begun(start, patient);
    await env.stop();
    await env.advance(1_000);
    const handle = env.client.handle(patient, "i");
    await handle.raise("e", "too late for the first, too early for the second");
    await env.start();
    await env.settle();
    expect(await handle.status()).toMatchObject({ status: "Running" });

    await handle.raise("e", "fresh");

    expect(await env.finish(handle)).toBe("fresh");
  });

  scenario("may come twice with the same content: that is two events", async (start) => {
    const two = orchestration("two", async (ctx) => [
      await ctx.waitForEvent("e"),
      await ctx.scheduleActivity(echo, "between"),
      await ctx.waitForEvent("e"),
    ]);
    const { env, handle } = await begun(start, two, { activities: [echo] });
    await handle.raise("e", "same");
    await env.settle();
    await handle.raise("e", "same");

    expect(await env.finish(handle)).toEqual(["same", "between", "same"]);
  });

  scenario("for a finished or unknown instance changes nothing, where it is to be kept", async (start) => {
    const instant = orchestration("instant", async () => "done");
    const { env, handle } = await started(start, instant);
    await env.finish(handle);
    const before = await env.history("i");

    await handle.raise("e", undefined, { ifMissing: "keep" });
    await env.client.handle(instant, "nobody").raise("e", undefined, { ifMissing: "keep" });
    await env.advance(60_000);

    expect(await env.history("i")).toEqual(before);
    expect(await env.client.admin.queueDepths()).toMatchObject({ orchestratorQueue: 0 });
  });

  scenario("is checked by its schema where it is raised", async (start) => {
    const amount = event("amount", { schema: z.number().positive() });
    const pays = orchestration("pays", async (ctx) => ctx.waitForEvent(amount));
    const { env, handle } = await begun(start, pays);

    await expect(handle.raise(amount, -1)).rejects.toThrow(InvalidInputError);
    await handle.raise(amount, 5);

    expect(await env.finish(handle)).toBe(5);
  });
});
