/**
 * The keys of activities for idempotent requests: one for each call of each run of an id (docs/decisions/activities.md).
 */
import { activity, orchestration, systemRandom } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

/** Notes the keys that it was called with. */
function charging(keys: (readonly [call: string, attempt: string])[], failures = 0) {
  let left = failures;
  return activity("charge", async (ctx, cents: number) => {
    keys.push([ctx.callKey, ctx.idempotencyKey]);
    if (left-- > 0) throw new Error("connection lost");
    return `paid ${cents}`;
  });
}

const pays = orchestration("pays", async (ctx, cents: number) =>
  ctx.scheduleActivity("charge", cents, { retry: { maxAttempts: 3, backoff: { kind: "none" } } }),
);

describe("the keys of an id that is used again", () => {
  scenario("differ in each life of the id", async (start) => {
    const keys: (readonly [string, string])[] = [];
    const env = await start({ orchestrations: [pays], activities: [charging(keys)] });
    const { client } = env;
    const given = { instanceId: "i", input: 500 };

    await env.finish(await client.start(pays, given));
    await env.finish(await client.start(pays, { ...given, ifExists: "restart" }));
    await client.admin.delete("i");
    await env.finish(await client.start(pays, given));
    await client.admin.restart("i");
    await env.finish(client.handle(pays, "i"));

    expect(keys).toHaveLength(4);
    expect(new Set(keys.map(([call]) => call)).size).toBe(4);
    expect(new Set(keys.map(([, attempt]) => attempt)).size).toBe(4);
  });

  scenario("differ in children with the same ids, and in starts by orchestrations", async (start) => {
    const keys: (readonly [string, string])[] = [];
    const parent = orchestration("parent", async (ctx) => {
      await ctx.scheduleSubOrchestration(pays, 100);
      await ctx.scheduleSubOrchestration(pays, 100, { instanceId: "fixed" });
      ctx.startOrchestration(pays, { instanceId: "detached", input: 100 });
    });
    const env = await start({ orchestrations: [parent, pays], activities: [charging(keys)] });
    for (let life = 0; life < 2; life++) {
      await env.run(parent);
      await env.finish(env.client.handle(pays, "detached"));
      for (const id of ["i", "detached"]) await env.client.admin.delete(id);
    }

    expect(keys).toHaveLength(6);
    expect(new Set(keys.map(([call]) => call)).size).toBe(6);
  });

  scenario("differ in each execution of continue-as-new", async (start) => {
    const keys: (readonly [string, string])[] = [];
    const loops = orchestration("loops", async (ctx, left: number): Promise<void> => {
      await ctx.scheduleActivity("charge", left);
      if (left > 0) await ctx.continueAsNew(loops, left - 1);
    });
    await outputOf(start, loops, { activities: [charging(keys)], input: 2 });

    expect(new Set(keys.map(([call]) => call)).size).toBe(3);
  });
});

describe("the keys of one call", () => {
  scenario("are the same when another process takes over", async (start) => {
    const keys: (readonly [string, string])[] = [];
    const charge = charging(keys, 2);
    const env = await start({
      orchestrations: [pays],
      activities: [charge],
      file: true,
      options: { liveExecutions: 0 },
    });
    const clock = env.needsVirtualTime("a lock expires");
    let runs = 0;
    const hangsFirst = activity("charge", async (ctx, cents: number) => {
      runs++;
      if (runs > 1) return charge.handler(ctx, cents);
      keys.push([ctx.callKey, ctx.idempotencyKey]);
      return new Promise<string>(() => {});
    });
    await env.restart({ activities: [hangsFirst] });
    await env.begin(pays, { instanceId: "i", input: 500 });
    await env.kill();
    await env.start({ activities: [hangsFirst] });
    await clock.advance(60_000);

    expect(await env.finish(env.client.handle(pays, "i"))).toBe("paid 500");
    expect(keys).toHaveLength(4);
    expect(new Set(keys.map(([call]) => call)).size).toBe(1);
    expect(keys[0]?.[1], "the second delivery of the first attempt").toBe(keys[1]?.[1]);
    expect(new Set(keys.map(([, attempt]) => attempt)).size).toBe(3);
  });

  scenario("are those that were recorded, after a rewind that keeps them", async (start) => {
    const keys: (readonly [string, string])[] = [];
    const charge = charging(keys, 1);
    const once = orchestration("once", async (ctx) => ctx.scheduleActivity("charge", 1));
    const { env, handle } = await started(start, once, { activities: [charge] });
    await env.failure(handle);
    await env.client.admin.rewind("i", { toEvent: 2, idempotencyKeys: "same" });
    await env.finish(handle);
    await env.client.admin.rewind("i", { toEvent: 2 });
    await env.finish(handle);

    const [first, same, other] = keys.map(([call]) => call);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe("the keys of two stores", () => {
  scenario("differ for the same id", async (start) => {
    const keys: (readonly [string, string])[] = [];
    for (let store = 0; store < 2; store++) {
      const options = { random: systemRandom };
      await outputOf(start, pays, { activities: [charging(keys)], options, input: 1 });
    }
    expect(keys[0]?.[0]).not.toBe(keys[1]?.[0]);
  });
});
