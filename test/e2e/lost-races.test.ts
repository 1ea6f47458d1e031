/** The corner cases of waits and dequeues that lose: whose message is it, live, on replay and after a restart? */
import { activity, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { engineScenario, type Start } from "../support/scenario.ts";

type Body = (ctx: OrchestrationContext) => Promise<unknown>;
type Message = readonly ["event" | "queue", name: string, data: unknown];

/**
 * Runs `body` until it stands still. While no runtime is there, ten seconds pass and `sameBatch` is sent, so all of
 * that is one batch for the next runtime; a third one gets `later`, one by one.
 */
async function play(start: Start, body: Body, sameBatch: readonly Message[], later: readonly Message[] = []) {
  const echo = activity("echo", async (_ctx, value: unknown) => value);
  const env = await start({ orchestrations: [orchestration("races", body)], activities: [echo] });
  await env.begin("races");
  await env.stop();
  await env.advance(10_000);
  const send = async ([kind, name, data]: Message) => {
    const handle = env.client.handle("races", "i");
    await (kind === "event" ? handle.raise(name, data) : handle.enqueue(name, data));
  };
  for (const message of sameBatch) await send(message);
  await env.start();
  await env.settle();
  await env.restart();
  for (const message of later) {
    await send(message);
    await env.settle();
  }
  return { result: env.finish(env.client.handle("races", "i")), env };
}

const queue = (data: unknown, name = "q"): Message => ["queue", name, data];
const signal = (data: unknown, name = "e"): Message => ["event", name, data];

describe("a dequeue that loses", () => {
  engineScenario(
    "to its sibling leaves its message to the next reader, a timer beside them notwithstanding",
    async (start) => {
      const { result } = await play(
        start,
        async (ctx) => {
          const first = await ctx.race([ctx.dequeue("q"), ctx.dequeue("q"), ctx.scheduleTimer(60_000)]);
          return [first.value, await ctx.dequeue("q"), await ctx.dequeue("q")];
        },
        [queue(1), queue(2)],
        [queue(3)],
      );

      expect(await result).toEqual([1, 2, 3]);
    },
  );

  engineScenario("to a timer, twice, keeps the queue in order", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const first = await ctx.race([ctx.dequeue("q"), ctx.dequeue("q"), ctx.scheduleTimer(5_000)]);
        return [first.index, await ctx.dequeue("q"), await ctx.dequeue("q")];
      },
      [queue(1), queue(2)],
    );

    expect(await result).toEqual([2, 1, 2]);
  });

  engineScenario("on one queue has nothing to do with another queue", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        await ctx.race([ctx.dequeue("a"), ctx.dequeue("b"), ctx.scheduleTimer(5_000)]);
        return [await ctx.dequeue("b"), await ctx.dequeue("a")];
      },
      [],
      [queue("for a", "a"), queue("for b", "b")],
    );

    expect(await result).toEqual(["for b", "for a"]);
  });

  engineScenario("as part of a join is not read twice", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const join = ctx.all([ctx.dequeue("q"), ctx.dequeue("q")]);
        const first = await ctx.race([join, ctx.waitForEvent("stop")]);
        return [first.index, await ctx.dequeue("q")];
      },
      [],
      [queue("taken by the join"), signal(null, "stop"), queue("next")],
    );

    expect(await result).toEqual([1, "next"]);
  });

  engineScenario("in a nested race keeps its message", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const inner = ctx.race([ctx.dequeue("q"), ctx.scheduleTimer(60_000)]);
        const outer = await ctx.race([inner, ctx.scheduleTimer(5_000)]);
        return [outer.index, await ctx.dequeue("q")];
      },
      [],
      [queue("kept")],
    );

    expect(await result).toEqual([1, "kept"]);
  });

  engineScenario("against an activity keeps its message", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const first = await ctx.race([ctx.scheduleActivity("echo", "quick"), ctx.dequeue("q")]);
        return [first.value, await ctx.dequeue("q")];
      },
      [queue("kept")],
    );

    expect(await result).toEqual(["quick", "kept"]);
  });

  engineScenario("before it is recorded at all reserves nothing", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        await ctx.scheduleTimer(5_000);
        ctx.dequeue("q").cancel();
        return [await ctx.dequeue("q"), await ctx.dequeue("q")];
      },
      [queue(1), queue(2)],
    );

    expect(await result).toEqual([1, 2]);
  });

  engineScenario("by being cancelled frees its place", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const held = ctx.dequeue("q");
        await ctx.scheduleTimer(5_000);
        held.cancel();
        return ctx.dequeue("q");
      },
      [],
      [queue("for the second")],
    );

    expect(await result).toBe("for the second");
  });
});

describe("a wait that loses", () => {
  engineScenario("twice leaves the next signal to the third wait", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        await ctx.race([ctx.waitForEvent("e"), ctx.waitForEvent("e"), ctx.scheduleTimer(5_000)]);
        return ctx.waitForEvent("e");
      },
      [],
      [signal("for the third")],
    );

    expect(await result).toBe("for the third");
  });

  engineScenario("to its sibling loses the second signal of the batch, too", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const first = await ctx.race([ctx.waitForEvent("e"), ctx.waitForEvent("e")]);
        return [first.index, first.value, await ctx.waitForEvent("e")];
      },
      [signal(1), signal(2)],
      [signal(3)],
    );

    expect(await result).toEqual([0, 1, 3]);
  });

  engineScenario("does not touch a queue of its name", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        await ctx.race([ctx.waitForEvent("x"), ctx.dequeue("y"), ctx.scheduleTimer(5_000)]);
        return ctx.dequeue("x");
      },
      [queue("kept", "x")],
    );

    expect(await result).toBe("kept");
  });

  engineScenario("whose value no code read passes it to no other wait", async (start) => {
    const { result } = await play(
      start,
      async (ctx) => {
        const held = ctx.waitForEvent("e");
        await ctx.waitForEvent("go");
        held.cancel();
        return ctx.waitForEvent("e");
      },
      [],
      [signal("accepted, never read"), signal(null, "go"), signal("fresh")],
    );

    expect(await result).toBe("fresh");
  });
});

describe("the records of what was given up", () => {
  engineScenario("are ordered by kind, then by id", async (start) => {
    const { result, env } = await play(
      start,
      async (ctx) => {
        const calls = [
          ctx.dequeue("q"),
          ctx.waitForEvent("b"),
          ctx.waitForEvent("a"),
          ctx.scheduleActivity("elsewhere", 1, { tag: "nowhere" }),
        ];
        await ctx.scheduleTimer(5_000);
        for (const call of calls) call.cancel();
        await ctx.waitForEvent("go");
      },
      [],
      [signal(null, "go")],
    );
    await result;

    expect((await env.history("i")).slice(8, 12)).toEqual([
      "9 ActivityCancelRequested of 5: dropped_future",
      "10 ExternalSubscribedCancelled of 3: dropped_future",
      "11 ExternalSubscribedCancelled of 4: dropped_future",
      "12 ExternalSubscribedPersistentCancelled of 2: dropped_future",
    ]);
  });

  engineScenario(
    "are not written by a turn that continues as new, which cancels no child either",
    async (start) => {
      const child = orchestration("child", async (ctx) => ctx.waitForEvent("never"));
      const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
        if (round === 1) return "moved";
        const calls = [ctx.waitForEvent("e"), ctx.scheduleSubOrchestration(child)];
        await ctx.scheduleTimer(1_000);
        for (const call of calls) call.cancel();
        return ctx.continueAsNew("moves", 1);
      });
      const env = await start({ orchestrations: [moves, child] });
      await env.run(moves, { instanceId: "i", input: 0 });

      expect((await env.history("i", 1)).slice(5)).toEqual([
        "6 ExternalSubscribedCancelled of 2: orchestration_terminal",
        "7 OrchestrationContinuedAsNew: 1",
      ]);
      expect(await env.client.handle(child, "i::sub::3").status()).toMatchObject({ status: "Running" });
    },
  );
});
