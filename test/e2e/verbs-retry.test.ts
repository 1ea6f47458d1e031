/** Trying a failed instance again (docs/decisions/verbs.md). */
import { activity, Client, key, orchestration, RefusedError } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import { withoutRunId } from "../support/call-key.ts";
import { afterEachRevision } from "../support/changed-provider.ts";
import { begun, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

/** An activity that fails until the bank is back, and notes the keys that it was called with. */
function closedBank() {
  const state = { keys: [] as string[], isOpen: false };
  const charge = activity("charge", async (ctx, cents: number) => {
    state.keys.push(withoutRunId(ctx.idempotencyKey));
    if (!state.isOpen) throw new Error("the bank is closed");
    return `paid ${cents}`;
  });
  return { state, charge };
}

const count = key<number>("n");

const reserve = activity("reserve", async (_ctx, item: string) => `reserved ${item}`);

describe("retrying a failed instance", () => {
  scenario("runs the failed activity again with its key, and keeps what was done", async (start) => {
    const { state, charge } = closedBank();
    const reserved: string[] = [];
    const counted = activity("reserve", async (_ctx, item: string) => {
      reserved.push(item);
      return `reserved ${item}`;
    });
    const checkout = orchestration("checkout", async (ctx, item: string) => {
      const place = await ctx.scheduleActivity(counted, item);
      return [place, await ctx.scheduleActivity(charge, 100)];
    });
    const { env, handle } = await started(start, checkout, { activities: [counted, charge], input: "book" });
    await env.failure(handle);
    const before = await env.client.admin.history("i", 1);

    state.isOpen = true;
    const result = await env.client.admin.retry("i", { by: "ada", reason: "the bank is back" });

    expect(result).toEqual({ executionId: 2, activities: [{ name: "charge", eventId: 4 }], children: [] });
    expect(await env.finish(handle)).toEqual(["reserved book", "paid 100"]);
    expect(reserved).toEqual(["book"]);
    expect(state.keys).toEqual(["i:1:4", "i:1:4"]);
    expect(await env.client.admin.history("i", 1), "the failed execution").toEqual(before);
    expect(await env.history("i")).toEqual([
      '1 OrchestrationStarted: checkout@1.0.0 "book"',
      '2 ActivityScheduled: reserve "book"',
      '3 ActivityCompleted of 2: "reserved book"',
      "4 ActivityScheduled: charge 100",
      '5 ActivityCompleted of 4: "paid 100"',
      '6 OrchestrationCompleted: ["reserved book","paid 100"]',
    ]);
    const [first] = await env.client.admin.history("i");
    expect(first).toMatchObject({
      execution_id: 2,
      revision: { verb: "retry", of: 1, kept: 4, by: "ada", reason: "the bank is back" },
    });
  });

  scenario("gives the activity another key if asked to", async (start) => {
    const { state, charge } = closedBank();
    const pay = orchestration("pay", async (ctx) => ctx.scheduleActivity(charge, 1));
    const { env, handle } = await started(start, pay, { activities: [charge] });
    await env.failure(handle);

    state.isOpen = true;
    await env.client.admin.retry("i", { idempotencyKeys: "new" });
    await env.finish(handle);

    expect(state.keys).toEqual(["i:1:2", "i:2:2"]);
  });

  scenario("may be done again and again, with the key of the first time", async (start) => {
    const { state, charge } = closedBank();
    const pay = orchestration("pay", async (ctx) => ctx.scheduleActivity(charge, 1));
    const { env, handle } = await started(start, pay, { activities: [charge] });
    await env.failure(handle);
    await env.client.admin.retry("i");
    await env.failure(handle);

    state.isOpen = true;
    expect(await env.client.admin.retry("i")).toMatchObject({ executionId: 3 });

    expect(await env.finish(handle)).toBe("paid 1");
    expect(state.keys).toEqual(["i:1:2", "i:1:2", "i:1:2"]);
  });

  scenario("keeps the results that came together with the failure, and the other branches", async (start) => {
    const { state, charge } = closedBank();
    const calls: string[] = [];
    const note = activity("note", async (_ctx, text: string) => {
      calls.push(text);
      return text;
    });
    const both = orchestration("both", async (ctx) => {
      const outcomes = await Promise.allSettled([
        ctx.scheduleActivity(charge, 1),
        ctx.scheduleActivity(note, "a"),
        ctx.scheduleActivity(note, "b"),
      ]);
      const failed = outcomes.find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
      return outcomes.length;
    });
    const { env, handle } = await started(start, both, { activities: [charge, note] });
    await env.failure(handle);

    state.isOpen = true;
    await env.client.admin.retry("i");

    expect(await env.finish(handle)).toBe(3);
    expect(calls.sort()).toEqual(["a", "b"]);
  });

  scenario("keeps timers and events of the time before the failure", async (start) => {
    const { state, charge } = closedBank();
    const slow = orchestration("slow", async (ctx) => {
      const timer = ctx.scheduleTimer({ hours: 1 });
      const approved = await ctx.waitForEvent<string>("approved");
      const paid = await ctx.scheduleActivity(charge, 1);
      await timer;
      return [approved, paid];
    });
    const { env, handle } = await begun(start, slow, { activities: [charge] });
    await handle.raise("approved", "by Ada");
    await env.failure(handle);

    state.isOpen = true;
    await env.client.admin.retry("i");

    expect(await env.finish(handle)).toEqual(["by Ada", "paid 1"]);
  });

  scenario("begins with the key-values that the failed execution began with", async (start) => {
    const { state, charge } = closedBank();
    const counts = orchestration("counts", async (ctx): Promise<unknown> => {
      const n = (ctx.kv.get(count) ?? 0) + 1;
      ctx.kv.set(count, n);
      if (n === 1) return ctx.continueAsNew("counts");
      await ctx.scheduleActivity(charge, n);
      return ctx.kv.get(count);
    });
    const { env, handle } = await started(start, counts, { activities: [charge] });
    await env.failure(handle);

    state.isOpen = true;
    await env.client.admin.retry("i");

    expect(await env.finish(handle)).toBe(2);
    expect(await handle.get(count)).toBe(2);
  });

  scenario("lets a cancelled instance go on", async (start) => {
    const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));
    const { env, handle } = await begun(start, waits);
    await handle.cancel("by mistake");
    await env.failure(handle);

    await env.client.admin.retry("i");
    await env.settle();
    await handle.raise("go", "on");

    expect(await env.finish(handle)).toBe("on");
  });

  scenario("tries failed children again with it, and keeps their progress", async (start) => {
    const { state, charge } = closedBank();
    const reserved: string[] = [];
    const counted = activity("reserve", async (_ctx, item: string) => {
      reserved.push(item);
      return item;
    });
    const child = orchestration("child", async (ctx, item: string) => {
      await ctx.scheduleActivity(counted, item);
      return ctx.scheduleActivity(charge, 5);
    });
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child, "book"));
    const env = await start({ orchestrations: [parent, child], activities: [charge, counted] });
    const handle = await env.client.start(parent, { instanceId: "p" });
    await env.failure(handle);

    state.isOpen = true;
    const result = await env.client.admin.retry("p", { by: "ada" });

    expect(result).toEqual({ executionId: 2, activities: [], children: ["p::sub::2"] });
    expect(await env.finish(handle)).toBe("paid 5");
    expect(reserved).toEqual(["book"]);
  });

  scenario("is completed by the same retry where its process died, at any depth", async (start) => {
    const { state, charge } = closedBank();
    const grandchild = orchestration("grandchild", async (ctx) => ctx.scheduleActivity(charge, 5));
    const child = orchestration("child", async (ctx) => ctx.scheduleSubOrchestration(grandchild));
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    const env = await start({ orchestrations: [parent, child, grandchild], activities: [charge] });
    const handle = await env.client.start(parent, { instanceId: "p" });
    await env.failure(handle);
    state.isOpen = true;
    let revisions = 0;
    const dying = afterEachRevision(env.provider, async () => {
      // The parent and the child have been retried, the grandchild not.
      if (++revisions === 2) throw new Error("the process died");
    });
    const operator = new Client(dying, { clock: env.clock });
    await expect(operator.admin.retry("p")).rejects.toThrow("the process died");

    expect((await env.client.admin.retry("p")).children).toEqual(["p::sub::2::sub::2"]);

    expect(await env.finish(handle)).toBe("paid 5");
  });

  scenario("gets the results of children that went on after their parent had failed", async (start) => {
    const { state, charge } = closedBank();
    const child = orchestration(
      "child",
      async (ctx, text: string) => `${text} ${await ctx.waitForEvent("go")}`,
    );
    const parent = orchestration("parent", async (ctx) => {
      const late = ctx.scheduleSubOrchestration(child, "late");
      const early = ctx.scheduleSubOrchestration(child, "early");
      const paid = await ctx.scheduleActivity(charge, 5);
      return [await early, await late, paid];
    });
    const env = await start({ orchestrations: [parent, child], activities: [charge] });
    const handle = await env.client.start(parent, { instanceId: "p" });
    await env.failure(handle);
    const childOf = (id: number) => env.client.handle(child, `p::sub::${id}`);
    await env.settle();
    expect((await childOf(2).status()).status, "dropped children are cancelled").toBe("Cancelled");

    state.isOpen = true;
    await env.client.admin.retry("p");
    await env.settle();
    await childOf(3).raise("go", "1");
    await childOf(2).raise("go", "2");

    expect(await env.finish(handle)).toEqual(["early 1", "late 2", "paid 5"]);
  });

  scenario(
    "tries a branch again that failed while others went on, and does none of their steps twice",
    async (start) => {
      const { state, charge } = closedBank();
      const calls: string[] = [];
      const note = activity("note", async (_ctx, text: string) => {
        calls.push(text);
        return text;
      });
      const child = orchestration("child", async (ctx) => ctx.scheduleActivity(charge, 2));
      const branches = orchestration("branches", async (ctx) => {
        const noting = async (): Promise<string> => {
          const told = await ctx.waitForEvent<string>("go");
          const noted = await ctx.scheduleActivity(note, told);
          return ctx.scheduleActivity(note, `${noted} again`);
        };
        const outcomes = await Promise.allSettled([
          ctx.scheduleActivity(charge, 1),
          ctx.scheduleSubOrchestration(child),
          noting(),
        ]);
        const failed = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
        if (failed.length > 0) throw new AggregateError(failed, "branches failed");
        return outcomes.length;
      });
      const env = await start({ orchestrations: [branches, child], activities: [charge, note] });
      const handle = await env.begin(branches);
      await handle.raise("go", "a");
      await env.failure(handle);

      state.isOpen = true;
      const { activities, children } = await env.client.admin.retry("i");

      expect(await env.finish(handle)).toBe(3);
      expect(activities.map(({ name }) => name)).toEqual(["charge"]);
      expect(children).toEqual(["i::sub::3"]);
      expect(calls).toEqual(["a", "a again"]);
      await replay(await env.client.admin.history("i"), { orchestrations: [branches] });
    },
  );

  scenario(
    "is refused where the code has reacted to the failure, and names the event to rewind to",
    async (start) => {
      const { state, charge } = closedBank();
      const refunds = orchestration("refunds", async (ctx) => {
        try {
          return await ctx.scheduleActivity(charge, 1);
        } catch (error) {
          await ctx.scheduleActivity(reserve, "refund");
          throw error;
        }
      });
      const { env, handle } = await started(start, refunds, { activities: [reserve, charge] });
      await env.failure(handle);
      state.isOpen = true;

      await expect(env.client.admin.retry("i")).rejects.toThrow(
        /event 3 is the failure .* rewind it to event 2/,
      );
      await env.client.admin.rewind("i", { toEvent: 2 });
      expect(await env.finish(handle)).toBe("paid 1");
    },
  );

  scenario("is not undone by a cancellation that its children have not read", async (start) => {
    const child = orchestration("child", async (ctx) => ctx.waitForEvent<string>("go"));
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    const { env, handle } = await begun(start, parent, { orchestrations: [parent, child], instanceId: "p" });
    // A suspended instance reads nothing; a busy one may read late.
    await env.client.admin.suspend("p::sub::2", { reason: "to keep the cancellation in its queue" });
    await env.client.admin.terminate("p", { reason: "by mistake" });
    await env.failure(handle);

    await env.client.admin.retry("p");
    await env.settle();
    await env.client.handle(child, "p::sub::2").raise("go", "on");

    expect(await env.finish(handle)).toBe("on");
  });

  scenario("is heard by a child that has not begun", async (start) => {
    const child = orchestration("child", async () => "done");
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    const { env } = await begun(start, parent, { instanceId: "p" });
    await env.stop();
    await env.client.admin.terminate("p", { reason: "by mistake" });
    await env.client.admin.retry("p");

    await env.start({ orchestrations: [parent, child] });

    expect(await env.finish(env.client.handle(parent, "p"))).toBe("done");
    expect((await env.client.handle(child, "p::sub::2").status()).status).toBe("Completed");
  });

  scenario("begins a child that was cancelled where its code was missing", async (start) => {
    const child = orchestration("child", async () => "done");
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    const { env } = await begun(start, parent, { instanceId: "p" });
    await env.client.admin.terminate("p", { reason: "by mistake" });
    await env.settle();
    expect((await env.client.handle(child, "p::sub::2").status()).status).toBe("Cancelled");
    await env.restart({ orchestrations: [parent, child] });

    await env.client.admin.retry("p");

    expect(await env.finish(env.client.handle(parent, "p"))).toBe("done");
  });

  scenario("is refused where the code failed, and for an instance that has not failed", async (start) => {
    const broken = orchestration("broken", async (ctx) => {
      await ctx.scheduleActivity(reserve, "book");
      throw new Error("no such field");
    });
    const compensates = orchestration("compensates", async (ctx) => {
      const charge = ctx.scheduleActivity("charge", 1);
      await charge.catch(async () => ctx.scheduleActivity(reserve, "refund"));
      throw new Error("given up");
    });
    const instant = orchestration("instant", async () => 1);
    const { charge } = closedBank();
    const env = await start({
      orchestrations: [broken, compensates, instant],
      activities: [reserve, charge],
    });
    for (const program of [broken, compensates]) {
      await env.failureOf(program, { instanceId: program.name });
    }
    await env.run(instant, { instanceId: "instant" });
    const before = await env.client.admin.info("broken");

    for (const id of ["broken", "compensates"]) {
      await expect(env.client.admin.retry(id)).rejects.toThrow(/its code failed, and not an activity/);
    }
    await expect(env.client.admin.retry("instant")).rejects.toThrow(RefusedError);
    await expect(env.client.admin.retry("nobody")).rejects.toMatchObject({ code: "instance-not-found" });
    expect(await env.client.admin.info("broken")).toEqual(before);
  });
});
