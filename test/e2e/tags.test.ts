/** Tags of instances: what sets them, what keeps them, and how lists find them (docs/decisions/queries.md). */
import { activity, type InstanceFilter, orchestration, type TagConditions } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import type { Environment } from "../support/environment.ts";
import { begun, failureOf } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, text: string) => text);
const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));

async function tagsOf(env: Environment, instanceId: string): Promise<unknown> {
  return (await env.client.admin.info(instanceId)).tags;
}

async function idsWith(env: Environment, filter: InstanceFilter): Promise<readonly string[]> {
  const { instances } = await env.client.admin.query({ filter, order: "created-asc" });
  return instances.map(({ instanceId }) => instanceId).sort();
}

describe("tags of an instance", () => {
  scenario("are set by its start, and change with the turns of its code", async (start) => {
    const pays = orchestration("pays", async (ctx) => {
      ctx.setTags({ state: "open" });
      await ctx.waitForEvent("go");
      ctx.setTags({ state: "paid", tenant: undefined, vip: true });
      await ctx.waitForEvent("go");
      return "done";
    });
    const env = await start({ orchestrations: [pays] });
    const handle = await env.begin(pays, {
      instanceId: "i",
      tags: { tenant: "acme", priority: 3 },
    });
    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", priority: 3, state: "open" });
    expect(await idsWith(env, { tags: { tenant: "acme" } })).toEqual(["i"]);

    await handle.raise("go");
    await env.settle();
    expect(await tagsOf(env, "i")).toEqual({ priority: 3, state: "paid", vip: true });
    const { instances } = await env.client.admin.query({ filter: { tags: { vip: true } } });
    expect(instances.map(({ tags }) => tags)).toEqual([{ priority: 3, state: "paid", vip: true }]);
    expect(await idsWith(env, { tags: { tenant: "acme" } })).toEqual([]);

    await handle.raise("go");
    await env.finish(handle);
    expect(await tagsOf(env, "i")).toEqual({ priority: 3, state: "paid", vip: true });
  });

  scenario("are absent where there are none, and after the last was removed", async (start) => {
    const removes = orchestration("removes", async (ctx) => {
      await ctx.scheduleActivity(echo, "x");
      ctx.setTags({ tenant: undefined, other: undefined });
    });
    const env = await start({ orchestrations: [removes], activities: [echo] });
    await env.run(removes, { instanceId: "tagged", tags: { tenant: "acme" } });
    await env.run(removes, { instanceId: "plain" });

    expect(await env.client.admin.info("tagged")).not.toHaveProperty("tags");
    expect(await env.client.admin.info("plain")).not.toHaveProperty("tags");
  });

  scenario("stay across turns, continue-as-new and failures", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      await ctx.scheduleActivity(echo, "x");
      ctx.setTags({ [`round${round}`]: round });
      if (round < 2) return ctx.continueAsNew("moves", round + 1);
      throw new Error("boom");
    });
    const env = await start({ orchestrations: [moves], activities: [echo] });
    await env.failureOf(moves, { input: 0, tags: { tenant: "acme" } });

    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", round0: 0, round1: 1, round2: 2 });
  });

  scenario("that a handler sets before it throws, or in its clean-up, are stored", async (start) => {
    const throws = orchestration("throws", async (ctx) => {
      ctx.setTags({ state: "failed" });
      throw new Error("boom");
    });
    const cleans = orchestration("cleans", async (ctx) => {
      ctx.onCancel(async (clean) => {
        await clean.scheduleActivity(echo, "x");
        clean.setTags({ state: "cancelled" });
      });
      await ctx.waitForEvent("go");
    });
    const env = await start({ orchestrations: [throws, cleans], activities: [echo] });
    await env.failureOf(throws, { instanceId: "throws" });
    const handle = await env.begin(cleans, { instanceId: "cleans" });
    await handle.cancel("enough");
    await env.failure(handle);

    expect(await idsWith(env, { tags: { state: "failed" }, status: ["Failed"] })).toEqual(["throws"]);
    expect(await idsWith(env, { tags: { state: "cancelled" } })).toEqual(["cleans"]);
  });

  scenario("go to children and detached instances only where the call says so", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      ctx.setTags({ state: "a" });
      const first = ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "heir", inheritTags: true });
      ctx.setTags({ state: "b" });
      ctx.startOrchestration(waits, { instanceId: "detached", inheritTags: true });
      const second = ctx.scheduleSubOrchestration(waits, undefined, { instanceId: "other" });
      await ctx.all([first, second]);
    });
    const env = await start({ orchestrations: [parent, waits] });
    await env.begin(parent, { instanceId: "p", tags: { tenant: "acme" } });

    expect(await tagsOf(env, "heir")).toEqual({ tenant: "acme", state: "a" });
    expect(await tagsOf(env, "detached")).toEqual({ tenant: "acme", state: "b" });
    expect(await tagsOf(env, "other")).toBeUndefined();
    expect(await idsWith(env, { tags: { tenant: "acme" }, rootsOnly: true })).toEqual(["detached", "p"]);
  });

  scenario("of an existing instance stay as they are where a start reuses it", async (start) => {
    const { env } = await begun(start, waits, { tags: { tenant: "acme" } });
    await env.begin(waits, { instanceId: "i", tags: { tenant: "other", more: 1 } });

    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme" });
  });

  scenario("that code of a running instance sets anew are set in its next turn", async (start) => {
    const before = orchestration("grows", async (ctx) => {
      await ctx.waitForEvent("go");
      return ctx.waitForEvent("go");
    });
    const after = orchestration("grows", async (ctx) => {
      ctx.setTags({ tenant: "acme" });
      await ctx.waitForEvent("go");
      return ctx.waitForEvent("go");
    });
    const { env, handle } = await begun(start, before);
    await env.restart({ orchestrations: [after] });
    await handle.raise("go");
    await env.settle();

    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme" });
  });
});

describe("changes by hand", () => {
  const flaky = (fails: { now: boolean }) =>
    activity("flaky", async () => {
      if (fails.now) throw new Error("boom");
      return "fine";
    });

  scenario("a rewind sets the tags back to those at the event", async (start) => {
    const steps = orchestration("steps", async (ctx) => {
      ctx.setTags({ step: 1 });
      await ctx.scheduleActivity(echo, "a");
      ctx.setTags({ step: 2, late: true });
      await ctx.waitForEvent("go");
      ctx.setTags({ step: 3 });
    });
    const { env, handle } = await begun(start, steps, { activities: [echo], tags: { tenant: "acme" } });
    await handle.raise("go");
    await env.finish(handle);
    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", step: 3, late: true });
    await env.stop();

    // Event 2 schedules the activity.
    await env.client.admin.rewind("i", { toEvent: 2 });
    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", step: 1 });
    await env.restart({});
    await env.settle();
    // The wait gets its event again.
    expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", step: 3, late: true });
  });

  scenario(
    "a retry keeps what was set before the failure; a restart begins with those of the start",
    async (start) => {
      const fails = { now: true };
      const tries = orchestration("tries", async (ctx) => {
        ctx.setTags({ state: "trying" });
        await ctx.scheduleActivity("flaky");
        ctx.setTags({ state: "done" });
        await ctx.waitForEvent("go");
      });
      const env = await start({ orchestrations: [tries], activities: [flaky(fails)] });
      await env.failureOf(tries, { tags: { tenant: "acme" } });
      fails.now = false;
      await env.client.admin.retry("i");
      await env.settle();
      expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", state: "done" });

      await env.client.admin.terminate("i", { reason: "enough" });
      expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", state: "done" });
      await env.client.admin.restart("i", { newId: "j" });
      await env.settle();
      expect(await tagsOf(env, "j")).toEqual({ tenant: "acme", state: "done" });
      await env.stop();
      await env.client.admin.restart("i");
      expect(await tagsOf(env, "i")).toEqual({ tenant: "acme" });
      await env.restart({});
      await env.settle();
      expect(await tagsOf(env, "i")).toEqual({ tenant: "acme", state: "done" });
    },
  );

  scenario("act on the instances of a tag", async (start) => {
    const env = await start({ orchestrations: [waits] });
    for (const [id, tenant] of [
      ["a", "acme"],
      ["b", "acme"],
      ["c", "other"],
    ] as const)
      await env.begin(waits, { instanceId: id, tags: { tenant } });

    const { admin } = env.client;
    const ofTenant = { tags: { tenant: "acme" } };
    const ended = await admin.forEach(ofTenant, (id) => admin.terminate(id, { reason: "enough" }));
    expect(ended).toMatchObject({ done: 2 });
    await expect(admin.deleteAll({ tags: {} })).rejects.toMatchObject({ code: "invalid-input" });
    expect(await admin.deleteAll(ofTenant)).toMatchObject({ instancesDeleted: 2 });
    expect(await idsWith(env, {})).toEqual(["c"]);
  });
});

describe("a filter by tags", () => {
  scenario("finds values by their type, and keys and values whose texts are alike", async (start) => {
    const env = await start({ orchestrations: [waits] });
    const starts: Readonly<Record<string, Record<string, string | number | boolean>>> = {
      text: { v: "2" },
      number: { v: 2 },
      truth: { v: true },
      word: { v: "true" },
      equals: { a: "b=c" },
      inKey: { "a=b": "c" },
      slash: { "a\\": "=b" },
      quotes: { 'a"': '"b' },
      empty: { v: "" },
      unicode: { schlüssel: "wörter 日本" },
      proto: JSON.parse('{"__proto__":"x"}'),
    };
    for (const [instanceId, tags] of Object.entries(starts)) await env.begin(waits, { instanceId, tags });

    for (const [instanceId, tags] of Object.entries(starts)) {
      expect(await idsWith(env, { tags })).toEqual([instanceId]);
      expect(JSON.stringify(await tagsOf(env, instanceId))).toBe(JSON.stringify(tags));
    }
    expect(await idsWith(env, { tags: { v: false } })).toEqual([]);
    expect(await idsWith(env, { tags: { toString: "x" } as TagConditions })).toEqual([]);
  });

  scenario("combines with the other conditions, counts and orders", async (start) => {
    const env = await start({ orchestrations: [waits] });
    for (let n = 0; n < 12; n++) {
      const tags = { tenant: n % 2 === 0 ? "even" : "odd", third: n % 3 === 0 };
      await env.begin(waits, { instanceId: `i${n}`, tags });
    }
    const handle = env.client.handle(waits, "i6");
    await handle.raise("go", "x");
    await env.finish(handle);

    const tags = { tenant: "even", third: true } as const;
    expect(await idsWith(env, { tags })).toEqual(["i0", "i6"]);
    expect(await idsWith(env, { tags, status: ["Running"], name: ["waits"] })).toEqual(["i0"]);
    const { counts } = await env.client.admin.count({ tags: { tenant: "even" } }, ["status"]);
    expect(Object.fromEntries(counts.map(({ key, count }) => [key[0], count]))).toEqual({
      Running: 5,
      Completed: 1,
    });
    for (const order of ["created-asc", "created-desc", "updated-desc"] as const) {
      const paged: string[] = [];
      let continuation: string | undefined;
      do {
        const page = await env.client.admin.query({
          filter: { tags: { tenant: "even" } },
          order,
          limit: 2,
          ...(continuation !== undefined && { continuation }),
        });
        paged.push(...page.instances.map(({ instanceId }) => instanceId));
        continuation = page.continuation;
      } while (continuation !== undefined);
      const { instances } = await env.client.admin.query({ order });
      const all = instances.map(({ instanceId }) => instanceId);
      expect(paged).toEqual(all.filter((id) => Number(id.slice(1)) % 2 === 0));
    }
  });

  engineScenario("has ranges of numbers and of strings", async (start) => {
    const env = await start({ orchestrations: [waits] });
    for (const [id, priority] of Object.entries({
      a: 1,
      b: 2.5,
      c: -3,
      d: "2",
      e: true,
      f: "ä",
      g: "\u{1f600}",
      h: "\uffee",
    }))
      await env.begin(waits, { instanceId: id, tags: { priority } });

    expect(await idsWith(env, { tags: { priority: { gte: 1 } } })).toEqual(["a", "b"]);
    expect(await idsWith(env, { tags: { priority: { gt: 1, lt: 3 } } })).toEqual(["b"]);
    expect(await idsWith(env, { tags: { priority: { lte: 1 } } })).toEqual(["a", "c"]);
    expect(await idsWith(env, { tags: { priority: { gte: "" } } })).toEqual(["d", "f", "g", "h"]);
    expect(await idsWith(env, { tags: { priority: { gt: "2", lte: "ä" } } })).toEqual(["f"]);
    expect(await idsWith(env, { tags: { priority: { gt: "\uffee" } } })).toEqual(["g"]);
    expect(await idsWith(env, { tags: { priority: { lt: "" } } })).toEqual([]);
  });
});

describe("limits of tags", () => {
  const many = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, n]));

  engineScenario("are checked by a start, by setTags at the call, and by filters", async (start) => {
    const bad: readonly unknown[] = [
      { "": "x" },
      { ["k".repeat(65)]: "x" },
      { ["ü".repeat(33)]: "x" },
      { v: "x".repeat(257) },
      { v: "\ud800" },
      { v: Number.NaN },
      { v: Number.POSITIVE_INFINITY },
      { v: null },
      { v: 1n },
      { v: {} },
      { v: new Date(0) },
      [],
      "tenant=acme",
      new Map(),
      null,
      many(17),
    ];
    const tries = orchestration("tries", async (ctx, n: number) => {
      ctx.setTags({ kept: true });
      try {
        ctx.setTags(bad[n] as Record<string, string>);
        return "accepted";
      } catch (error) {
        return (error as Error & { code: string }).code;
      }
    });
    const env = await start({ orchestrations: [tries, waits] });
    for (const [n, tags] of bad.entries()) {
      const code = expect.stringMatching(/^(invalid-input|limit-exceeded)$/);
      const asked = { instanceId: `bad${n}`, input: 0, tags: tags as Record<string, string> };
      await expect(env.client.start(tries, asked)).rejects.toMatchObject({ code });
      await expect(env.client.admin.query({ filter: { tags: tags as TagConditions } })).rejects.toMatchObject(
        { code: "invalid-input" },
      );
      expect(await env.run(tries, { instanceId: `i${n}`, input: n })).toEqual(code);
      expect(await tagsOf(env, `i${n}`)).toEqual({ kept: true });
    }
    expect(await idsWith(env, { idPrefix: "bad" })).toEqual([]);
    const fits = { ...many(14), ["k".repeat(64)]: "x".repeat(256), zero: -0 };
    await env.begin(waits, { instanceId: "fits", tags: fits });
    expect(await tagsOf(env, "fits")).toEqual({ ...fits, zero: 0 });
    for (const tags of [
      { v: undefined },
      { v: { gte: true } },
      { v: {} },
      { v: { gte: 1, lt: "x" } },
      { v: { above: 1 } },
    ])
      await expect(
        env.client.admin.query({ filter: { tags: tags as unknown as TagConditions } }),
      ).rejects.toMatchObject({ code: "invalid-input" });
  });

  scenario("take sixteen tags of the greatest size, and numbers of any size", async (start) => {
    const env = await start({ orchestrations: [waits] });
    const tags: Record<string, string | number> = {
      big: 2 ** 60,
      small: 5e-324,
      huge: 1.7976931348623157e308,
    };
    for (let n = 0; n < 13; n++) tags[`${String(n).padStart(2, "0")}${"ü".repeat(31)}`] = '"'.repeat(256);
    await env.begin(waits, { instanceId: "i", tags });

    expect(await tagsOf(env, "i")).toEqual(tags);
    expect(await idsWith(env, { tags })).toEqual(["i"]);
  });

  scenario("name a call inside a step", async (start) => {
    const inside = orchestration("inside", async (ctx) =>
      ctx.run("step", () => {
        ctx.setTags({ a: 1 });
      }),
    );
    const error = await failureOf(start, inside);
    expect(error.message).toMatch(/ctx\.setTags inside the step "step"/);
  });
});
