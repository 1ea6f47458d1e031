/** Questions: a running instance answers, once, wherever it waits, and what it answers is kept for its asker. */
import {
  activity,
  CancelledError,
  Client,
  InvalidInputError,
  key,
  orchestration,
  QuestionError,
  question,
  queue,
  rawCodec,
  type StandardSchema,
  TimeoutError,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, started } from "../support/one-program.ts";
import { engineScenario, onEveryStore, scenario } from "../support/scenario.ts";

const total = question<{ currency: string }, number>("total");
const count = question<void, number>("count");
const lines = queue<number>("lines");

/** Adds what comes in, for as long as nothing negative comes. */
const basket = orchestration("basket", async (ctx) => {
  let sum = 0;
  ctx.answer(total, ({ currency }) => (currency === "EUR" ? sum : sum * 2));
  for (let line = 0; line >= 0; line = await ctx.dequeue(lines)) sum += line;
  return sum;
});

describe("a question", () => {
  scenario("is answered while the instance waits for something else", async (start) => {
    const { env, handle } = await started(start, basket);
    await handle.enqueue(lines, 40);

    const first = handle.ask(total, { currency: "EUR" });
    await env.settle();
    expect(await first).toBe(40);
    await handle.enqueue(lines, 2);
    await env.settle();
    await env.restart();
    const second = handle.ask(total, { currency: "USD" });
    await env.settle();

    expect(await second).toBe(84);
    await handle.enqueue(lines, -1);
    expect(await env.finish(handle)).toBe(42);
  });

  scenario("may be asked before the instance has begun, and before its handler is there", async (start) => {
    const late = orchestration("late", async (ctx) => {
      await ctx.dequeue(lines);
      ctx.answer(count, () => 7);
      await ctx.dequeue(lines);
    });
    const env = await start({ orchestrations: [late] });
    await env.stop();
    const handle = await env.client.start(late, { instanceId: "i" });
    const asked = handle.ask(count);
    await env.start();
    await env.settle();
    await handle.enqueue(lines, 1);
    await env.settle();

    expect(await asked).toBe(7);
  });

  scenario("may be answered by a branch with durable calls", async (start) => {
    const rate = activity("rate", async (_ctx, currency: string) => currency.length);
    const slow = orchestration("slow", async (ctx) => {
      ctx.answer(total, async ({ currency }, branch) => (await branch.scheduleActivity(rate, currency)) * 10);
      await ctx.dequeue(lines);
      return "end";
    });
    const { env, handle } = await started(start, slow, { activities: [rate] });
    const asked = [handle.ask(total, { currency: "EUR" }), handle.ask(total, { currency: "FRANC" })];
    await env.settle();

    expect(await Promise.all(asked)).toEqual([30, 50]);
    await handle.enqueue(lines, 1);
    expect(await env.finish(handle)).toBe("end");
  });

  scenario("changes the instance in the commit of its answer", async (start) => {
    const seen = key<number>("seen");
    const counter = orchestration("counter", async (ctx) => {
      let asked = 0;
      ctx.answer(count, () => {
        asked++;
        ctx.kv.set(seen, asked);
        ctx.setCustomStatus({ asked });
        return asked;
      });
      await ctx.dequeue(lines);
      return asked;
    });
    const { env, handle } = await started(start, counter);
    for (const expected of [1, 2]) {
      const asked = handle.ask(count);
      await env.settle();
      expect(await asked).toBe(expected);
      expect(await handle.get(seen)).toBe(expected);
      expect(await handle.status()).toMatchObject({ customStatus: { asked: expected } });
    }
    expect([...(await handle.entries()).keys()]).toEqual(["seen"]);
    expect(await handle.stats()).toMatchObject({ kvUserKeyCount: 1 });
    await handle.enqueue(lines, 1);

    expect(await env.finish(handle)).toBe(2);
  });

  scenario("gets the same answer when it is repeated, also after the end of its execution", async (start) => {
    let times = 0;
    const actor = orchestration("actor", async (ctx) => {
      let given = ctx.executionId * 100;
      ctx.answer(count, () => {
        if (!ctx.isReplaying) times++;
        given++;
        return given;
      });
      await ctx.dequeue(lines);
      return ctx.continueAsNew("actor");
    });
    const { env, handle } = await started(start, actor);
    const first = [
      handle.ask(count, undefined, { messageId: "a" }),
      handle.ask(count, undefined, { messageId: "a" }),
    ];
    await env.settle();
    expect(await Promise.all(first)).toEqual([101, 101]);
    await handle.enqueue(lines, 1);
    await env.settle();
    await env.restart();
    const again = handle.ask(count, undefined, { messageId: "a" });
    const other = handle.ask(count, undefined, { messageId: "b" });
    await env.settle();

    expect(await again).toBe(101);
    expect(await other).toBe(201);
    expect(times).toBe(2);
  });

  engineScenario("is asked anew an hour after its answer", async (start) => {
    const { env, handle } = await started(start, basket);
    const ask = async (): Promise<number> => {
      const asked = handle.ask(total, { currency: "EUR" }, { messageId: "a" });
      await env.settle();
      return asked;
    };
    expect(await ask()).toBe(0);
    await handle.enqueue(lines, 5);
    await env.advance(59 * 60_000);
    expect(await ask()).toBe(0);
    await env.advance(2 * 60_000);

    expect(await ask()).toBe(5);
    expect(await ask()).toBe(5);
  });

  scenario(
    "whose handler has not ended goes to the next execution, with all that it changes",
    async (start) => {
      const go = queue<number>("go");
      const add = question<number, number>("add");
      const adder = orchestration("adder", async (ctx, sum: number): Promise<number> => {
        let now = sum;
        ctx.answer(count, () => now);
        ctx.answer(add, async (more, branch) => {
          await branch.dequeue(go);
          now += more;
          return now;
        });
        if ((await ctx.dequeue(lines)) < 0) return now;
        return ctx.continueAsNew("adder", now);
      });
      const { env, handle } = await started(start, adder, { input: 0 });
      const added = handle.ask(add, 5);
      await env.settle();
      await env.stop();
      await handle.enqueue(lines, 1);
      await handle.enqueue(go, 1);
      await env.start();
      await env.settle();

      expect(await added).toBe(5);
      await handle.enqueue(lines, -1);
      expect(await env.finish(handle)).toBe(5);
    },
  );

  scenario("is refused if its handler continues as new", async (start) => {
    const renew = question<void, string>("renew");
    const loops = orchestration("loops", async (ctx) => {
      ctx.answer(renew, async (_input, branch) => branch.continueAsNew("loops"));
      await ctx.dequeue(lines);
    });
    const { env, handle } = await started(start, loops);
    const asked = handle.ask(renew).catch((error: Error) => error.message);
    await env.settle();

    expect(await asked).toContain("cannot continue as new");
    await handle.enqueue(lines, 1);
    await env.finish(handle);
  });

  scenario("goes to the next execution from continueAsNew on", async (start) => {
    const rate = activity("rate", async (_ctx, factor: number) => factor);
    const actor = orchestration("actor", async (ctx) => {
      const { executionId } = ctx;
      ctx.answer(count, async (_, branch) => (await branch.scheduleActivity(rate, executionId)) * 10);
      if (executionId > 2) return void (await ctx.dequeue(lines));
      if (executionId === 2) await ctx.dequeue(lines);
      return void (await ctx.continueAsNew("actor"));
    });
    const env = await start({ orchestrations: [actor], activities: [rate] });
    await env.stop();
    const handle = await env.client.start(actor, { instanceId: "i" });
    const asked = handle.ask(count);
    await env.start();
    await env.settle();

    expect(await asked).toBe(20);
  });

  scenario("is refused by what the handler throws, and the instance goes on", async (start) => {
    const strict = orchestration("strict", async (ctx) => {
      ctx.answer(total, async ({ currency }) => {
        if (currency !== "EUR") throw new RangeError(`no rate for ${currency}`);
        return 1;
      });
      ctx.answer("huge", () => "x".repeat(70_000));
      await ctx.dequeue(lines);
      return "fine";
    });
    const { env, handle } = await started(start, strict);
    const asked = [
      handle.ask(total, { currency: "XYZ" }),
      handle.ask("huge"),
      handle.ask(total, { currency: "EUR" }),
    ].map((answer) => answer.catch((error: unknown) => error));
    await env.settle();

    const [refused, tooLarge, fine] = await Promise.all(asked);
    expect(QuestionError.is(refused, "question-refused")).toBe(true);
    expect(refused).toMatchObject({ message: "no rate for XYZ", question: "total", instanceId: "i" });
    expect(QuestionError.is(tooLarge, "question-refused")).toBe(true);
    expect(fine).toBe(1);
    await handle.enqueue(lines, 1);
    expect(await env.finish(handle)).toBe("fine");
  });

  scenario("is validated on both sides", async (start) => {
    const ofAge = question("of-age", { input: integer, result: integer });
    const loose = question<unknown, number>("of-age");
    const judge = orchestration("judge", async (ctx) => {
      ctx.answer(ofAge, (age) => age - 18);
      await ctx.dequeue(lines);
    });
    const { env, handle } = await started(start, judge);

    expect(InvalidInputError.is(await handle.ask(ofAge, "x" as never).catch((error: unknown) => error))).toBe(
      true,
    );
    const wrong = handle.ask(loose, "many").catch((error: unknown) => error);
    const right = handle.ask(ofAge, 20);
    await env.settle();
    expect(QuestionError.is(await wrong, "question-refused")).toBe(true);
    expect(await right).toBe(2);
  });

  engineScenario("of a thousand askers is answered to each", async (start) => {
    const { env, handle } = await started(start, basket);
    await handle.enqueue(lines, 3);
    const asked = Array.from({ length: 1_000 }, () => handle.ask(total, { currency: "EUR" }));
    await env.settle();

    expect(new Set(await Promise.all(asked))).toEqual(new Set([3]));
  });

  scenario("without a handler ends with the time limit, and the log says so once", async (start) => {
    const { env, handle } = await begun(start, basket);
    const asked = handle.ask("weight", undefined, { timeout: 10 }).catch((error: unknown) => error);
    const again = handle.ask("weight", undefined, { timeout: 10 }).catch((error: unknown) => error);
    await env.advance(20);

    expect(TimeoutError.is(await asked, "timeout")).toBe(true);
    expect(String(await asked)).toContain('"weight"');
    await again;
    expect(
      env.log.entries.filter(({ fields }) => fields["event"] === "question_without_handler"),
    ).toHaveLength(1);
  });

  scenario("to an instance that cannot answer is refused with a code", async (start) => {
    const before = orchestration("changes", async (ctx) => void (await ctx.dequeue(lines)));
    const after = orchestration("changes", async (ctx) => void (await ctx.dequeue("others")));
    const env = await start({ orchestrations: [basket, before] });
    const ended = await env.client.start(basket, { instanceId: "ended" });
    await ended.enqueue(lines, -1);
    await env.finish(ended);
    const suspended = await env.client.start(basket, { instanceId: "suspended" });
    const blocked = await env.begin(before, { instanceId: "blocked" });
    await env.restart({ orchestrations: [basket, after] });
    await blocked.enqueue(lines, 1);
    await env.settle();
    await env.client.admin.suspend("suspended", { reason: "test" });
    const unknown = env.client.handle(basket, "unknown");
    const asked = [ended, suspended, blocked, unknown].map((handle) =>
      handle.ask(total, { currency: "EUR" }).catch((error: unknown) => error),
    );
    await env.advance(5_000);

    expect(await Promise.all(asked)).toMatchObject([
      { code: "ended" },
      { code: "suspended" },
      { code: "blocked" },
      { code: "not-found" },
    ]);
  });

  scenario("that the end of its instance overtakes is refused as ended", async (start) => {
    const brief = orchestration("brief", async (ctx) => void (await ctx.dequeue(lines)));
    const { env, handle } = await begun(start, brief);
    const asked = handle.ask(count).catch((error: unknown) => error);
    await env.settle();
    await handle.enqueue(lines, 1);
    await env.advance(5_000);

    expect(await asked).toMatchObject({ code: "ended" });
  });

  scenario("is answered by the clean-up with handlers of its own", async (start) => {
    const job = orchestration("job", async (ctx) => {
      ctx.answer(count, () => 1);
      ctx.onCancel(async (branch) => {
        branch.answer(count, () => 2);
        await branch.dequeue(lines);
      });
      await ctx.waitForEvent("never");
    });
    const { env, handle } = await begun(start, job);
    await handle.cancel("enough");
    await env.settle();
    const asked = handle.ask(count);
    await env.settle();

    expect(await asked).toBe(2);
  });

  scenario("is answered by the code around a branch when the branch has ended", async (start) => {
    const job = orchestration("job", async (ctx) => {
      ctx.answer(count, () => 1);
      await ctx.race([
        async (branch) => {
          branch.answer(count, () => 2);
          branch.answer(total, () => 3);
          await branch.waitForEvent("never");
        },
        ctx.dequeue(lines),
      ]);
      await ctx.dequeue(lines);
    });
    const { env, handle } = await begun(start, job);
    const during = handle.ask(count);
    await env.settle();
    expect(await during).toBe(2);
    await handle.enqueue(lines, 1);
    await env.settle();
    const afterwards = handle.ask(count);
    const unheard = handle.ask(total, { currency: "EUR" }, { timeout: 100 }).catch((error: unknown) => error);
    await env.advance(100);

    expect(await afterwards).toBe(1);
    expect(TimeoutError.is(await unheard)).toBe(true);
    const warnings = env.log.entries.filter(({ fields }) => fields["event"] === "question_without_handler");
    expect(warnings.map(({ fields }) => fields["question"])).toEqual(["total"]);
  });

  scenario("whose signal has aborted is not asked", async (start) => {
    const { env, handle } = await begun(start, basket);
    const asked = handle
      .ask(total, { currency: "EUR" }, { signal: AbortSignal.abort("gone") })
      .catch((error: unknown) => error);
    await env.settle();

    expect(CancelledError.is(await asked)).toBe(true);
    expect((await env.client.admin.timeline("i")).steps).toMatchObject([{ kind: "queue" }]);
  });

  scenario("keeps its time limit and its signal while its instance is not found", async (start) => {
    const env = await start({ orchestrations: [basket] });
    const handle = env.client.handle(basket, "unknown");
    const aborting = new AbortController();
    const asked = [{ timeout: 100 }, { signal: aborting.signal }].map((options) =>
      handle.ask(total, { currency: "EUR" }, options).catch((error: unknown) => error),
    );
    await env.advance(100);
    aborting.abort();
    await env.settle();

    const [late, cancelled] = await Promise.all(asked);
    expect(TimeoutError.is(late)).toBe(true);
    expect(CancelledError.is(cancelled)).toBe(true);
  });

  scenario("is refused where the client cannot read the answer", async (start) => {
    const { env, handle } = await started(start, basket);
    const other = new Client(env.provider, { clock: env.clock, codec: rawCodec }).handle(basket, "i");
    const asked = other
      .ask("total", '{"currency":"EUR"}', { messageId: "a" })
      .catch((error: unknown) => error);
    await env.settle();

    expect(await asked).toMatchObject({ code: "configuration", message: expect.stringContaining("codec") });
    await handle.enqueue(lines, -1);
    await env.finish(handle);
  });

  scenario("waits for the next try of a blocked instance that comes soon", async (start) => {
    const fits = orchestration("changes", async (ctx) => {
      ctx.answer(count, () => 1);
      while ((await ctx.dequeue(lines)) > 0);
    });
    const differs = orchestration("changes", async (ctx) => void (await ctx.dequeue("others")));
    const { env, handle } = await begun(start, fits);
    await env.restart({ orchestrations: [differs] });
    await handle.enqueue(lines, 1);
    await env.settle();
    expect(await handle.status()).toMatchObject({ blocked: [{ reason: "nondeterminism" }] });
    await env.restart({ orchestrations: [fits] });
    const asked = handle.ask(count).catch((error: unknown) => error);
    await env.advance(3_000);

    expect(await asked).toBe(1);
    await handle.enqueue(lines, -1);
    await env.finish(handle);
  });

  onEveryStore("to a start that no process has code for is refused within five seconds", async (start) => {
    const env = await start({ orchestrations: [basket], options: { reportWorker: true } });
    await env.settle();
    const handle = await env.client.start("unknown code", { instanceId: "i" });
    const asked = handle.ask(count).catch((error: unknown) => error);
    await env.advance(5_000);

    expect(await asked).toMatchObject({ code: "blocked", message: expect.stringContaining("unknown code") });
  });

  scenario("is a step of the timeline, with its answer", async (start) => {
    const { env, handle } = await started(start, basket);
    const asked = handle.ask(total, { currency: "EUR" }, { messageId: "a" });
    await env.settle();
    await asked;
    const { steps, unread, waits } = await env.client.admin.timeline("i");

    expect(steps).toMatchObject([
      { kind: "queue", name: "lines", outcome: "open" },
      { kind: "question", name: "total", messageId: "a", outcome: "completed" },
    ]);
    expect(unread).toEqual([]);
    expect(waits).toHaveLength(1);
  });
});

/** A whole number, or a text of one. */
const integer: StandardSchema<number, number> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) =>
      Number.isInteger(value) ? { value: value as number } : { issues: [{ message: "not a whole number" }] },
  },
};
