/**
 * Timers and deadlines that nothing waits for leave the queue with the commit that drops them
 * (docs/decisions/messages.md).
 */
import { activity, type Client, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const box = queue<number>("box");
const fail = activity("fail", async () => {
  throw new Error("broken");
});

/** Waits for a message or a month, again and again; `perExecution` races in each execution. */
const actor = orchestration(
  "actor",
  async (ctx, state: { readonly left: number; readonly perExecution: number }) => {
    for (let race = 0; race < state.perExecution; race++) {
      const { index } = await ctx.race([ctx.dequeue(box), ctx.scheduleTimer({ days: 30 })]);
      if (index === 1) return "idle";
    }
    const left = state.left - 1;
    return left === 0 ? "ended" : ctx.continueAsNew("actor", { ...state, left });
  },
);

async function waiting(client: Client): Promise<number> {
  return (await client.admin.queueDepths()).timerQueue;
}

describe("a timer that lost a race", () => {
  scenario("leaves no row, while the instance runs and after it has ended", async (start) => {
    const { env, handle } = await started(start, actor, { input: { left: 2, perExecution: 3 } });
    const timers: number[] = [];
    for (let message = 1; message <= 6; message++) {
      await env.settle();
      timers.push(await waiting(env.client));
      await handle.enqueue(box, message);
    }

    expect(await env.finish(handle)).toBe("ended");
    expect(timers).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await waiting(env.client)).toBe(0);
  });

  scenario("leaves no row where the process ended during the race", async (start) => {
    const { env, handle } = await begun(start, actor, { input: { left: 1, perExecution: 2 } });
    await handle.enqueue(box, 1);
    await env.settle();
    await env.restart();
    await handle.enqueue(box, 2);

    expect(await env.finish(handle)).toBe("ended");
    expect(await waiting(env.client)).toBe(0);
  });

  scenario("against a message that is there is never queued", async (start) => {
    const env = await start({ orchestrations: [actor] });
    const handle = await env.begin(actor, {
      instanceId: "i",
      input: { left: 1, perExecution: 5 },
      enqueue: [1, 2, 3, 4].map((message) => ({ queue: box, message })),
    });
    expect(await waiting(env.client)).toBe(1);
    await handle.enqueue(box, 5);

    expect(await env.finish(handle)).toBe("ended");
    expect((await env.events("i")).filter(({ type }) => type === "TimerCreated")).toHaveLength(5);
    expect(await waiting(env.client)).toBe(0);
  });

  scenario("at the time at which it is due has lost or won, once", async (start) => {
    const close = orchestration("close", async (ctx) => {
      const { index } = await ctx.race([ctx.dequeue(box), ctx.scheduleTimer(1_000)]);
      await ctx.scheduleTimer(10_000);
      return index;
    });
    const { env, handle } = await begun(start, close);
    await env.stop();
    await env.advance(1_000);
    await handle.enqueue(box, 1);
    await env.start();

    expect(await env.finish(handle)).toBe(1);
    expect((await env.events("i")).filter(({ type }) => type === "TimerFired")).toHaveLength(2);
    expect(await waiting(env.client)).toBe(0);
  });
});

describe("timers of an instance that ends", () => {
  const sleeps = orchestration("sleeps", async (ctx) => {
    const forgotten = ctx.scheduleTimer({ hours: 1 });
    await ctx.all([
      ctx.scheduleTimer({ days: 1 }),
      ctx.scheduleTimer({ days: 2 }),
      ctx.waitForEvent("never"),
    ]);
    return forgotten;
  });

  scenario("leave with its cancellation", async (start) => {
    const { env, handle } = await begun(start, sleeps, { timeout: { days: 3 } });
    expect(await waiting(env.client)).toBe(4);
    await handle.cancel("enough");

    expect((await env.failure(handle)).message).toContain("enough");
    expect(await waiting(env.client)).toBe(0);
  });

  scenario("leave when an operator ends it", async (start) => {
    const { env } = await begun(start, sleeps, { timeout: { days: 3 } });
    await env.client.admin.terminate("i", { reason: "enough" });

    expect(await waiting(env.client)).toBe(0);
  });

  scenario("leave when its code fails", async (start) => {
    const throws = orchestration("throws", async (ctx) =>
      ctx.all([ctx.scheduleTimer({ days: 1 }), ctx.scheduleActivity(fail)]),
    );
    const { env, handle } = await started(start, throws, { activities: [fail], timeout: { days: 3 } });

    expect((await env.failure(handle)).message).toContain("broken");
    expect(await waiting(env.client)).toBe(0);
  });
});

describe("the deadline of an instance", () => {
  scenario("leaves with its end, and not when it continues as new", async (start) => {
    const env = await start({ orchestrations: [actor] });
    const handle = await env.begin(actor, {
      instanceId: "i",
      input: { left: 2, perExecution: 1 },
      timeout: { days: 90 },
    });
    await handle.enqueue(box, 1);
    await env.settle();
    expect(await waiting(env.client)).toBe(2);
    await handle.enqueue(box, 2);

    expect(await env.finish(handle)).toBe("ended");
    expect(await waiting(env.client)).toBe(0);
  });

  scenario("holds again for a retry", async (start) => {
    let broken = true;
    const once = activity("once", async () => {
      if (broken) throw new Error("broken");
    });
    const job = orchestration("job", async (ctx) => {
      await ctx.scheduleActivity(once);
      await ctx.waitForEvent("never");
    });
    const { env, handle } = await started(start, job, { activities: [once], timeout: { hours: 1 } });
    await env.failure(handle);
    expect(await waiting(env.client)).toBe(0);
    broken = false;
    await env.client.admin.retry("i");
    await env.settle();
    expect(await waiting(env.client)).toBe(1);
    await env.advance(3_600_000);

    expect((await env.failure(handle)).message).toContain("did not end by");
    expect(await waiting(env.client)).toBe(0);
  });
});

describe("a rewound instance", () => {
  scenario("keeps no timer of a race that it has repeated", async (start) => {
    const races = orchestration("races", async (ctx) => {
      await ctx.race([ctx.dequeue(box), ctx.scheduleTimer({ days: 1 })]);
      await ctx.race([ctx.dequeue(box), ctx.scheduleTimer({ days: 2 })]);
      await ctx.race([ctx.dequeue(box), ctx.scheduleTimer({ days: 3 })]);
    });
    const { env, handle } = await started(start, races);
    for (const message of [1, 2]) {
      await env.settle();
      await handle.enqueue(box, message);
    }
    await env.settle();
    await env.client.admin.rewind("i", { toEvent: (await env.events("i")).length });
    await env.settle();

    expect(await waiting(env.client)).toBe(1);
    await handle.enqueue(box, 3);
    await env.finish(handle);
    expect(await waiting(env.client)).toBe(0);
  });
});
