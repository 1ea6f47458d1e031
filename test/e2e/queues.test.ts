/** Persistent queues: messages stay, in order, until they are read, also across continue-as-new. */
import { activity, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const jobs = queue<string>("jobs");
const echo = activity("echo", async (_ctx, text: string) => text);
const readTwo = orchestration("read-two", async (ctx) => [await ctx.dequeue(jobs), await ctx.dequeue(jobs)]);

describe("a queue", () => {
  scenario("keeps what comes before the first dequeue", async (start) => {
    const later = orchestration("later", async (ctx) => {
      await ctx.waitForEvent("go");
      return [await ctx.dequeue(jobs), await ctx.dequeue(jobs)];
    });
    const { env, handle } = await begun(start, later);

    await handle.enqueue(jobs, "one");
    await handle.enqueue(jobs, "two");
    await handle.raise("go");

    expect(await env.finish(handle)).toEqual(["one", "two"]);
  });

  scenario("keeps what comes with the start", async (start) => {
    const env = await start({ orchestrations: [readTwo] });
    await env.stop();
    const handle = await env.client.start(readTwo, { instanceId: "i" });
    await handle.enqueue(jobs, "one");
    await handle.enqueue(jobs, "two");
    await env.start();

    expect(await env.finish(handle)).toEqual(["one", "two"]);
  });

  scenario("drops what comes before the instance exists, or after it has ended", async (start) => {
    const env = await start({ orchestrations: [readTwo] });
    const handle = env.client.handle(readTwo, "i");
    await handle.enqueue(jobs, "too early", { ifMissing: "keep" });
    await env.settle();
    await env.begin(readTwo);
    await handle.enqueue(jobs, "one");
    await handle.enqueue(jobs, "two");
    await env.finish(handle);
    const before = await env.history("i");

    await handle.enqueue(jobs, "too late", { ifMissing: "keep" });
    await env.settle();

    expect(await handle.result()).toEqual(["one", "two"]);
    expect(await env.history("i")).toEqual(before);
  });

  /** A store keeps the start of an execution, with the messages that it carries, in one document. */
  scenario(
    "keeps unread messages of more than 2 MB, in order, when its reader continues as new",
    async (start) => {
      const text = "x".repeat(50_000);
      const reader = orchestration("reader", async (ctx, round: number) => {
        if (round === 0) {
          await ctx.waitForEvent("go");
          return ctx.continueAsNew("reader", 1);
        }
        const read: number[] = [];
        for (let n = 0; n < 60; n++) read.push(Number.parseInt(await ctx.dequeue(jobs), 10));
        return read;
      });
      const { env, handle } = await begun(start, reader, { input: 0 });
      for (let n = 0; n < 60; n++) await handle.enqueue(jobs, `${n} ${text}`);
      await handle.raise("go");

      expect(await env.finish(handle)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    },
  );

  scenario("does not mix with other queues, nor with an event of its name", async (start) => {
    const mixed = orchestration("mixed", async (ctx) =>
      Promise.all([ctx.dequeue<string>("a"), ctx.dequeue<string>("b"), ctx.waitForEvent<string>("a")]),
    );
    const { env, handle } = await begun(start, mixed);

    await handle.enqueue("b", "b");
    await handle.raise("a", "event a");
    await handle.enqueue("a", "queue a");

    expect(await env.finish(handle)).toEqual(["queue a", "b", "event a"]);
  });

  scenario("is drained in one turn, however many messages wait", async (start) => {
    const drain = orchestration("drain", async (ctx, count: number) => {
      await ctx.waitForEvent("go");
      let sum = 0;
      for (let read = 0; read < count; read++) sum += await ctx.dequeue<number>("numbers");
      return sum;
    });
    const { env, handle } = await begun(start, drain, { input: 300 });
    for (let n = 0; n < 300; n++) await handle.enqueue("numbers", n);
    await handle.raise("go");

    expect(await env.finish(handle)).toBe(44_850);
  });

  scenario("that answers at once may win a race: the loser is given up in the same turn", async (start) => {
    const race = orchestration("race", async (ctx) => {
      await ctx.waitForEvent("go");
      const first = await ctx.race([ctx.scheduleActivity(echo, "loser"), ctx.dequeue(jobs)]);
      return [first.index, first.value, await ctx.dequeue(jobs)];
    });
    const { env, handle } = await begun(start, race, { activities: [echo] });
    await handle.enqueue(jobs, "one");
    await handle.enqueue(jobs, "two");
    await handle.raise("go");

    expect(await env.finish(handle)).toEqual([1, "one", "two"]);
    expect((await env.history("i")).slice(5)).toEqual([
      '6 ActivityScheduled: echo "loser"',
      "7 ExternalSubscribedPersistent: jobs",
      "8 ExternalSubscribedPersistent: jobs",
      "9 ActivityCancelRequested of 6: dropped_future",
      '10 OrchestrationCompleted: [1,"one","two"]',
    ]);
  });

  scenario("may be read between activities and timers", async (start) => {
    const worker = orchestration("worker", async (ctx) => {
      const done: string[] = [];
      for (let job = await ctx.dequeue(jobs); job !== "stop"; job = await ctx.dequeue(jobs)) {
        await ctx.scheduleTimer(10);
        done.push(await ctx.scheduleActivity(echo, job));
      }
      return done;
    });
    const { env, handle } = await started(start, worker, { activities: [echo] });
    for (const job of ["a", "b", "c", "stop"]) {
      await handle.enqueue(jobs, job);
      await env.advance(4);
    }

    expect(await env.finish(handle)).toEqual(["a", "b", "c"]);
  });
});

describe("a dequeue that lost a race", () => {
  scenario("takes no message", async (start) => {
    const patient = orchestration("patient", async (ctx) => {
      await ctx.race([ctx.dequeue(jobs), ctx.scheduleTimer(1_000)]);
      return ctx.dequeue(jobs);
    });
    const { env, handle } = await started(start, patient);
    await env.advance(1_000);
    await handle.enqueue(jobs, "for the second");

    expect(await env.finish(handle)).toBe("for the second");
    expect((await env.history("i")).slice(3, 7)).toEqual([
      "4 TimerFired of 3",
      "5 ExternalSubscribedPersistent: jobs",
      "6 ExternalSubscribedPersistentCancelled of 2: dropped_future",
      '7 ExternalEventPersistent: jobs "for the second"',
    ]);
  });

  scenario("with a catch-up batch behind it: nothing is lost or read twice", async (start) => {
    const catchUp = orchestration("catch-up", async (ctx) => {
      const first = await ctx.race([ctx.dequeue<number>("n"), ctx.scheduleTimer(1_000)]);
      const read: number[] = [];
      for (let count = 0; count < 50; count++) read.push(await ctx.dequeue<number>("n"));
      return [first.index, read];
    });
    const { env, handle } = await begun(start, catchUp);
    await env.stop();
    await env.advance(1_000);
    for (let n = 0; n < 50; n++) await handle.enqueue("n", n);
    await env.start();

    expect(await env.finish(handle)).toEqual([1, Array.from({ length: 50 }, (_, n) => n)]);
  });
});

describe("continue-as-new", () => {
  scenario("carries unread messages over, in arrival order across queues", async (start) => {
    const relay = orchestration("relay", async (ctx, round: number): Promise<unknown> => {
      if (round === 0) {
        await ctx.waitForEvent("go");
        await ctx.dequeue("b");
        return ctx.continueAsNew("relay", 1);
      }
      return [await ctx.dequeue("a"), await ctx.dequeue("b"), await ctx.dequeue("a")];
    });
    const { env, handle } = await begun(start, relay, { input: 0 });
    await handle.enqueue("a", "a1");
    await handle.enqueue("b", "b1");
    await handle.enqueue("b", "b2");
    await handle.enqueue("a", "a2");
    await handle.raise("go");

    expect(await env.finish(handle)).toEqual(["a1", "b2", "a2"]);
    const [started] = await env.events("i", 2);
    expect(started).toMatchObject({
      carry_forward_events: [
        ["a", '"a1"'],
        ["b", '"b2"'],
        ["a", '"a2"'],
      ],
    });
  });

  scenario("carries a message that was handed to a dequeue which no code awaited", async (start) => {
    const held = orchestration("held", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return [await ctx.dequeue(jobs), await ctx.dequeue(jobs)];
      const unread = ctx.dequeue(jobs);
      const read = ctx.dequeue(jobs);
      await read;
      void unread;
      return ctx.continueAsNew("held", 1);
    });
    const { env, handle } = await begun(start, held, { input: 0 });
    for (const job of ["under the held dequeue", "read", "never reached"]) await handle.enqueue(jobs, job);

    expect(await env.finish(handle)).toEqual(["under the held dequeue", "never reached"]);
  });

  scenario("loses nothing of what arrives at the switch", async (start) => {
    const count = orchestration("count", async (ctx, seen: number): Promise<unknown> => {
      const job = await ctx.dequeue(jobs);
      return job === "stop" ? seen : ctx.continueAsNew("count", seen + 1);
    });
    const { env, handle } = await started(start, count, { input: 0 });
    await Promise.all(Array.from({ length: 20 }, (_, n) => handle.enqueue(jobs, `job ${n}`)));
    await env.settle();
    for (let n = 0; n < 20; n++) await handle.enqueue(jobs, `another ${n}`);
    await handle.enqueue(jobs, "stop");

    expect(await env.finish(handle)).toBe(40);
  });
});
