/** An instance with a mailbox: nothing that was acknowledged to a sender is lost, whatever the switch finds unread. */

import { key, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { runs } from "../support/effort.ts";
import { begun } from "../support/one-program.ts";
import { onEveryStore, scenario } from "../support/scenario.ts";

const deposits = queue<number>("deposits");
const balance = key<number>("balance");

/** The account of the guide, which ends at an amount of 0. */
const account = orchestration("account", async (ctx): Promise<unknown> => {
  for (let handled = 0; handled < 100; handled++) {
    const amount = await ctx.dequeue(deposits);
    if (amount === 0) return ctx.kv.get(balance);
    ctx.kv.set(balance, (ctx.kv.get(balance) ?? 0) + amount);
  }
  return ctx.continueAsNew("account");
});

/** Reads `perExecution` numbers in each execution, and says where the order is not that of the sender. */
function reader(perExecution: number) {
  return orchestration("reader", async (ctx, first: number): Promise<unknown> => {
    for (let next = first; next < first + perExecution; next++) {
      const got = await ctx.dequeue<number>("n");
      if (got === -1) return `${next} in order`;
      if (got !== next) return `${got} came instead of ${next}`;
    }
    return ctx.continueAsNew("reader", first + perExecution);
  });
}

const DEPOSITS = runs(1_000);

describe("a mailbox", () => {
  scenario("loses none of hundreds of deposits that come at once", async (start) => {
    const { env, handle } = await begun(start, account, { instanceId: "acc" });
    await Promise.all(Array.from({ length: DEPOSITS }, () => handle.enqueue(deposits, 1)));
    await handle.enqueue(deposits, 0);

    expect(await env.finish(handle)).toBe(DEPOSITS);
  });

  scenario("reads a backlog in its order over many executions", async (start) => {
    const env = await start({ orchestrations: [reader(7)] });
    const handle = await env.begin("reader", { instanceId: "i", input: 0 });
    await env.stop();
    for (let n = 0; n < 350; n++) await handle.enqueue("n", n);
    await env.start();
    await env.settle();
    for (let n = 350; n < 400; n++) await handle.enqueue("n", n);
    await handle.enqueue("n", -1);

    expect(await env.finish(handle)).toBe("400 in order");
  });

  onEveryStore("keeps its order when runtimes end between its executions", async (start) => {
    const env = await start({ orchestrations: [reader(3)] });
    const handle = await env.begin("reader", { instanceId: "i", input: 0 });
    await env.stop();
    for (let n = 0; n < 160; n++) await handle.enqueue("n", n);
    for (let n = 160; n < 190; n++) {
      await env.start();
      await handle.enqueue("n", n);
      await env.stop();
    }
    await env.start();
    await handle.enqueue("n", -1);

    expect(await env.finish(handle)).toBe("190 in order");
  });

  scenario("gives messages of other queues back too, each queue in its order", async (start) => {
    const two = orchestration("two", async (ctx, round: number): Promise<unknown> => {
      const name = round % 2 === 0 ? "even" : "odd";
      const read = [];
      for (let n = 0; n < 60; n++) read.push(await ctx.dequeue<number>(name));
      const isRight = read.every((value, n) => value === Math.floor(round / 2) * 60 + n);
      if (!isRight) return `${name}: ${read}`;
      return round === 3 ? "in order" : ctx.continueAsNew("two", round + 1);
    });
    const { env, handle } = await begun(start, two, { input: 0 });
    await env.stop();
    for (let n = 0; n < 120; n++) for (const name of ["odd", "even"]) await handle.enqueue(name, n);
    await env.start();

    expect(await env.finish(handle)).toBe("in order");
  });
});
